package org.jvrpc.samples.kv.rpc;

/**
 * Where and how a store may be read without calls.
 *
 * @param lookups address of the host of lookups; empty when there is none
 * @param lookup the name that the store has there
 * @param longestIndexed the most bytes, from an item's address to its value's end, that the offload index knows
 */
public record KvInfo(String lookups, String lookup, int longestIndexed) {
}
