package org.jvrpc.watch.rperf;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.PairPort;
import org.jvrpc.watch.StampSource;

/** A port with a time of its own, which goes on when nothing is due before. One thread. */
final class FakePort implements PairPort {

    private record Due(long atNs, int slot, boolean loopback) {
    }

    private final PriorityQueue<Due> dues = new PriorityQueue<>(Comparator.comparingLong(Due::atNs));
    private final int slots;
    long nowNs = 1_000;
    /** Of the n-th pair. */
    IntToLongFunction wireNs = n -> 2_500;
    IntToLongFunction loopNs = n -> 500;
    /** That the second of two posted together waits. */
    long secondWaitsNs;
    boolean loops = true;
    double loopbackBitsNs = Double.NaN;
    WcStatus status = WcStatus.SUCCESS;
    int loses = Integer.MAX_VALUE;
    int posts;
    int loopbackFirsts;
    long lastPostNs;

    FakePort(int slots) {
        this.slots = slots;
    }

    @Override
    public int slots() {
        return slots;
    }

    @Override
    public boolean hasLoopback() {
        return loops;
    }

    @Override
    public String noLoopback() {
        return loops ? null : "datagrams alone";
    }

    @Override
    public double loopbackBitsNs(int bytes) {
        return bytes == 64 ? loopbackBitsNs : Double.NaN;
    }

    @Override
    public StampSource stamps() {
        return StampSource.SOFTWARE;
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean post(int slot, int bytes, boolean loopbackFirst) {
        lastPostNs = nowNs;
        loopbackFirsts += loopbackFirst ? 1 : 0;
        int n = posts++;
        if (n < loses) {
            dues.add(new Due(nowNs + wireNs.applyAsLong(n) + (loopbackFirst ? secondWaitsNs : 0), slot, false));
        }
        if (loops) {
            dues.add(new Due(nowNs + loopNs.applyAsLong(n) + (loopbackFirst ? 0 : secondWaitsNs), slot, true));
        }
        return true;
    }

    @Override
    public int poll(Completions to) {
        int count = 0;
        for (Due due = dues.peek(); due != null && due.atNs <= nowNs; due = dues.peek()) {
            dues.remove();
            count++;
            if (due.loopback) {
                to.loopback(due.slot, WcStatus.SUCCESS, due.atNs);
            } else {
                to.wire(due.slot, status, due.atNs);
            }
        }
        return count;
    }

    /** Runs an engine to its end. */
    void run(PairEngine engine) {
        for (long dueNs = engine.advance(); dueNs != PairEngine.NEVER; dueNs = engine.advance()) {
            long nextNs = dues.isEmpty() ? dueNs : Math.min(dueNs, dues.peek().atNs);
            nowNs = Math.max(nowNs + 1, nextNs);
        }
    }

    @Override
    public void close() {
        dues.clear();
    }
}
