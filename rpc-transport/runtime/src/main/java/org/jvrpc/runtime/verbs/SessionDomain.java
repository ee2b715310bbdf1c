package org.jvrpc.runtime.verbs;

import java.util.function.LongConsumer;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/**
 * The protection domain of one session, so that no key of it opens anything to another, and its share of what the
 * server's sessions may cost. The domain ends when it is closed and the last region of it is. Any thread.
 */
public final class SessionDomain implements LinkRegion.Source, AutoCloseable {

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

    /** Returns where the first region of the session's link comes from, which was paid for when it was admitted. */
    LinkRegion.Source ofLink() {
        return new LinkRegion.Source() {

            @Override
            public MemoryRegion allocate(long bytes) {
                return pd.allocate(bytes, Access.LOCAL_WRITE);
            }

            @Override
            public void free(MemoryRegion region) {
                region.close();
            }
        };
    }

    /** Allocates memory for more slots; fails as {@link #allocateBody} does. */
    @Override
    public MemoryRegion allocate(long bytes) {
        if (share != null) {
            share.takeSlots(bytes);
        }
        return allocate(bytes, Access.LOCAL_WRITE, this::giveSlots);
    }

    private void giveSlots(long bytes) {
        if (share != null) {
            share.giveSlots(bytes);
        }
    }

    @Override
    public void free(MemoryRegion region) {
        region.close();
        giveSlots(region.length());
        regionFreed();
    }

    /**
     * Allocates memory for bodies.
     *
     * @throws org.jvrpc.api.RpcException RESOURCE_EXHAUSTED when the session or the server has used up its share
     * @throws org.jvrpc.verbs.VerbsException when there is no memory, and after the end of the session
     */
    MemoryRegion allocateBody(long bytes, int access) {
        if (share != null) {
            share.takeBody(bytes);
        }
        return allocate(bytes, access, this::giveBody);
    }

    private void giveBody(long bytes) {
        if (share != null) {
            share.giveBody(bytes);
        }
    }

    private MemoryRegion allocate(long bytes, int access, LongConsumer giveBack) {
        if (!count()) {
            giveBack.accept(bytes);
            throw new VerbsException("reg_mr", "session is over");
        }
        try {
            return pd.allocate(bytes, access);
        } catch (RuntimeException | Error e) {
            giveBack.accept(bytes);
            regionFreed();
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

    void freeBody(MemoryRegion region) {
        region.close();
        giveBody(region.length());
        regionFreed();
    }

    private void regionFreed() {
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
