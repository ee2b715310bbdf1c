package org.jvrpc.samples.kv.rpc;

/**
 * Where and how a store may be read without calls.
 *
 * @param lookups address of the host of lookups; empty when there is none
 * @param lookup the name that the store has there
 * @param longestIndexed the most bytes, from an item's address to its value's end, that the offload index knows
 * @param hashFirst lower half of the secret of the hash of keys
 * @param hashSecond upper half
 */
public record KvInfo(String lookups, String lookup, int longestIndexed, long hashFirst, long hashSecond) {
}
