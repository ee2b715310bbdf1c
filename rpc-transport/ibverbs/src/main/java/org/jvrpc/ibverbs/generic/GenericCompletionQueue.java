package org.jvrpc.ibverbs.generic;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.ibverbs.binding.Layouts.Cq;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.Ops;
import org.jvrpc.ibverbs.binding.WorkLayouts.Wc;
import org.jvrpc.ibverbs.core.CompletionSink;
import org.jvrpc.ibverbs.core.Gate;
import org.jvrpc.ibverbs.core.IdleWatch;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RxeWords;
import org.jvrpc.ibverbs.core.WcReader;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A CQ polled by libibverbs, several completions at a time. The device's own queue is deeper: when more come at a time
 * than this one holds, it overran; a long one is found overrun when the device says so. One thread at a time polls.
 */
final class GenericCompletionQueue implements CompletionQueue, CompletionSink {

    private static final int BATCH = 32;

    private final GenericDriver driver;
    private final RdmaContext context;
    private final Ops ops;
    private final long cq;
    private final int depth;
    private final int number;
    private final boolean exclusive;
    /** True when a queue reported here that is gone. */
    private boolean served;
    private final RdmaEventChannel channel;
    private final Native batch = Native.allocate(BATCH * Wc.BYTES);
    private final ByteBuffer completions = batch.buffer();
    private final QpTable qps = new QpTable();
    private final Gate gate = new Gate();
    private final IdleWatch idle = new IdleWatch();
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicInteger events = new AtomicInteger();
    private GenericQueuePair last;
    private int taken;
    private int found;
    private final Queue<GenericQueuePair> losing = new ConcurrentLinkedQueue<>();
    private volatile boolean overrun;
    private int asked;
    private int users;
    private boolean closed;

    GenericCompletionQueue(GenericDriver driver, CompletionQueueAttributes attributes) {
        this.driver = driver;
        this.context = driver.context();
        this.ops = context.ops();
        this.exclusive = attributes.exclusive();
        this.channel = (RdmaEventChannel) attributes.channel();
        this.depth = GenericDriver.roundUp(attributes.depth());
        this.cq = context.lib().ibv_create_cq(context.address(), Math.min(depth + 1, context.limits().maxCqe()), 0,
                channel == null ? 0 : channel.address(), 0);
        if (cq == 0) {
            throw NativeException.last("create_cq", "device=" + context.name() + " depth=" + depth + " limit="
                    + context.limits().maxCqe());
        }
        this.number = Native.intAt(cq + Cq.HANDLE);
    }

    /** Begins to hear of its events. */
    GenericCompletionQueue listen() {
        if (channel != null) {
            try {
                channel.register(cq, this); // the user handle that libibverbs gives a CQ is its address
            } catch (VerbsException e) {
                context.lib().ibv_destroy_cq(cq);
                throw e;
            }
            driver.events().watch(channel);
        }
        return this;
    }

    GenericDriver driver() {
        return driver;
    }

    long address() {
        return cq;
    }

    @Override
    public boolean poll(WorkCompletion wc) {
        while (taken < found || refill()) {
            if (take(taken++ * Wc.BYTES, wc)) {
                idle.found();
                return true;
            }
        }
        return pollSlowly(wc);
    }

    private boolean refill() {
        if (!gate.enter()) {
            return false;
        }
        try {
            taken = 0;
            found = Math.max(0, ops.ibv_poll_cq(cq, BATCH, batch.address()));
            if (found > depth || overrun) {
                found = 0;
                overran();
                throw overrun();
            }
            return found > 0;
        } finally {
            gate.leave();
        }
    }

    private boolean pollSlowly(WorkCompletion wc) {
        if (idle.foundNothing()) {
            ask();
        }
        for (GenericQueuePair qp = losing.peek(); qp != null; qp = losing.peek()) {
            if (!qp.gate().isClosed() && (lost(qp, qp.attributes().sendCq(), qp.sends(), wc)
                    || lost(qp, qp.attributes().receiveCq(), qp.receives(), wc))) {
                return true;
            }
            losing.poll();
        }
        return false;
    }

    /** Looks for events of the device and at the state of one QP in turn: not each device tells when one fails. */
    private void ask() {
        driver.events().read();
        List<GenericQueuePair> all = qps.all();
        if (!all.isEmpty()) {
            all.get((asked++ & Integer.MAX_VALUE) % all.size()).look();
        }
    }

