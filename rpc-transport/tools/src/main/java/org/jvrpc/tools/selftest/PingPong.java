package org.jvrpc.tools.selftest;

import java.util.Arrays;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;

/**
 * SENDs of 16 bytes to and fro; half a round trip is what is told, as perftest does. One thread is at both ends, so
 * that no scheduler takes part, also where two processors are all there are and the device's software needs one. One
 * send in {@link #SIGNALLED} is signalled.
 */
final class PingPong {

    static final int BYTES = 16;
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 5000;
    private static final int LEAST = 10;
    private static final long LONGEST_NS = 8_000_000_000L;
    private static final int SIGNALLED = 16;

    private final Side side;
    private final PostSend send;
    private final PostReceive receive;
    private final WorkCompletion wc = new WorkCompletion();
    private int posted;

    private PingPong(Side side) {
        this.side = side;
        this.send = side.qp.prepareSend(SendRequest.send(1, side.sge(0, BYTES)).inline());
        this.receive = side.qp.prepareReceive(ReceiveRequest.of(2, side.sge(64, BYTES)));
        postReceive();
    }

    /**
     * Runs, for some seconds at most.
     *
     * @return the median of half a round trip in nanoseconds
     */
    static long halfRoundTripNs(Loopback pair) {
        PingPong near = new PingPong(pair.left);
        PingPong far = new PingPong(pair.right);
        rounds(near, far, new long[WARM_UP]);
        long[] times = new long[ROUNDS];
        int measured = rounds(near, far, times);
        Arrays.sort(times, 0, measured);
        return times[measured / 2] / 2;
    }

    /** Fills the array with times of round trips, as far as time allows. @return how many there are */
    private static int rounds(PingPong near, PingPong far, long[] times) {
        long begin = System.nanoTime();
        int round = 0;
        while (round < times.length && (round < LEAST || System.nanoTime() - begin < LONGEST_NS)) {
            long start = System.nanoTime();
            near.send();
            far.receive();
            far.send();
            near.receive();
            times[round++] = System.nanoTime() - start;
        }
        return round;
    }

    private void postReceive() {
        if (receive.execute() != 1) {
            throw new StepFailedException(side.name + " takes no receive");
        }
    }

    private void send() {
        send.signalled(0, ++posted % SIGNALLED == 0);
        Side.until(side.name + ": room for a send", () -> {
            while (side.sends.poll(wc)) {
                check();
            }
            return send.execute() == 1;
        });
    }

    private void receive() {
        Side.until(side.name + ": message of a ping-pong", () -> side.receives.poll(wc));
        check();
        postReceive();
    }

    private void check() {
        if (!wc.succeeded()) {
            throw new StepFailedException(side.name + ": " + wc);
        }
    }
}
