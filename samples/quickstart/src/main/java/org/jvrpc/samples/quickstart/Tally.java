package org.jvrpc.samples.quickstart;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jvrpc.api.Status;

/** Sums up the logs of all traders: since the last look for the progress line, in all for the table. One thread. */
final class Tally {

    private final List<CallLog> logs;
    private final Map<Call, Histogram> all = new EnumMap<>(Call.class);
    private final Histogram answered = newHistogram();
    private long calls;

    Tally(List<CallLog> logs) {
        this.logs = List.copyOf(logs);
        for (Call call : Call.values()) {
            all.put(call, newHistogram());
        }
    }

    private static Histogram newHistogram() {
        return new Histogram(CallLog.HIGHEST_NS, CallLog.DIGITS);
    }

    /** Takes in what happened since the last look. */
    void look() {
        answered.reset();
        calls = 0;
        for (Call call : Call.values()) {
            Histogram sum = all.get(call);
            for (CallLog log : logs) {
                Histogram since = log.since(call);
                calls += since.getTotalCount();
                sum.add(since);
                if (call != Call.TICK) {
                    answered.add(since);
                }
            }
        }
    }

    /** Forgets the latencies so far, but no error. */
    void forget() {
        all.values().forEach(Histogram::reset);
    }

    /** Returns the calls of the last look. */
    long calls() {
        return calls;
    }

    /** Returns the latencies of the last look, of calls that have an answer. */
    Histogram answered() {
        return answered;
    }

    /** Returns the latencies of a call. */
    Histogram of(Call call) {
        return all.get(call);
    }

    /** Returns how many calls of a kind failed. */
    long errors(Call call) {
        return logs.stream().mapToLong(log -> log.errors(call)).sum();
    }

    /** Returns how many calls failed. */
    long errors() {
        return statuses().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the failed calls for each status. */
    Map<Status, Long> statuses() {
        Map<Status, Long> sum = new TreeMap<>();
        logs.forEach(log -> log.statuses().forEach((status, count) -> sum.merge(status, count, Long::sum)));
        return sum;
    }
}
