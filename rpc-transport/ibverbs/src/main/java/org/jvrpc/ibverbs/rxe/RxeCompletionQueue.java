package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.ibverbs.core.CompletionSink;
import org.jvrpc.ibverbs.core.IdleWatch;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RxeWords;
import org.jvrpc.ibverbs.core.WcReader;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.UverbsWc;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A CQ over rxe's ring, whose elements are {@code struct ib_uverbs_wc}, of the same layout as {@code struct ibv_wc}.
 * The ring is deeper than the queue: more completions than the queue holds are an overrun, which so is seen here, and
 * never by the kernel, which would drop a completion and tell about it elsewhere. One thread at a time polls.
 */
final class RxeCompletionQueue implements CompletionQueue, CompletionSink {

    private final RxeDriver driver;
    private final int handle;
    private final long userHandle;
    private final RxeQueue ring;
    private final ByteBuffer memory;
    private final int mask;
    private final int depth;
    private final boolean exclusive;
    /** True when a queue reported here that is gone. */
    private boolean served;
    private final RdmaEventChannel channel;
    private final UverbsCommand armCommand;
    private final IdleWatch idle = new IdleWatch();
    private final Queue<RxeQueuePair> flushing = new ConcurrentLinkedQueue<>();
    /** Those that hold sends back. */
    private final Queue<RxeQueuePair> holding = new ConcurrentLinkedQueue<>();
    private volatile RxeQueuePair[] qps = new RxeQueuePair[0];
    private RxeQueuePair last;
    private int consumer;
    private int asked;
    private volatile boolean armed;
    private volatile boolean overrun;
    private int users;
    private boolean closed;

    RxeCompletionQueue(RxeDriver driver, CompletionQueueAttributes attributes, int depth, long userHandle,
            RxeCommands.Cq cq) {
        this.driver = driver;
        this.handle = cq.handle();
        this.userHandle = userHandle;
        this.memory = driver.map(cq.ring(), "create_cq");
        this.ring = new RxeQueue(memory);
        this.mask = ring.mask();
        this.depth = depth;
        this.exclusive = attributes.exclusive();
        this.channel = (RdmaEventChannel) attributes.channel();
        this.armCommand = driver.commands().armCommand(handle);
        if (channel != null) {
            channel.register(userHandle, this);
        }
    }

    /** Returns the depth of the ring that a queue of a depth is made with. */
    static int ringDepth(int depth) {
        return Math.max(depth, 4);
    }

    @Override
    public boolean poll(WorkCompletion wc) {
        while (true) {
            int unread = ring.producer() - consumer & mask;
            if (unread == 0) {
                return pollSlowly(wc);
            }
            if (unread > depth || overrun) {
                throw overrun();
            }
            boolean known = complete(wc, ring.at(consumer));
            consumer++;
            ring.consume(consumer);
            if (known) {
                idle.found();
                return true;
            }
        }
    }

    private boolean complete(WorkCompletion wc, int at) {
        long tag = memory.getLong(at + UverbsWc.WR_ID);
        RxeQueuePair qp = last;
        if (RxeTag.isShared(tag)) {
            return completeShared(wc, at, tag);
        }
        if (qp == null || qp.id() != RxeTag.id(tag)) {
            qp = find(RxeTag.id(tag));
            if (qp == null) {
                return false; // it was closed
            }
        }
        int sequence = RxeTag.sequence(tag);
        if (RxeTag.isReceive(tag)) {
            if (!WcReader.read(memory, at, qp.isDatagram(), qp.receives().wrId(sequence), wc)) {
                receiveFailed(wc, qp, qp.mayScatter(sequence));
            }
            return qp.receives().complete(sequence); // or it was flushed already
        }
        if (!WcReader.read(memory, at, false, qp.sends().wrId(sequence), wc)) {
            boolean unclear = wc.status() == WcStatus.LOC_QP_OP_ERR || qp.isCulprit(sequence);
            if (unclear && !qp.mayTouch(sequence)) {
                RxeWords.untouchable(wc);
            }
            qp.failed();
        } else if (qp.hasLostResult()) {
            wc.fail(qp.sends().wrId(sequence), qp.number(), WcStatus.WR_FLUSH_ERR, 0);
        } else if (mayLackResult(wc) && qp.sends().lacksResult(sequence)) {
            wc.fail(qp.sends().wrId(sequence), qp.number(), WcStatus.BAD_RESP_ERR, 0);
            qp.lostResult();
        }
        qp.sends().complete(sequence);
        return true;
    }

    private static boolean mayLackResult(WorkCompletion wc) {
        return switch (wc.opcode()) {
            case RDMA_READ, COMPARE_SWAP, FETCH_ADD -> true;
            default -> false;
        };
    }

    private static void receiveFailed(WorkCompletion wc, RxeQueuePair qp, boolean mayScatter) {
        RxeWords.receive(wc, mayScatter);
        qp.failed();
    }

    private boolean completeShared(WorkCompletion wc, int at, long tag) {
        int number = WcReader.qpNumber(memory, at);
        RxeQueuePair qp = last;
        if (qp == null || qp.number() != number) {
            qp = findNumber(number);
        }
        RxeSharedReceiveQueue srq = qp == null ? null : qp.shared();
        if (srq == null || srq.id() != RxeTag.id(tag)) {
            driver.giveBack(RxeTag.id(tag), RxeTag.sequence(tag)); // its QP was closed
            return false;
        }
        if (!WcReader.read(memory, at, qp.isDatagram(), srq.complete(RxeTag.sequence(tag)), wc)) {
            receiveFailed(wc, qp, true);
        }
        return true;
    }

