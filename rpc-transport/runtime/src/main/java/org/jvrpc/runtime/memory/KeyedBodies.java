package org.jvrpc.runtime.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.SessionBudget;

/**
 * Memory for the long bodies of one session, in sizes of powers of two; some of what comes back is kept, as making it
 * costs more than a call. The peer may fetch what it was told of, also when that was given back, until it is used again
 * or dropped: it was that peer's. Any thread.
 */
public final class KeyedBodies implements Bodies {

    private static final int MIN_SHIFT = 14;
    private static final int CLASSES = 31 - MIN_SHIFT;
    private static final long KEEP_BYTES = 64L << 20;

    private final SessionBudget.Share share;
    private final List<ArrayDeque<KeyedBody>> free = new ArrayList<>();
    private final Map<Integer, KeyedBody> all = new HashMap<>();
    private int keys;
    private int taken;
    private long keptBytes;
    private boolean closed;

    /** @param share null for a client, whose sessions are its own affair; closed with this */
    public KeyedBodies(SessionBudget.Share share) {
        this.share = share;
        for (int i = 0; i <= CLASSES; i++) {
            free.add(null); // most sessions have none of any
        }
    }

    private static int sizeClass(long bytes) {
        return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    @Override
    public KeyedBody take(long bytes) {
        return take(bytes, true);
    }

    @Override
    public KeyedBody takeForFetch(long bytes) {
        return take(bytes, false);
    }

    private KeyedBody take(long bytes, boolean sent) {
        int size = sizeClass(Math.max(1, bytes));
        KeyedBody body = reuse(size, sent);
        return body != null ? body : make(size, bytes, sent);
    }

    @Override
    public KeyedBody reuseForFetch(long bytes) {
        return reuse(sizeClass(Math.max(1, bytes)), false);
    }

    private synchronized KeyedBody reuse(int size, boolean sent) {
        ArrayDeque<KeyedBody> some = free.get(size);
        KeyedBody body = some == null ? null : some.pollLast();
        if (body != null) {
            body.beginAt(0);
            body.fetchable(sent);
            keptBytes -= body.capacity();
            taken++;
        }
        return body;
    }

    /** Makes one, without the lock: its zeros take time. */
    private KeyedBody make(int size, long wanted, boolean sent) {
        int capacity = (int) Math.min(1L << size + MIN_SHIFT, Integer.MAX_VALUE - Long.BYTES);
        int key = begin(capacity);
        KeyedBody made;
        try {
            made = new KeyedBody(key, capacity);
        } catch (OutOfMemoryError e) {
            gone(capacity);
            throw new RpcException(Status.RESOURCE_EXHAUSTED,
                    "no memory for a body of bytes=" + wanted + ": " + e.getMessage(), e);
        }
        made.fetchable(sent);
        synchronized (this) {
            all.put(key, made);
        }
        return made;
    }

    private int begin(int capacity) {
        synchronized (this) {
            if (closed) {
                throw new RpcException(Status.UNAVAILABLE, "session is over");
            }
            taken++;
        }
        try {
            if (share != null) {
                makeRoom(capacity);
            }
        } catch (RpcException e) {
            uncount();
            throw e;
        }
        synchronized (this) {
            return ++keys;
        }
    }

    private void makeRoom(int capacity) {
        try {
            share.takeBody(capacity);
        } catch (RpcException e) {
            if (dropKept() == 0) {
                throw e;
            }
            share.takeBody(capacity);
        }
    }

    private long dropKept() {
        long bytes = 0;
        synchronized (this) {
            for (ArrayDeque<KeyedBody> some : free) {
                for (KeyedBody body = some == null ? null : some.poll(); body != null; body = some.poll()) {
                    all.remove(body.key());
                    bytes += body.capacity();
                }
            }
            keptBytes = 0;
        }
        if (share != null && bytes > 0) {
            share.giveBody(bytes);
        }
        return bytes;
    }

    @Override
    public void give(Body given) {
        KeyedBody body = (KeyedBody) given;
        boolean kept;
        synchronized (this) {
            kept = !closed && keptBytes + body.capacity() <= KEEP_BYTES && (share == null || !share.isScarce());
            if (kept) {
                int size = sizeClass(body.capacity());
                if (free.get(size) == null) {
                    free.set(size, new ArrayDeque<>());
                }
                free.get(size).add(body);
                keptBytes += body.capacity();
            } else {
                all.remove(body.key());
            }
        }
        if (kept) {
            uncount();
        } else {
            gone(body.capacity());
        }
    }

    private void gone(int capacity) {
        if (share != null) {
            share.giveBody(capacity);
        }
        uncount();
    }

    /** One more is nobody's; the last of a session that is closed ends its share. */
    private void uncount() {
        boolean last;
        synchronized (this) {
            last = --taken == 0 && closed;
        }
        if (last) {
            end();
        }
    }

    private void end() {
        if (share != null) {
            share.close();
        }
    }

    /** Returns what the peer may fetch a part of, by what it said; null when there is no such part. */
    public synchronized KeyedBody find(int key, long source, int length) {
        KeyedBody body = all.get(key);
        boolean fits = body != null && body.isFetchable() && length >= 0 && source >= 0
                && source <= (long) body.capacity() - length;
        return fits ? body : null;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            taken++; // so that nobody who gives one back ends the share meanwhile
        }
        dropKept();
        uncount();
    }
}
