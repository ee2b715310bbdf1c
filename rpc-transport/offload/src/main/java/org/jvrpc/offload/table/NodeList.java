package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A list of keys and values wholly in one region, the newest key first.
 *
 * <pre>
 * region  0 {@link IndexHeader}: first node, how many may be | 64 the end ({@link Node}) | 128 nodes
 *         | chunks: values ({@link Value}) | … room for one value
 * </pre>
 * Programs walk it while it changes. A node is written, then linked; one that is taken out still leads back into the
 * list, and it and its value are used again after a time of grace: a walk that is slower than that may leave the list,
 * and finds then a value of another key, whose checksum tells, or nothing. One thread writes.
 */
public final class NodeList {

    private static final int END = 64;
    private static final int NODES = 128;

    private record Freed(int at, long readyNs) {
    }

    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int capacity;
    private final int maxValue;
    private final long graceNs;
    private final LongSupplier clock;
    private final CRC32C crc = new CRC32C();
    private final Deque<Freed> free = new ArrayDeque<>();
    private Chunks chunks;
    private int used;
    private int size;
    private long version;

    private NodeList(MemoryRegion region, int capacity, int maxValue, long graceNs, LongSupplier clock) {
        long nodes = NODES + (long) capacity * Node.BYTES;
        if (capacity < 1 || maxValue < 1 || region.length() > 1 << 30
                || nodes + Value.HEADER + maxValue + 2L * Node.BYTES > region.length()) {
            throw new IllegalArgumentException("no room for a list: capacity=" + capacity + " maxValue=" + maxValue
                    + " region=" + region.length());
        }
        this.region = region;
        this.memory = region.buffer(0, (int) region.length());
        this.capacity = capacity;
        this.maxValue = maxValue;
        this.graceNs = graceNs;
        this.clock = clock;
    }

    /**
     * Makes an empty list over a whole region.
     *
     * @param capacity the most nodes at once
     * @param maxValue the longest value, in bytes
     * @param graceNs how long a node, and a chunk, rests before it is used again
     * @param clock monotonic, in nanoseconds
     */
    public static NodeList create(
            MemoryRegion region, int capacity, int maxValue, long graceNs, LongSupplier clock) {
        NodeList list = new NodeList(region, capacity, maxValue, graceNs, clock);
        list.chunks = Chunks.create(list.memory, list.chunksAt(), list.chunksEnd(), graceNs, clock);
        Node.writeEnd(list.memory, END, list.address(END));
        list.publish(END);
        return list;
    }

    /** Takes a list up that another process, or an earlier one, has written, and writes it from now on. */
    public static NodeList attach(MemoryRegion region, int maxValue, long graceNs, LongSupplier clock) {
        ByteBuffer header = region.buffer(0, NODES);
        long capacity = IndexHeader.liveCount(header, 0);
        if (capacity != (int) capacity || Node.next(header, END) != region.address() + END) {
            throw new IllegalArgumentException("no list in the region: capacity=" + capacity);
        }
        NodeList list = new NodeList(region, (int) capacity, maxValue, graceNs, clock);
        list.takeUp();
        return list;
    }

    private void takeUp() {
        BitSet nodes = new BitSet();
        BitSet values = new BitSet();
        for (int at = first(); at != END; at = next(at)) {
            if (at < NODES || at >= chunksAt() || nodes.get((at - NODES) / Node.BYTES)) {
                throw new IllegalArgumentException("no node at=" + at);
            }
            nodes.set((at - NODES) / Node.BYTES);
            int value = value(at);
            values.set(value / END);
            version = Math.max(version, Value.version(memory, value));
            size++;
        }
        publish(first()); // ends a publication that was cut off
        used = nodes.length();
        for (int i = nodes.nextClearBit(0); i < used; i = nodes.nextClearBit(i + 1)) {
            free.add(new Freed(NODES + i * Node.BYTES, clock.getAsLong() + graceNs));
        }
        chunks = Chunks.attach(memory, chunksAt(), chunksEnd(), graceNs, clock, at -> values.get(at / END));
    }

    private int chunksAt() {
        return NODES + capacity * Node.BYTES;
    }

    private int chunksEnd() {
        // Who sees a new address with the length of an older value must not read past the region.
        return (int) region.length() - Value.HEADER - maxValue;
    }

    private long address(int at) {
        return region.address() + at;
    }

    private int first() {
        return (int) (IndexHeader.liveAddress(memory, 0) - region.address());
    }

    private int next(int at) {
        return (int) (Node.next(memory, at) - region.address());
    }

    private int value(int at) {
        return (int) (Node.address(memory, at) - region.address());
    }

    private void publish(int first) {
        IndexHeader.publish(memory, 0, address(first), capacity);
    }

    private int find(long key) {
        int at = first();
        while (at != END && Node.key(memory, at) != key) {
            at = next(at);
        }
        return at;
    }

    /** Returns how many keys there are. */
    public int size() {
        return size;
    }

    /** Returns the address of the first node, which walks begin at; changes with each new key. */
    public long firstNode() {
        return address(first());
    }

    /** Returns where a key's value lies in the region, header first, or -1. */
    public int get(long key) {
        int at = find(key);
        return at == END ? -1 : value(at);
    }

    /**
     * Puts a value, its bytes from position to limit: in the place of the one that the key had, or first.
     *
     * @param key 1 to 2<sup>48</sup> - 1
     * @return the value's version, which is larger than any before; 0 when the list is full, and nothing was changed
     * @throws IllegalArgumentException when the value is too long, or the key out of range
     */
    public long put(long key, ByteBuffer value) {
        if (value.remaining() > maxValue || Bucket.image(key) == 0 || key == Node.END_KEY) {
            throw new IllegalArgumentException("key=0x" + Long.toHexString(key) + " value=" + value.remaining()
                    + " bytes, at most " + maxValue);
        }
        int node = find(key);
        boolean isNew = node == END;
        int chunk = isNew && !hasNode() ? -1 : chunks.take(Value.HEADER + value.remaining());
        if (chunk < 0) {
            return 0;
        }
        version++;
        int length = Value.HEADER + value.remaining();
        Value.write(memory, chunk, Value.chunk(memory, chunk), key, version, value, crc);
        if (isNew) {
            node = takeNode();
            Node.write(memory, node, key, firstNode(), address(chunk), length);
            publish(node);
            size++;
        } else {
            int old = value(node);
            Node.value(memory, node, address(chunk), length);
            chunks.free(old);
        }
        return version;
    }

    private boolean hasNode() {
        return used < capacity || !free.isEmpty() && clock.getAsLong() - free.peek().readyNs >= 0;
    }

    private int takeNode() {
        boolean again = !free.isEmpty() && clock.getAsLong() - free.peek().readyNs >= 0;
        return again ? free.poll().at : NODES + used++ * Node.BYTES;
    }

    /** Removes a key; false when it is not there. */
    public boolean remove(long key) {
        int before = -1;
        int at = first();
        while (at != END && Node.key(memory, at) != key) {
            before = at;
            at = next(at);
        }
        if (at == END) {
            return false;
        }
        if (before < 0) {
            publish(next(at));
        } else {
            Node.link(memory, before, Node.next(memory, at));
        }
        chunks.free(value(at));
        free.add(new Freed(at, clock.getAsLong() + graceNs));
        size--;
        return true;
    }
}
