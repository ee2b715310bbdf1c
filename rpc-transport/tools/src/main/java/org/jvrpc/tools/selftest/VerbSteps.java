package org.jvrpc.tools.selftest;

import java.time.Duration;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Each verb once or some times, with data checked. Each method is one step, on a fresh {@link Loopback}. */
final class VerbSteps {

    private static final int[] LENGTHS = {0, 1, 16, 64, 1023, 1024, 4097, 40_000};
    private static final int IMMEDIATE = 0x12345678;

    private VerbSteps() {
    }

    static String sends(Loopback pair) {
        int seed = 1;
        for (int length : LENGTHS) {
            pair.send(length, seed++);
        }
        pair.left.fill(0, 32, seed);
        pair.right.receive(seed, pair.right.sge(0, 32));
        pair.left.post(SendRequest.sendWithImmediate(seed, IMMEDIATE, pair.left.sge(0, 8), pair.left.sge(8, 24))
                .inline().signalled());
        pair.left.sent(seed, WcOpcode.SEND);
        WorkCompletion wc = pair.right.received(seed, 32);
        if (wc.immediate() != IMMEDIATE) {
            throw new StepFailedException("immediate data=" + Integer.toHexString(wc.immediate()));
        }
        pair.right.check("inline SEND of two SGEs", 0, 32, seed);
        return LENGTHS.length + " lengths up to " + LENGTHS[LENGTHS.length - 1]
                + " bytes, and inline from two SGEs with immediate data";
    }

    static String writesAndReads(Loopback pair) {
        int seed = 100;
        for (int length : LENGTHS) {
            long there = pair.right.memory.address();
            int rkey = pair.right.memory.rkey();
            pair.left.fill(0, length, ++seed);
            pair.left.post(SendRequest.write(seed, there, rkey, pair.left.sge(0, length)).signalled());
            pair.left.sent(seed, WcOpcode.RDMA_WRITE);
            pair.left.fill(0, length, 0);
            pair.left.post(SendRequest.read(seed, there, rkey, pair.left.sge(0, length)).signalled());
            pair.left.sent(seed, WcOpcode.RDMA_READ);
            pair.left.check("READ of what was written, " + length + " bytes", 0, length, seed);
            pair.right.check("WRITE of " + length + " bytes", 0, length, seed);
        }
        return LENGTHS.length + " lengths, each written and read back";
    }

    static String atomics(Loopback pair) {
        pair.right.memory.buffer(0, 8).putLong(0, 40);
        long there = pair.right.memory.address();
        int rkey = pair.right.memory.rkey();
        pair.left.post(SendRequest.fetchAndAdd(1, there, rkey, 2, pair.left.sge(0, 8)).signalled());
        pair.left.sent(1, WcOpcode.FETCH_ADD);
        expect("FETCH_ADD brings", pair.left, 40);
        expect("FETCH_ADD leaves", pair.right, 42);
        pair.left.post(SendRequest.compareAndSwap(2, there, rkey, 42, 7, pair.left.sge(0, 8)).signalled());
        pair.left.sent(2, WcOpcode.COMPARE_SWAP);
        expect("COMPARE_SWAP brings", pair.left, 42);
        expect("COMPARE_SWAP leaves", pair.right, 7);
        pair.left.post(SendRequest.compareAndSwap(3, there, rkey, 42, 8, pair.left.sge(0, 8)).signalled());
        pair.left.sent(3, WcOpcode.COMPARE_SWAP);
        expect("COMPARE_SWAP of another value leaves", pair.right, 7);
        return "fetch-and-add, compare-and-swap that succeeds and that does not";
    }

    private static void expect(String what, Side side, long value) {
        long found = side.memory.buffer(0, 8).getLong(0);
        if (found != value) {
            throw new StepFailedException(what + " " + found + ", expected=" + value);
        }
    }

    static String wrongKey(Loopback pair) {
        pair.left.post(SendRequest.write(1, pair.right.memory.address(), pair.right.memory.rkey() ^ 0x5500,
                pair.left.sge(0, 8)).signalled());
        pair.left.sentFails(1, WcStatus.REM_ACCESS_ERR);
        return "a WRITE with a wrong rkey ends with REM_ACCESS_ERR";
    }

    static String events(Loopback pair) {
        Side right = pair.right;
        right.receives.arm();
        right.receive(1, right.sge(0, 16));
        pair.left.fill(0, 16, 5);
        pair.left.post(SendRequest.send(1, pair.left.sge(0, 16)).signalled());
        pair.left.sent(1, WcOpcode.SEND);
        long begin = System.nanoTime();
        if (!pair.channel.await(Duration.ofSeconds(10).toNanos())) {
            throw new StepFailedException("no event for an armed CQ within 10 s");
        }
        right.received(1, 16);
        right.check("SEND that woke", 0, 16, 5);
        return "an armed CQ woke its channel, " + (System.nanoTime() - begin) / 1000 + " us";
    }

    /** An {@code if} of RedN where the device has cross-channel queues: one that refuses their CQs has none. */
    static String chains(Loopback pair) {
        try {
            pair.device.createCq(CompletionQueueAttributes.ofChains(1)).close();
        } catch (VerbsException e) {
            throw new NotProvenException(e.getMessage());
        }
        return RednIf.run(pair.device);
    }
}