    private boolean lost(GenericQueuePair qp, CompletionQueue reported, WrIdRing ids, WorkCompletion wc) {
        if (reported != this || ids == null || ids.outstanding() == 0) {
            return false;
        }
        int place = ids.oldest();
        wc.fail(ids.wrId(place), qp.number(), WcStatus.WR_FLUSH_ERR, 0);
        ids.complete(place);
        return true;
    }

    /** Has everything outstanding of a QP reported flushed, after what the device reported. Any thread. */
    void lost(GenericQueuePair qp) {
        if (!losing.contains(qp)) {
            losing.add(qp);
        }
    }

    /** Moves all its QPs to ERR. Any thread. */
    void overran() {
        if (!overrun) {
            overrun = true;
            qps.all().forEach(GenericQueuePair::overran);
        }
    }

    private VerbsException overrun() {
        return new VerbsException("poll_cq", "completion queue overran, completions are lost: number=" + number
                + " depth=" + depth);
    }

    private boolean take(int at, WorkCompletion wc) {
        long tag = completions.getLong(at + Wc.WR_ID);
        int place = WrId.place(tag);
        GenericQueuePair qp = find(WcReader.qpNumber(completions, at));
        if (WrId.isShared(tag)) {
            GenericSharedReceiveQueue srq = driver.srq(WrId.owner(tag));
            long id = srq == null ? 0 : srq.complete(place);
            if (qp != null && !WcReader.read(completions, at, qp.isDatagram(), id, wc)) {
                translate(qp, tag, wc);
                failed(qp);
            }
            return qp != null;
        }
        if (qp == null || qp.serial() != WrId.owner(tag)) {
            return false; // of a QP that was closed
        }
        WrIdRing ids = WrId.isReceive(tag) ? qp.receives() : qp.sends();
        if (WcReader.read(completions, at, qp.isDatagram(), ids.wrId(place), wc)) {
            ids.complete(place);
        } else {
            translate(qp, tag, wc);
            ids.complete(place);
            failed(qp);
        }
        return true;
    }

    /** Says it in the words of verbs; before the place is given back. */
    private void translate(GenericQueuePair qp, long tag, WorkCompletion wc) {
        if (!driver.isRxe()) {
            return;
        }
        if (WrId.isReceive(tag)) {
            RxeWords.receive(wc, qp.posted() == null || qp.posted().mayScatter(WrId.place(tag), qp.domain().keys()));
        } else if (wc.status() == WcStatus.LOC_QP_OP_ERR) {
            RxeWords.untouchable(wc);
        }
    }

    private static void failed(GenericQueuePair qp) {
        if (!qp.hasFailed()) {
            qp.fail();
        }
    }

    private GenericQueuePair find(int qpn) {
        GenericQueuePair qp = last;
        if (qp == null || qp.number() != qpn || qp.gate().isClosed()) {
            qp = qps.find(qpn);
            last = qp;
        }
        return qp;
    }

    @Override
    public void arm() {
        if (channel == null) {
            throw new VerbsException("req_notify_cq", "completion queue has no channel, number=" + number);
        }
        if (gate.enter()) {
            try {
                armed.set(true);
                int error = ops.ibv_req_notify_cq(cq, 0);
                if (error != 0) {
                    throw NativeException.of("req_notify_cq", error, "cq number=" + number);
                }
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void disarm() {
        armed.set(false);
    }

    @Override
    public boolean completed() {
        events.getAndIncrement();
        return armed.getAndSet(false);
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int number() {
        return number;
    }

    /** Takes a place for a queue. @throws VerbsException when this CQ is exclusive and taken, or closed */
    synchronized void reserve() {
        if (closed || exclusive && (users > 0 || served)) {
            throw new VerbsException("create_qp", closed
                    ? "completion queue is closed, number=" + number
                    : "exclusive completion queue " + (served ? "had" : "has") + " its queue already, number="
                            + number);
        }
        users++;
    }

    /** Gives a place back. */
    synchronized void release() {
        users--;
    }

    void attach(GenericQueuePair qp) {
        qps.add(qp);
    }

    /** Ends {@link #attach} and one {@link #reserve}. */
    synchronized void detach(GenericQueuePair qp) {
        served = true;
        qps.remove(qp);
        release();
    }

    @Override
    public void close() {
        context.whileOpen(this::end);
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        if (users > 0) {
            throw new VerbsException("destroy_cq", "number=" + number + " is used by queues=" + users);
        }
        closed = true;
        gate.close();
        driver.forget(this);
        if (channel != null) {
            driver.events().unwatch(channel);
            channel.unregister(cq);
        }
        if (events.get() > 0) {
            context.lib().ibv_ack_cq_events(cq, events.get()); // or destroy waits for ever
        }
        context.lib().ibv_destroy_cq(cq);
    }
}
