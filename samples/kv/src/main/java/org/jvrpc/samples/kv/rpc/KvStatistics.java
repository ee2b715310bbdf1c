package org.jvrpc.samples.kv.rpc;

/**
 * What a store holds and has done.
 *
 * @param items how many there are
 * @param bytes of theirs
 * @param indexed items that lookups find
 * @param evictions so far
 * @param gets by calls and memcached's protocols; READs and lookups are nobody's to count
 * @param hits of those
 */
public record KvStatistics(long items, long bytes, long indexed, long evictions, long gets, long hits) {
}
