package org.jvrpc.runtime.offload;

import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.thread.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of a client to the program that answers one method. Many threads. */
public final class MethodLookups {

    private static final Logger LOG = LoggerFactory.getLogger(MethodLookups.class);
    private static final long FIRST_BACKOFF_NS = 10_000_000;
    private static final long LAST_BACKOFF_NS = 5_000_000_000L;

    private final OffloadConnector connector;
    private final MethodOffer offer;
    private final long waitNs;
    private final OffloadedCall[] calls;

    /** @param connections a power of two */
    MethodLookups(OffloadConnector connector, MethodOffer offer, int connections, long waitNs) {
        this.connector = connector;
        this.offer = offer;
        this.waitNs = waitNs;
        this.calls = new OffloadedCall[connections];
        for (int i = 0; i < connections; i++) {
            calls[i] = new OffloadedCall(this);
        }
    }

    boolean isFor(MethodOffer other) {
        return offer.equals(other);
    }

    Clock clock() {
        return connector.clock();
    }

    /** Returns how long a program is waited for; 0: see {@link ProgramWait}. */
    long waitNs() {
        return waitNs;
    }

    /**
     * Claims a connection, the same one for the same thread where it is free; null when all are busy or none is there,
     * which is mended meanwhile.
     */
    public OffloadedCall claim() {
        OffloadedCall own = calls[(int) Thread.currentThread().getId() & calls.length - 1];
        return own.tryClaim() ? own : claimAny(own);
    }

    private OffloadedCall claimAny(OffloadedCall own) {
        if (own.tryJoin()) {
            connector.join(own);
        }
        for (OffloadedCall call : calls) {
            if (call.tryClaim()) {
                return call;
            }
        }
        return null;
    }

    /** Has nobody claim a connection any more. @return false while somebody has one */
    boolean retire() {
        boolean all = true;
        for (OffloadedCall call : calls) {
            all &= call.retire();
        }
        return all;
    }

    OffloadClient connect() {
        return connector.connect(offer);
    }

    void log(RuntimeException failure) {
        LOG.debug("no program of {} at {}: {}", offer.name(), offer.address(), failure.getMessage());
    }

    /** Returns how long to wait before the attempt after this one: longer each time, unless the last one held long. */
    long backoffNs(long lastNs, long heldNs) {
        return lastNs == 0 || heldNs > LAST_BACKOFF_NS ? FIRST_BACKOFF_NS : Math.min(2 * lastNs, LAST_BACKOFF_NS);
    }

    /** Returns how many calls programs answered. */
    long answered() {
        long sum = 0;
        for (OffloadedCall call : calls) {
            sum += call.answered();
        }
        return sum;
    }
}
