package org.jvrpc.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;
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
    /**
     * Bodies of one size are used in turn, and more are made until there are so many of them, or so many bytes of all
     * sizes: to write what lies in the peer's cache of level 2 takes several times as long as what has left it.
     */
    private static final int TURN_BODIES = 64;
    private static final long TURN_BYTES = 4L << 20;

    private final ProtectionDomain pd;
    private final List<ArrayDeque<Body>> free = new ArrayList<>();
    private final int[] alive = new int[CLASSES];
    private long aliveBytes;
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
            ArrayDeque<Body> bodies = free.get(sizeClass);
            if (!bodies.isEmpty() && !mayGrow(sizeClass)) {
                Body body = bodies.pollFirst();
                kept -= body.capacity();
                return body;
            }
            count(sizeClass, 1);
        }
        return make(sizeClass, bytes);
    }

    private boolean mayGrow(int sizeClass) {
        return alive[sizeClass] < TURN_BODIES && aliveBytes + bytes(sizeClass) <= TURN_BYTES;
    }

    private static long bytes(int sizeClass) {
        return 1L << sizeClass + MIN_SHIFT;
    }

    private void count(int sizeClass, int more) {
        alive[sizeClass] += more;
        aliveBytes += more * bytes(sizeClass);
    }

    private Body make(int sizeClass, long bytes) {
        try {
            return new Body(pd.allocate(bytes(sizeClass), Access.LOCAL_WRITE | Access.REMOTE_READ));
        } catch (VerbsException | OutOfMemoryError e) {
            synchronized (this) {
                count(sizeClass, -1);
                if (closed) {
                    throw new RpcException(Status.UNAVAILABLE, "session is over", e);
                }
                Body body = free.get(sizeClass).pollFirst();
                if (body != null) {
                    kept -= body.capacity();
                    return body;
                }
            }
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory for a body of bytes=" + bytes + ": "
                    + e.getMessage(), e);
        }
    }

    /**
     * Moves what was written to memory for {@code needed} bytes more.
     *
     * @param old what the writer was moved to before, or null
     * @param what begins the message of the failure
     * @param method or null where none is known
     * @throws RpcException RESOURCE_EXHAUSTED beyond the limit, or when there is no memory
     */
    Body grow(WireWriter writer, int needed, Body old, long limit, String what, MethodDescriptor method) {
        long wanted = (long) writer.length() + needed;
        if (wanted > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, what + " longer than the limit: bytes=" + wanted
                    + " limit=" + limit + (method == null ? "" : " method=" + method.fullName()));
        }
        Body body = take(old == null ? wanted : Math.min(Math.max(wanted, 2L * old.capacity()), limit));
        writer.moveTo(body.buffer(), 0, (int) Math.min(body.capacity(), limit));
        if (old != null) {
            give(old);
        }
        return body;
    }

    /** Gives memory back. */
    void give(Body body) {
        synchronized (this) {
            if (!closed && kept + body.capacity() <= KEEP_BYTES) {
                kept += body.capacity();
                free.get(sizeClass(body.capacity())).addLast(body);
                return;
            }
            count(sizeClass(body.capacity()), -1);
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
