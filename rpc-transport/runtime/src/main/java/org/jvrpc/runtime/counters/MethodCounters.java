package org.jvrpc.runtime.counters;

import java.util.Arrays;
import org.jvrpc.api.Status;

/** What calls of a method counted, at one client or server. Calls count once, when they end. Immutable. */
public final class MethodCounters {

    private final String service;
    private final String method;
    private final long succeeded;
    private final long[] failures;
    private final long thrown;
    private final long bytesIn;
    private final long bytesOut;
    private final LatencyHistogram latencies;

    /** @param failures by {@link Status#code()}, 17 of them; copied */
    public MethodCounters(String service, String method, long succeeded, long[] failures, long thrown, long bytesIn,
            long bytesOut, LatencyHistogram latencies) {
        this.service = service;
        this.method = method;
        this.succeeded = succeeded;
        this.failures = Arrays.copyOf(failures, CounterLayout.STATUSES);
        this.thrown = thrown;
        this.bytesIn = bytesIn;
        this.bytesOut = bytesOut;
        this.latencies = latencies;
    }

    /** Returns the service's name on the wire; empty for calls whose method the server does not know. */
    public String service() {
        return service;
    }

    /** Returns the method's name; {@code _OTHER} for those that the server does not know. */
    public String method() {
        return method;
    }

    /** Returns the calls that have ended, whichever way. */
    public long calls() {
        return succeeded + failed();
    }

    /** Returns those that returned; of one-way calls those that were sent, and at a server those that were handled. */
    public long succeeded() {
        return succeeded;
    }

    /** Returns those that ended with another status than OK or with a declared exception. */
    public long failed() {
        return Arrays.stream(failures).sum() + thrown;
    }

    /** Returns those that ended with a status; those with OK are {@link #succeeded}, without declared exceptions. */
    public long ended(Status status) {
        return status == Status.OK ? succeeded : failures[status.code()];
    }

    /** Returns those that ended with a declared exception. */
    public long thrown() {
        return thrown;
    }

    /** Returns the bytes of bodies that came: of answers at a client, of arguments at a server. */
    public long bytesIn() {
        return bytesIn;
    }

    /** Returns the bytes of bodies that left. */
    public long bytesOut() {
        return bytesOut;
    }

    /**
     * Returns how long calls took that were answered: at a client from the sending of the request to the arrival of the
     * answer, at a server from the arrival to the sending. By memory of one host it is a sample of them, weighted so
     * that its count is about theirs.
     */
    public LatencyHistogram latencies() {
        return latencies;
    }
}
