package org.jvrpc.micrometer;

import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.MethodCounters;

/** What the calls of a method counted at all clients, or servers, of an address. Immutable. */
final class MethodTotals {

    static final MethodTotals NONE = new MethodTotals(new long[Status.values().length], 0, 0, 0,
            LatencyHistogram.EMPTY);

    private final long[] ended;
    private final long thrown;
    private final long received;
    private final long sent;
    private final LatencyHistogram latencies;

    private MethodTotals(long[] ended, long thrown, long received, long sent, LatencyHistogram latencies) {
        this.ended = ended;
        this.thrown = thrown;
        this.received = received;
        this.sent = sent;
        this.latencies = latencies;
    }

    MethodTotals plus(MethodCounters more) {
        long[] all = ended.clone();
        for (Status status : Status.values()) {
            all[status.code()] += more.ended(status);
        }
        return new MethodTotals(all, thrown + more.thrown(), received + more.bytesIn(), sent + more.bytesOut(),
                latencies.plus(more.latencies()));
    }

    long ended(Status status) {
        return ended[status.code()];
    }

    long thrown() {
        return thrown;
    }

    long received() {
        return received;
    }

    long sent() {
        return sent;
    }

    LatencyHistogram latencies() {
        return latencies;
    }
}
