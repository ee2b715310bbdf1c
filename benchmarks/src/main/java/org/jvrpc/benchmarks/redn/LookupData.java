package org.jvrpc.benchmarks.redn;

import java.nio.ByteBuffer;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.offload.table.Node;

/**
 * What the lookups search, laid out so that both processes know where everything is.
 *
 * <pre>
 * 0        header
 * 4096     pairs of buckets, one for each key; the other one of the pair is empty
 * +256 KiB lists of 8 nodes, and their end
 * +256 KiB values of 64 bytes: 1, key * 31, zeros
 * </pre>
 */
final class LookupData {

    /** Keys, of the pairs and of the lists. */
    static final int KEYS = 4096;
    /** Nodes of a list, with its end. */
    static final int NODES = 8;
    static final int VALUE_BYTES = 64;
    private static final int BUCKETS_AT = 4096;
    private static final int LISTS_AT = BUCKETS_AT + KEYS * 2 * Bucket.BYTES;
    private static final int END_AT = LISTS_AT + KEYS * Node.BYTES;
    private static final int VALUES_AT = END_AT + 4096;
    static final int BYTES = VALUES_AT + KEYS * VALUE_BYTES;
    private static final long FIRST_KEY = 0xabcd_0000_0001L;

    private LookupData() {
    }

    static long key(int i) {
        return FIRST_KEY + i;
    }

    /** Returns where a pair of buckets begins; the key is in the first of an even pair, the second of an odd one. */
    static int pair(int i) {
        return BUCKETS_AT + i * 2 * Bucket.BYTES;
    }

    /** Returns where the list of a key begins; the key's node is number {@code i % NODES}. */
    static int list(int i) {
        return node(i / NODES * NODES);
    }

    /** Returns where a node lies: the nodes of a list are far from each other. */
    private static int node(int i) {
        return LISTS_AT + (i % NODES * (KEYS / NODES) + i / NODES) * Node.BYTES;
    }

    static void write(ByteBuffer memory, long base) {
        for (int i = 0; i < KEYS; i++) {
            int value = VALUES_AT + i * VALUE_BYTES;
            memory.putLong(value, 1).putLong(value + 8, key(i) * 31);
            Bucket.clear(memory, pair(i));
            Bucket.clear(memory, pair(i) + Bucket.BYTES);
            Bucket.publish(memory, pair(i) + i % 2 * Bucket.BYTES, key(i), base + value, VALUE_BYTES);
            Node.write(memory, node(i), key(i), base + (i % NODES == NODES - 1 ? END_AT : node(i + 1)), base + value,
                    VALUE_BYTES);
        }
        Node.writeEnd(memory, END_AT, base + END_AT);
        IndexHeader.publish(memory, 0, base + BUCKETS_AT, KEYS * 2);
    }
}
