package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/**
 * The protection domain of one session, so that no key of it opens anything to another, and its share of what the
 * server's sessions may cost. The domain ends when it is closed and the last region of it is. Any thread.
 */
public final class SessionDomain implements AutoCloseable {

    private final ProtectionDomain pd;
    private final SessionBudget.Share share;
    private int regions;
    private boolean closed;
    private boolean ended;

    /** @param share null for a client, whose sessions are its own affair */
    public SessionDomain(Device device, SessionBudget.Share share) {
        this.pd = device.allocatePd();
        this.share = share;
    }

    /** Returns the domain, for the session's link, which is closed before this. */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * Allocates memory for bodies.
     *
     * @throws org.jvrpc.api.RpcException RESOURCE_EXHAUSTED when the session or the server has used up its share
     * @throws org.jvrpc.verbs.VerbsException when there is no memory, and after the end of the session
     */
    MemoryRegion allocate(long bytes, int access) {
        if (share != null) {
            share.takeBody(bytes);
        }
        if (!count()) {
            if (share != null) {
                share.giveBody(bytes);
            }
            throw new VerbsException("reg_mr", "session is over");
        }
        try {
            return pd.allocate(bytes, access);
        } catch (RuntimeException | Error e) {
            freed(bytes);
            throw e;
        }
    }

    /** Counts a region that is to be made; false at the end, when nobody waits for one any more to end the domain. */
    private synchronized boolean count() {
        if (!closed) {
            regions++;
        }
        return !closed;
    }

    void free(MemoryRegion region) {
        region.close();
        freed(region.length());
    }

    private void freed(long bytes) {
        if (share != null) {
            share.giveBody(bytes);
        }
        boolean last;
        synchronized (this) {
            regions--;
            last = closed && regions == 0;
        }
        if (last) {
            end();
        }
    }

    /** Returns true when memory that is not used is better given back than kept. */
    boolean isScarce() {
        return share != null && share.isScarce();
    }

    @Override
    public void close() {
        boolean last;
        synchronized (this) {
            last = !closed && regions == 0;
            closed = true;
        }
        if (last) {
            end();
        }
    }

    private void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        try {
            pd.close();
        } finally {
            if (share != null) {
                share.close();
            }
        }
    }
}