    private boolean pollSlowly(WorkCompletion wc) {
        if (overrun) {
            throw overrun();
        }
        if (idle.foundNothing()) {
            ask();
        }
        if (!holding.isEmpty()) {
            goOn();
        }
        return !flushing.isEmpty() && pollFlush(wc);
    }

    /** Has the polls go on with sends of a QP that are held back. The thread that posts. */
    void held(RxeQueuePair qp) {
        if (!holding.contains(qp)) {
            holding.add(qp);
        }
        if (armed && channel != null) {
            channel.complete(this);
        }
    }

    private void goOn() {
        holding.removeIf(qp -> qp.isClosed() || qp.sends().goOn());
    }

    /** Looks for events of the device and at the state of one QP in turn: rxe makes no event when one goes to ERR. */
    private void ask() {
        driver.events().read();
        RxeQueuePair[] table = qps;
        if (table.length > 0) {
            RxeQueuePair qp = table[asked++ & table.length - 1];
            if (qp != null) {
                qp.look();
            }
        }
    }

    private boolean pollFlush(WorkCompletion wc) {
        for (RxeQueuePair qp = flushing.peek(); qp != null; qp = flushing.peek()) {
            RxeReceiveQueue receives = qp.receives();
            if (!qp.isClosed() && receives.isPending()) {
                int sequence = receives.oldest();
                wc.fail(receives.wrId(sequence), qp.number(), WcStatus.WR_FLUSH_ERR, 0);
                receives.complete(sequence);
                return true;
            }
            flushing.poll();
        }
        return false;
    }

    /**
     * Has every receive of a QP in ERR that is not complete reported flushed, after what lies in the ring: the kernel
     * flushes those only that it finds when the QP goes to ERR. Any thread.
     */
    void flushReceives(RxeQueuePair qp) {
        if (!flushing.contains(qp)) {
            flushing.add(qp);
        }
        if (armed && channel != null) {
            channel.complete(this);
        }
    }

    private VerbsException overrun() {
        if (!overrun) {
            overrun = true;
            for (RxeQueuePair qp : qps) {
                if (qp != null) {
                    qp.fail();
                }
            }
        }
        return new VerbsException("poll_cq", "completion queue overran, completions are lost: number=" + handle
                + " depth=" + depth);
    }

    /** Notes that the kernel says that the queue overran. Any thread. */
    void overran() {
        overrun();
    }

    private RxeQueuePair find(int id) {
        RxeQueuePair[] table = qps;
        for (int i = id & table.length - 1, n = 0; n < table.length; n++) {
            RxeQueuePair qp = table[i + n & table.length - 1];
            if (qp == null) {
                return null;
            }
            if (qp.id() == id) {
                last = qp;
                return qp;
            }
        }
        return null;
    }

    private RxeQueuePair findNumber(int number) {
        for (RxeQueuePair qp : qps) {
            if (qp != null && qp.number() == number) {
                last = qp;
                return qp;
            }
        }
        return null;
    }

    /**
     * Takes a place for a queue of a QP, before there is a QP.
     *
     * @throws VerbsException when this CQ is exclusive and taken, or closed
     */
    synchronized void reserve() {
        if (closed || exclusive && (users > 0 || served)) {
            throw new VerbsException("create_qp", closed
                    ? "completion queue is closed, number=" + handle
                    : "exclusive completion queue " + (served ? "had" : "has") + " its queue already, number="
                            + handle);
        }
        users++;
    }

    /** Gives a place back. */
    synchronized void release() {
        users--;
    }

    /** Lets a QP report here. */
    synchronized void attach(RxeQueuePair qp) {
        rebuild(qp, null);
    }

    /** Ends what {@link #attach} began: completions of the QP are passed over. */
    synchronized void detach(RxeQueuePair qp) {
        served = true;
        rebuild(null, qp);
        flushing.remove(qp);
        holding.remove(qp);
        if (last == qp) {
            last = null;
        }
    }

    private void rebuild(RxeQueuePair added, RxeQueuePair removed) {
        int count = added == null ? 0 : 1;
        for (RxeQueuePair qp : qps) {
            count += qp == null ? 0 : 1;
        }
        RxeQueuePair[] table = new RxeQueuePair[RxeQueuePair.roundUp(count * 2)];
        for (RxeQueuePair qp : qps) {
            if (qp != removed && qp != added) {
                put(table, qp);
            }
        }
        put(table, added);
        qps = table;
    }

    private static void put(RxeQueuePair[] table, RxeQueuePair qp) {
        if (qp != null) {
            int i = qp.id() & table.length - 1;
            while (table[i] != null) {
                i = i + 1 & table.length - 1;
            }
            table[i] = qp;
        }
    }

    @Override
    public void arm() {
        armed = true;
        if (!armCommand.write(driver.file())) {
            armed = false;
            throw driver.commands().refused("req_notify_cq", "number=" + handle);
        }
        if (!(flushing.isEmpty() && holding.isEmpty()) && channel != null) {
            channel.complete(this);
        }
    }

    @Override
    public void disarm() {
        armed = false; // the kernel's event comes all the same, and finds nobody
    }

    @Override
    public boolean completed() {
        boolean wanted = armed;
        armed = false;
        return wanted;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int number() {
        return handle;
    }

    int handle() {
        return handle;
    }

    long userHandle() {
        return userHandle;
    }

    boolean isOf(RxeDriver other) {
        return driver == other;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (users > 0) {
                throw new VerbsException("destroy_cq", "number=" + handle + " is used by queues=" + users);
            }
            closed = true;
        }
        if (channel != null) {
            channel.unregister(userHandle);
        }
        driver.destroyed(this);
        Mapping.drop(memory);
    }
}
