package org.jvrpc.runtime.counters.totals;

import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.MethodCounters;

/** What the calls of a method counted at all clients, or servers, of an address. Immutable. */
public final class MethodTotals {

    /** The {@code error.type} of a call that ended by an exception that its method declares: its status is OK. */
    public static final String DECLARED = "declared_exception";
    /** Of a method that nobody called. */
    public static final MethodTotals NONE = new MethodTotals(new long[Status.values().length], 0, 0, 0,
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

    /** Returns the calls that ended with a status; those with OK returned. */
    public long ended(Status status) {
        return ended[status.code()];
    }

    /** Returns those that ended with a declared exception. */
    public long thrown() {
        return thrown;
    }

    /** Returns the bytes of bodies that came. */
    public long received() {
        return received;
    }

    /** Returns the bytes of bodies that left. */
    public long sent() {
        return sent;
    }

    /** Returns how long calls took that were answered. */
    public LatencyHistogram latencies() {
        return latencies;
    }
}
