package org.jvrpc.samples.quickstart;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jvrpc.api.Status;

/** What one {@link Trader} saw. Written by its thread, read by another while it writes. */
final class CallLog {

    /** Longer calls are counted as this long; the longest deadline is 30 s. */
    static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);
    /** Digits of a latency that are right. */
    static final int DIGITS = 3;

    private static final Call[] CALLS = Call.values();

    private final SingleWriterRecorder[] recorders = new SingleWriterRecorder[CALLS.length];
    private final Histogram[] spare = new Histogram[CALLS.length];
    private final AtomicLongArray errors = new AtomicLongArray(CALLS.length);
    private final Map<Status, Long> statuses = new ConcurrentHashMap<>();

    CallLog() {
        for (int i = 0; i < recorders.length; i++) {
            recorders[i] = new SingleWriterRecorder(HIGHEST_NS, DIGITS);
        }
    }

    /** A call was answered. The Trader's thread. */
    void took(Call call, long ns) {
        recorders[call.ordinal()].recordValue(Math.min(Math.max(ns, 1), HIGHEST_NS));
    }

    /** A call failed. The Trader's thread. */
    void failed(Call call, Status status) {
        errors.incrementAndGet(call.ordinal());
        statuses.merge(status, 1L, Long::sum);
    }

    /** Gives the latencies since the last time; valid until the next time. The reading thread. */
    Histogram since(Call call) {
        int index = call.ordinal();
        spare[index] = recorders[index].getIntervalHistogram(spare[index]);
        return spare[index];
    }

    /** Returns the number of failed calls since the beginning. */
    long errors(Call call) {
        return errors.get(call.ordinal());
    }

    /** Returns the number of failed calls for each status since the beginning. */
    Map<Status, Long> statuses() {
        return Map.copyOf(statuses);
    }
}
