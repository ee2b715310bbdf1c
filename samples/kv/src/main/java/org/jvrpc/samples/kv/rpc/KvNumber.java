package org.jvrpc.samples.kv.rpc;

import org.jvrpc.samples.kv.store.StoreResult;

/**
 * How adding ended.
 *
 * @param result STORED, NOT_FOUND, NON_NUMERIC or OUT_OF_MEMORY
 * @param number that the item has now, unsigned
 * @param version that the item has now
 */
public record KvNumber(StoreResult result, long number, long version) {
}
