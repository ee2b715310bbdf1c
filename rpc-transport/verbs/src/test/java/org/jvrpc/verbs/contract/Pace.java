package org.jvrpc.verbs.contract;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often threads can take turns on this machine now. Two that spin on processors of their own do so a million times
 * a second; where others spin, too, each turn costs a slice of the scheduler, milliseconds.
 */
public final class Pace {

    private static final int TURNS = 2000;
    private static final long MEASURED_MS = 300;
    private static final long AFFORDED_MS = 10_000;
    private static final int LEAST = 100;

    private Pace() {
    }

    /** Returns how many rounds a test of threads makes that wait for each other: fewer where they take long. */
    public static int rounds(int wanted) {
        AtomicInteger ball = new AtomicInteger();
        Deadline deadline = Deadline.ofMillis(MEASURED_MS);
        Background<Integer> other = Background.start("pace", () -> play(ball, 1, deadline));
        play(ball, 0, deadline);
        other.join(60);
        long tookMs = deadline.elapsedNs() / 1_000_000 + 1;
        if (ball.get() >= TURNS) {
            return wanted;
        }
        int rounds = (int) Math.min(wanted, Math.max(LEAST, ball.get() * AFFORDED_MS / tookMs));
        System.out.println("rounds=" + rounds + " of " + wanted + ": threads took turns=" + ball + " in ms=" + tookMs);
        return rounds;
    }

    /** Throws the ball back until it has gone to and fro often enough, or time is over. */
    private static int play(AtomicInteger ball, int side, Deadline deadline) {
        for (int spins = 0; ball.get() < TURNS && !deadline.isOver(); spins++) {
            if ((ball.get() & 1) == side) {
                ball.incrementAndGet();
            } else if ((spins & 63) == 63) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return ball.get();
    }
}
