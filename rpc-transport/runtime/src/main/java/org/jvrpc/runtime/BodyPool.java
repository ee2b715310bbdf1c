package org.jvrpc.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/**
 * Memory for long bodies, in sizes of powers of two; keeps some of what comes back, because making and zeroing it costs
 * more than a call. Any thread.
 */
final class BodyPool implements AutoCloseable {

    private static final int MIN_SHIFT = 14;
    private static final int CLASSES = 31 - MIN_SHIFT;
    private static final long KEEP_BYTES = 64L << 20;

    private final ProtectionDomain pd;
    private final List<ArrayDeque<Body>> free = new ArrayList<>();
    private long kept;
    private boolean closed;

    BodyPool(ProtectionDomain pd) {
        this.pd = pd;
        for (int i = 0; i < CLASSES; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    private static int sizeClass(long bytes) {
        return Math.max(0, 64 - Long.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    /**
     * Takes memory for at least so many bytes, at most {@link Settings#MAX_BODY_BYTES}.
     *
     * @throws RpcException RESOURCE_EXHAUSTED when there is none
     */
    Body take(long bytes) {
        int sizeClass = sizeClass(Math.max(bytes, 1));
        synchronized (this) {
            Body body = free.get(sizeClass).pollLast();
            if (body != null) {
                kept -= body.capacity();
                return body;
            }
        }
        try {
            return new Body(pd.allocate(1L << sizeClass + MIN_SHIFT, Access.LOCAL_WRITE | Access.REMOTE_READ));
        } catch (VerbsException | OutOfMemoryError e) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory for a body of bytes=" + bytes + ": "
                    + e.getMessage(), e);
        }
    }

    /** Gives memory back. */
    void give(Body body) {
        synchronized (this) {
            if (!closed && kept + body.capacity() <= KEEP_BYTES) {
                kept += body.capacity();
                free.get(sizeClass(body.capacity())).addLast(body);
                return;
            }
        }
        body.mr().close();
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (ArrayDeque<Body> bodies : free) {
            bodies.forEach(body -> body.mr().close());
            bodies.clear();
        }
        kept = 0;
    }
}
