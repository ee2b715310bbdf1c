package org.jvrpc.samples.kv.rpc;

import org.jvrpc.samples.kv.store.StoreResult;

/**
 * How storing ended.
 *
 * @param result STORED, or why not
 * @param version that the item has now; 0 when it was not stored
 */
public record KvStored(StoreResult result, long version) {
}
