package org.jvrpc.runtime.verbs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.rare.Rare;

/**
 * Bodies with the same rights of one session, in sizes of powers of two, cut from regions of 1 MiB, of which a device
 * has few; longer ones have a region each. Keeps some of what comes back, because making and zeroing it costs more than
 * a call. Any thread.
 */
final class BodyShelf {

    private static final int MIN_SHIFT = 14;
    private static final int CLASSES = 31 - MIN_SHIFT;
    private static final long SLAB_BYTES = 1L << 20;
    private static final long KEEP_BYTES = 64L << 20;
    /**
     * Bodies of one size are used in turn, and more are made until there are so many of them, or so many bytes of all
     * sizes: to write what lies in the peer's cache of level 2 takes several times as long as what has left it.
     */
    private static final int TURN_BODIES = 64;
    private static final long TURN_BYTES = 4L << 20;

    private final SessionDomain domain;
    private final int access;
    private final boolean inTurn;
    private final List<ArrayDeque<RegionBody>> free = new ArrayList<>();
    private final List<Slab> slabs = new ArrayList<>();
    private final int[] alive = new int[CLASSES];
    private long aliveBytes;
    /** Of regions no body of which is taken. */
    private long unusedBytes;
    private boolean closed;

    /** A region that bodies are cut from, front to back. */
    static final class Slab {

        private final MemoryRegion mr;
        private final List<RegionBody> bodies = new ArrayList<>();
        private long used;
        private int out;

        Slab(MemoryRegion mr) {
            this.mr = mr;
        }

        MemoryRegion mr() {
            return mr;
        }
    }

    /** @param inTurn false where the peer never has what lies there in its cache: what was used last is best */
    BodyShelf(SessionDomain domain, int access, boolean inTurn) {
        this.domain = domain;
        this.inTurn = inTurn;
        this.access = access;
    }

    /** Returns the free ones of a size. Most sessions have none of any. */
    private ArrayDeque<RegionBody> free(int sizeClass) {
        while (free.size() <= sizeClass) {
            free.add(new ArrayDeque<>());
        }
        return free.get(sizeClass);
    }

    private static int sizeClass(long bytes) {
        return Math.max(0, 64 - Long.numberOfLeadingZeros(bytes - 1) - MIN_SHIFT);
    }

    private static long bytes(int sizeClass) {
        return 1L << sizeClass + MIN_SHIFT;
    }

    /** @throws RpcException RESOURCE_EXHAUSTED when there is no memory, UNAVAILABLE after the end of the session */
    RegionBody take(long wanted) {
        RegionBody body = takeMade(wanted);
        return body != null ? body : make(sizeClass(Math.max(wanted, 1)), wanted);
    }

    /** As {@link #take}, where a region need not be made; else null. */
    synchronized RegionBody takeMade(long wanted) {
        int sizeClass = sizeClass(Math.max(wanted, 1));
        boolean reuses = !free(sizeClass).isEmpty() && !mayGrow(sizeClass);
        return reuses ? reuse(sizeClass) : cutFromAny(sizeClass);
    }

    private boolean mayGrow(int sizeClass) {
        return inTurn && alive[sizeClass] < TURN_BODIES && aliveBytes + bytes(sizeClass) <= TURN_BYTES;
    }

    private void count(RegionBody body, int more) {
        alive[sizeClass(body.capacity())] += more;
        aliveBytes += (long) more * body.capacity();
    }

    private RegionBody reuse(int sizeClass) {
        ArrayDeque<RegionBody> some = free(sizeClass);
        RegionBody body = inTurn ? some.pollFirst() : some.pollLast();
        if (body != null) {
            use(body.slab());
        }
        return body;
    }

    private void use(Slab slab) {
        if (slab.out++ == 0) {
            unusedBytes -= slab.mr.length();
        }
    }

    private RegionBody cutFromAny(int sizeClass) {
        for (Slab slab : slabs) {
            if (slab.mr.length() - slab.used >= bytes(sizeClass)) {
                return cut(slab, sizeClass);
            }
        }
        return null;
    }

    private RegionBody cut(Slab slab, int sizeClass) {
        RegionBody body = new RegionBody(this, slab, slab.used, (int) bytes(sizeClass));
        slab.used += body.capacity();
        use(slab);
        slab.bodies.add(body);
        count(body, 1);
        return body;
    }

    /** Makes a region, without the lock: its zeros take time. */
    private RegionBody make(int sizeClass, long wanted) {
        MemoryRegion mr;
        try {
            mr = allocate(Math.max(SLAB_BYTES, bytes(sizeClass)));
        } catch (RpcException | VerbsException | OutOfMemoryError e) {
            return makeDo(sizeClass, wanted, e);
        }
        synchronized (this) {
            if (!closed) {
                Slab slab = new Slab(mr);
                slabs.add(slab);
                unusedBytes += mr.length();
                return cut(slab, sizeClass);
            }
        }
        domain.freeBody(mr);
        throw over(null);
    }

    private MemoryRegion allocate(long length) {
        try {
            return domain.allocateBody(length, access);
        } catch (RpcException | VerbsException | OutOfMemoryError e) {
            List<Slab> unused = dropUnused();
            if (unused.isEmpty()) {
                throw e;
            }
            Rare.reached("bodies make room for others");
            unused.forEach(slab -> domain.freeBody(slab.mr));
            return domain.allocateBody(length, access);
        }
    }

    /** There is no memory to make a body of: perhaps one came back meanwhile. */
    private synchronized RegionBody makeDo(int sizeClass, long wanted, Throwable cause) {
        RegionBody body = reuse(sizeClass);
        if (body != null) {
            return body;
        }
        if (closed) {
            throw over(cause);
        }
        throw new RpcException(ClientDevice.statusOf(cause),
                "no memory for a body of bytes=" + wanted + ": " + cause.getMessage(), cause);
    }

    private static RpcException over(Throwable cause) {
        Rare.reached("a body is wanted after the end");
        return new RpcException(Status.UNAVAILABLE, "session is over", cause);
    }

    /** Takes one of its bodies back. */
    void give(RegionBody body) {
        Slab slab = body.slab();
        synchronized (this) {
            free(sizeClass(body.capacity())).addLast(body);
            if (--slab.out > 0) {
                return;
            }
            unusedBytes += slab.mr.length();
            if (!closed && unusedBytes <= KEEP_BYTES && !domain.isScarce()) {
                return;
            }
            drop(slab);
        }
        domain.freeBody(slab.mr);
    }

    private void drop(Slab slab) {
        slabs.remove(slab);
        unusedBytes -= slab.mr.length();
        for (RegionBody body : slab.bodies) {
            count(body, -1);
            free(sizeClass(body.capacity())).remove(body);
        }
    }

    private synchronized List<Slab> dropUnused() {
        List<Slab> unused = new ArrayList<>(slabs);
        unused.removeIf(slab -> slab.out > 0);
        unused.forEach(this::drop);
        return unused;
    }

    /** Gives back what nobody has; the rest goes when it is given back. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        dropUnused().forEach(slab -> domain.freeBody(slab.mr));
    }
}
