package org.jvrpc.runtime.health;

import java.util.function.LongSupplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.ServingStatus;

/**
 * Whether one of a client's servers says that it can serve, and when to ask it again. A state machine: the caller
 * passes the time in. Changed under the client's lock, read by any thread.
 */
public final class Checkup {

    private static final double JITTER = 0.1;

    private enum Standing { UNASKED, WELL, ILL }

    /** Null where nobody asks. */
    private final HealthOptions options;
    private final LongSupplier random;
    private volatile Standing standing;
    private volatile String reason = "";
    /** Null while there is no connection, or its server has no such service. */
    private HealthProbe probe;
    private boolean asking;
    private long nextNs;

    /**
     * @param options what to ask; null for nothing, and the server is well
     * @param random bits for the jitter
     */
    public Checkup(HealthOptions options, LongSupplier random) {
        this.options = options;
        this.random = random;
        this.standing = start();
    }

    private Standing start() {
        return options == null ? Standing.WELL : Standing.UNASKED;
    }

    public boolean isOn() {
        return options != null;
    }

    /** Returns true once it has answered, or failed to. */
    public boolean isKnown() {
        return standing != Standing.UNASKED;
    }

    /** Returns true when calls may go there. */
    public boolean isWell() {
        return standing == Standing.WELL;
    }

    /** Returns why it is not well. */
    public String reason() {
        return reason;
    }

    /** There is a connection: it is to be asked at once. */
    public void begin(HealthProbe fresh, long nowNs) {
        end();
        if (options != null) {
            probe = fresh;
            nextNs = nowNs;
        }
    }

    /** There is no connection any more: nothing is known of the next one. */
    public void end() {
        standing = start();
        reason = "";
        probe = null;
        asking = false;
    }

    /** Returns what to ask by, once its time has come: the caller alone is to ask, and says what came of it. */
    public HealthProbe tryAsk(long nowNs) {
        if (waitNs(nowNs) > 0) {
            return null;
        }
        asking = true;
        return probe;
    }

    /** Returns how long it need not be asked; for ever while somebody does. */
    public long waitNs(long nowNs) {
        return probe == null || asking ? Long.MAX_VALUE : Math.max(0, nextNs - nowNs);
    }

    /**
     * What came of it; of no matter where the connection is another by now.
     *
     * @param status null where it failed
     * @param failure null where it did not
     */
    public void answered(HealthProbe asked, ServingStatus status, RpcException failure, long nowNs) {
        if (probe != asked) {
            return;
        }
        asking = false;
        double lot = (random.getAsLong() >>> 11) * 0x1p-52 - 1; // from -1, evenly, to 1
        nextNs = nowNs + (long) (options.periodNs() * (1 + JITTER * lot));
        if (failure != null && failure.status() == Status.UNIMPLEMENTED) {
            probe = null; // an old server, which this process stays
        }
        boolean well = failure == null ? status == ServingStatus.SERVING : failure.status() == Status.UNIMPLEMENTED;
        reason = well ? "" : failure == null ? "it says that " + options.subject() + " is " + status
                : "its health check failed: " + failure.status() + ": " + failure.getMessage();
        standing = well ? Standing.WELL : Standing.ILL;
    }
}
