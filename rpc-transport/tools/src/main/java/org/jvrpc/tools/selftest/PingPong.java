package org.jvrpc.tools.selftest;

import java.util.Arrays;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * SENDs of 16 bytes to and fro between two threads that poll; half a round trip is what is told, as perftest does. One
 * send in {@link #SIGNALLED} is signalled.
 */
final class PingPong {

    static final int BYTES = 16;
    private static final int WARM_UP = 3000;
    private static final int ROUNDS = 3000;
    private static final int SIGNALLED = 16;

    private final Side side;
    private final PostSend send;
    private final PostReceive receive;
    private final WorkCompletion wc = new WorkCompletion();
    private int posted;
    private volatile boolean stopped;
    private volatile RuntimeException failure;

    private PingPong(Side side) {
        this.side = side;
        this.send = side.qp.prepareSend(SendRequest.send(1, side.sge(0, BYTES)).inline());
        this.receive = side.qp.prepareReceive(ReceiveRequest.of(2, side.sge(64, BYTES)));
    }

    /** Runs, and returns the median of half a round trip in nanoseconds. */
    static long halfRoundTripNs(Loopback pair) {
        PingPong near = new PingPong(pair.left);
        PingPong far = new PingPong(pair.right);
        near.postReceive();
        far.postReceive();
        Thread echo = new Thread(far::echo, "self-test-echo");
        echo.setDaemon(true);
        echo.start();
        try {
            return near.rounds();
        } catch (StepFailure e) {
            throw far.failure == null ? e : far.failure;
        } finally {
            far.stopped = true; // nobody may poll what is closed next
            join(echo);
        }
    }

    private static void join(Thread echo) {
        try {
            echo.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long rounds() {
        long[] times = new long[ROUNDS];
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            long begin = System.nanoTime();
            postSend();
            awaitReceive();
            if (round >= WARM_UP) {
                times[round - WARM_UP] = System.nanoTime() - begin;
            }
        }
        Arrays.sort(times);
        return times[ROUNDS / 2] / 2;
    }

    /** Failures of this half are seen by the other: nothing comes any more. */
    private void echo() {
        try {
            for (int round = 0; round < WARM_UP + ROUNDS && !stopped; round++) {
                awaitReceive();
                postSend();
            }
        } catch (VerbsException | IllegalStateException e) {
            failure = e;
        }
    }

    private void postReceive() {
        if (receive.execute() != 1) {
            throw new StepFailure(side.name + " takes no receive");
        }
    }

    private void postSend() {
        send.signalled(0, ++posted % SIGNALLED == 0);
        Side.until(side.name + ": room for a send", () -> {
            while (side.sends.poll(wc)) {
                check();
            }
            return send.execute() == 1;
        });
    }

    private void awaitReceive() {
        Side.until(side.name + ": message of a ping-pong", () -> side.receives.poll(wc) || stopped);
        if (!stopped) {
            check();
            postReceive();
        }
    }

    private void check() {
        if (!wc.succeeded()) {
            throw new StepFailure(side.name + ": " + wc);
        }
    }
}
