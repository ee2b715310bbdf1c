package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;

/**
 * SEND, WRITE, READ, FETCH_ADD and CAS in random order and of random lengths, many under way, from left to right. What
 * each does is checked when it completes: contents, order, and that it took effect exactly once. One thread drives both
 * ends.
 *
 * <pre>
 * left:  slot i of operation i mod WINDOW
 * right: slots that are written | bytes that are read | counter, word | slots of receives
 * </pre>
 */
final class Traffic {

    /** What each end needs. */
    static final int BYTES = 1 << 20;

    private static final int WINDOW = 16;
    private static final int SLOT = 8192;
    /** More than two packets of the path. */
    private static final int LONGEST = 2600;
    private static final int READS = WINDOW * SLOT;
    private static final int COUNTER = 2 * READS;
    private static final int WORD = COUNTER + 8;
    private static final int RECEIVES = COUNTER + SLOT;
    private static final int RECEIVE_SLOTS = 32;

    private enum Kind { SEND, WRITE, READ, ADD, SWAP }

    private final Node left;
    private final Node right;
    private final SplittableRandom random;
    private final int kindsUsed;
    private final Kind[] kinds = new Kind[WINDOW];
    private final int[] lengths = new int[WINDOW];
    private final long[] operands = new long[WINDOW];
    private final long[] before = new long[WINDOW];
    private final byte[] readable;
    private long counter;
    private long word;
    private int posted;
    private volatile int completed;
    private int sent;
    private int received;
    private int flushed;
    private WcStatus failure;

    Traffic(Node left, Node right, long seed) {
        this(left, right, seed, true);
    }

    /** @param atomics whether there are some */
    Traffic(Node left, Node right, long seed, boolean atomics) {
        this.left = left;
        this.kindsUsed = atomics ? Kind.values().length : Kind.ADD.ordinal();
        this.right = right;
        this.random = new SplittableRandom(seed);
        this.readable = Pattern.bytes(seed, READS);
        right.mr.buffer(READS, READS).put(0, readable);
        right.mr.buffer(COUNTER, 16).putLong(0, 0).putLong(8, 0);
        for (int i = 0; i < RECEIVE_SLOTS; i++) {
            postReceive(i);
        }
    }

    private void postReceive(long number) {
        right.receive(ReceiveRequest.of(number, Sge.of(right.mr, receiveSlot(number), SLOT)));
    }

    private static int receiveSlot(long number) {
        return RECEIVES + (int) (number % RECEIVE_SLOTS) * SLOT;
    }

    /** Returns how many operations completed. Any thread. */
    int completed() {
        return completed;
    }

    /** Returns the status that ended it, or null. */
    WcStatus failure() {
        return failure;
    }

    /** Returns how many operations were flushed behind the one that failed. */
    int flushed() {
        return flushed;
    }

    /**
     * Runs, until so many operations more completed or the first one failed, and then until all that was posted
     * completed.
     */
    void run(int operations, long milliseconds) {
        Deadline deadline = Deadline.ofMillis(milliseconds);
        int end = completed + operations;
        while (completed < (failure == null ? end : posted) || failure == null && received < sent) {
            while (failure == null && posted < end && posted - completed < WINDOW) {
                post(posted++);
            }
            boolean busy = left.sends.poll(left.wc);
            if (busy) {
                complete();
            }
            while (failure == null && right.receives.poll(right.wc)) {
                if (right.wc.status() == WcStatus.WR_FLUSH_ERR) {
                    failure = WcStatus.WR_FLUSH_ERR;
                } else {
                    receive();
                }
                busy = true;
            }
            if (!busy) {
                deadline.turn(() -> "operations completed=" + completed + " posted=" + posted + " received="
                        + received + " of=" + sent + " failure=" + failure);
            }
        }
    }

