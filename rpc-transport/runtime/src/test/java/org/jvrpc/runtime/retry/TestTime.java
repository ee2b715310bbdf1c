package org.jvrpc.runtime.retry;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jvrpc.runtime.thread.Clock;

/** A time that a test moves, and what is due in it. One thread. */
final class TestTime implements Clock, Timer {

    private record Due(long atNs, int number, Runnable work) {
    }

    private final PriorityQueue<Due> all =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNs).thenComparingInt(Due::number));
    private long nowNs;
    private long stepNs;
    private int number;

    @Override
    public long nanoTime() {
        long now = nowNs;
        nowNs += stepNs;
        return now;
    }

    /** Has so much time pass by each look at it. */
    void step(long ns) {
        stepNs = ns;
    }

    @Override
    public void parkNanos(Object blocker, long ns) {
        pass(ns);
    }

    @Override
    public void schedule(Runnable work, long delayNs) {
        all.add(new Due(nowNs + delayNs, number++, work));
    }

    /** Lets time pass, and does what is due meanwhile, each at its time. */
    void pass(long ns) {
        long endNs = nowNs + ns;
        while (!all.isEmpty() && all.peek().atNs <= endNs) {
            Due next = all.poll();
            nowNs = Math.max(nowNs, next.atNs);
            next.work.run();
        }
        nowNs = endNs;
    }

    @Override
    public void close() {
        all.clear();
    }
}
