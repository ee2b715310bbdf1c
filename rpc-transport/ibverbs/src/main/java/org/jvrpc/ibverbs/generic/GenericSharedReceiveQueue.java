package org.jvrpc.ibverbs.generic;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.ibverbs.binding.Layouts.Srq;
import org.jvrpc.ibverbs.binding.Layouts.SrqInitAttr;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.Gate;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** An SRQ that libibverbs made. One thread at a time posts; polls of all its QPs' CQs complete, on their threads. */
final class GenericSharedReceiveQueue implements SharedReceiveQueue {

    private static final int END = -1;

    private final GenericDriver driver;
    private final RdmaDomain domain;
    private final int maxSge;
    private final int serial;
    private final int depth;
    private final long id;
    private final long srq;
    private final int number;
    private final Gate gate = new Gate();
    private final long[] wrIds;
    /** The free places as a stack: of each the one below. */
    private final int[] below;
    /** {@code changes:32 | uppermost:32}: the count keeps a stale compare-and-set from succeeding. */
    private final AtomicLong top = new AtomicLong();
    private int users;
    private boolean closed;

    GenericSharedReceiveQueue(
            GenericDriver driver, RdmaDomain domain, SharedReceiveQueueAttributes attributes, int serial) {
        this.driver = driver;
        this.domain = domain;
        this.maxSge = attributes.maxSge();
        this.serial = serial;
        int round = GenericDriver.roundUp(attributes.maxWr());
        this.depth = round > domain.context().limits().maxSrqWr() ? attributes.maxWr() : round;
        this.id = WrId.of(WrId.RECEIVE | WrId.SHARED, serial);
        this.wrIds = new long[depth];
        this.below = new int[depth];
        for (int i = 0; i < depth; i++) {
            below[i] = i + 1 < depth ? i + 1 : END;
        }
        Native init = Native.allocate(SrqInitAttr.BYTES)
                .putInt(SrqInitAttr.MAX_WR, depth)
                .putInt(SrqInitAttr.MAX_SGE, maxSge);
        this.srq = domain.context().lib().ibv_create_srq(domain.address(), init.address());
        Reference.reachabilityFence(init);
        if (srq == 0) {
            throw NativeException.last("create_srq", "device=" + domain.context().name() + " maxWr="
                    + attributes.maxWr() + " maxSge=" + maxSge);
        }
        this.number = Native.intAt(srq + Srq.HANDLE);
    }

    GenericDriver driver() {
        return driver;
    }

    RdmaDomain domain() {
        return domain;
    }

    long address() {
        return srq;
    }

    int serial() {
        return serial;
    }

    int maxSge() {
        return maxSge;
    }

    Gate gate() {
        return gate;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public PostReceive prepareReceive(ReceiveRequest... requests) {
        return new GenericPostSharedReceive(this, requests);
    }

    /** Takes a place and notes the user's id; returns its {@code wr_id}, or 0 when there is none. One thread. */
    long stamp(long wrId) {
        long now = top.get();
        while ((int) now != END) {
            if (top.compareAndSet(now, change(now, below[(int) now]))) {
                wrIds[(int) now] = wrId;
                return WrId.place(id, (int) now);
            }
            now = top.get();
        }
        return 0;
    }

    private static long change(long old, int uppermost) {
        return (old >>> 32) + 1 << 32 | uppermost & 0xffffffffL;
    }

    /** Returns the user's id of a completed receive, and gives its place back. Any thread that polls. */
    long complete(int place) {
        VarHandle.acquireFence();
        long wrId = wrIds[place];
        giveBack(place);
        return wrId;
    }

    /** Gives a place back whose WR was refused. */
    void giveBack(int place) {
        long now;
        do {
            now = top.get();
            below[place] = (int) now;
        } while (!top.compareAndSet(now, change(now, place)));
    }

    synchronized void attach() {
        if (closed) {
            throw new VerbsException("create_qp", "shared receive queue is closed, number=" + number);
        }
        users++;
    }

    synchronized void detach() {
        users--;
    }

    @Override
    public void close() {
        domain.context().whileOpen(this::end);
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        if (users > 0) {
            throw new VerbsException("destroy_srq", "number=" + number + " is used by queue pairs=" + users);
        }
        closed = true;
        gate.close();
        domain.context().lib().ibv_destroy_srq(srq);
        driver.forget(this);
        domain.abandon();
    }
}