    private void post(int i) {
        int slot = i % WINDOW;
        Kind kind = Kind.values()[random.nextInt(kindsUsed)];
        int length = random.nextInt(4) == 0 ? random.nextInt(LONGEST) : random.nextInt(1, 64);
        long local = (long) slot * SLOT;
        kinds[slot] = kind;
        lengths[slot] = length;
        if (kind == Kind.SEND || kind == Kind.WRITE) {
            left.mr.buffer(local, length).put(0, Pattern.bytes(i, length));
        }
        left.post(request(i, slot, kind, Sge.of(left.mr, local, length), Sge.of(left.mr, local, 8)).signalled());
    }

    private SendRequest request(int i, int slot, Kind kind, Sge data, Sge result) {
        long base = right.mr.address();
        int rkey = right.mr.rkey();
        switch (kind) {
            case SEND:
                sent++;
                return SendRequest.sendWithImmediate(i, i, data);
            case WRITE:
                return SendRequest.write(i, base + (long) slot * SLOT, rkey, data);
            case READ:
                operands[slot] = random.nextInt(READS - LONGEST);
                return SendRequest.read(i, base + READS + operands[slot], rkey, data);
            case ADD:
                before[slot] = counter;
                operands[slot] = random.nextInt(1, 1000);
                counter += operands[slot];
                return SendRequest.fetchAndAdd(i, base + COUNTER, rkey, operands[slot], result);
            default:
                before[slot] = word;
                operands[slot] = random.nextLong();
                long expected = random.nextBoolean() ? word : ~word;
                word = expected == word ? operands[slot] : word;
                return SendRequest.compareAndSwap(i, base + WORD, rkey, expected, operands[slot], result);
        }
    }

    private void complete() {
        assertEquals(completed, left.wc.wrId(), () -> "order of completions: " + left.wc);
        int slot = completed % WINDOW;
        if (left.wc.succeeded() && failure == null) {
            check(completed, slot);
        } else if (failure == null) {
            failure = left.wc.status();
        } else {
            assertEquals(WcStatus.WR_FLUSH_ERR, left.wc.status(), () -> "behind " + failure + ": " + left.wc);
            flushed++;
        }
        completed++;
    }

    private void check(int i, int slot) {
        long local = (long) slot * SLOT;
        byte[] expected = Pattern.bytes(i, lengths[slot]);
        switch (kinds[slot]) {
            case WRITE -> assertArrayEquals(expected, bytes(right, local, lengths[slot]), () -> "WRITE " + i);
            case READ -> {
                int from = (int) operands[slot];
                byte[] read = Arrays.copyOfRange(readable, from, from + lengths[slot]);
                assertArrayEquals(read, bytes(left, local, lengths[slot]), () -> "READ " + i);
            }
            case ADD, SWAP ->
                assertEquals(before[slot], left.mr.buffer(local, 8).getLong(0), () -> kinds[slot] + " " + i);
            default -> { }
        }
    }

    private void receive() {
        assertEquals(WcStatus.SUCCESS, right.wc.status(), right.wc::toString);
        assertEquals(received, right.wc.wrId(), "order of receives");
        int i = right.wc.immediate();
        byte[] expected = Pattern.bytes(i, right.wc.byteLength());
        assertArrayEquals(expected, bytes(right, receiveSlot(received), expected.length), () -> "SEND " + i);
        postReceive(received + RECEIVE_SLOTS);
        received++;
    }

    /** Checks what is left in the end: every message came once, every atomic took effect once. */
    void finish() {
        assertEquals(sent, received, "messages");
        assertFalse(right.receives.poll(right.wc), () -> "one message more: " + right.wc);
        assertEquals(counter, right.mr.buffer(COUNTER, 8).getLong(0), "sum of all FETCH_ADDs");
        assertEquals(word, right.mr.buffer(WORD, 8).getLong(0), "value of the last CAS");
    }

    private static byte[] bytes(Node node, long offset, int length) {
        byte[] bytes = new byte[length];
        node.mr.buffer(offset, length).get(0, bytes);
        return bytes;
    }
}
