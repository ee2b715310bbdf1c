package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.CompletionQueueControl;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Mlx5CompletionQueue;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.Timed;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;
import org.jvrpc.verbs.rare.Rare;

/** The device's side of a CQ. Polls call it on their thread; the rest is for any thread. */
final class SoftCompletionQueue implements CompletionQueueControl, PortCompletionQueue {

    /** How many polls that find nothing come between two looks for senders of datagrams that died. */
    private static final int LOOK_INTERVAL = 4096;
    private static final long SLEEPER_INTERVAL_NS = 1_000_000;

    private final SoftDevice device;
    private final Arena.Block block;
    private final ByteBuffer memory;
    private final int context;
    private final int depth;
    private final int cqeBytes;
    private final boolean exclusive;
    private final boolean crossChannel;
    private final ShmChannel channel;
    private final Mlx5CompletionQueue driver;
    private ChainGroup group;
    /** True when {@link #alerted} has more to ask than the flags: completions that were lost, producers that died. */
    private final boolean special;
    private volatile boolean datagrams;
    /** True when processes that have no socket to wake this one by may publish here. */
    private volatile boolean fedFromAfar;
    /** True from {@link #arm} to {@link #disarm}. */
    private volatile boolean armed;
    private volatile boolean closed;
    private int idle;
    private final Sleeper sleeper = new Sleeper();
    /** Replaced, never changed: a look at them by each so many polls allocates nothing. */
    private volatile SoftQueuePair[] qps = {};
    private volatile Runnable[] sleepsToldTo = {};
    /** Of all QPs that ever reported here. */
    private final Set<Quarantine> quarantines = new HashSet<>();

    SoftCompletionQueue(SoftDevice device, int number, CompletionQueueAttributes attributes) {
        this.device = device;
        // Of a CQ whose payload is read in place, the entry polled last stays in use until the next poll.
        this.depth = Mlx5QueuePair.roundUp(attributes.depth() + (attributes.payloadInPlace() ? 1 : 0));
        this.cqeBytes = attributes.cqeBytes();
        this.exclusive = attributes.exclusive();
        this.crossChannel = attributes.crossChannel();
        this.special = !exclusive;
        this.channel = (ShmChannel) attributes.channel();
        long bytes = CqContext.RING + (long) depth * cqeBytes;
        if (bytes > Slab.WINDOW) {
            throw new VerbsException("create_cq", "ring is too large: entries=" + depth + " cqeBytes=" + cqeBytes
                    + " bytes=" + bytes + " limit=" + Slab.WINDOW);
        }
        this.block = device.arena().allocate(bytes);
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        int ring = context + CqContext.RING;
        Cqe.initialize(memory, ring, depth, cqeBytes);
        CqContext.write(memory, context, number, depth, cqeBytes, exclusive && !device.ports().completesAfar(),
                crossChannel);
        this.driver = new Mlx5CompletionQueue(
                number, attributes, new QueueMemory(memory, ring, depth, cqeBytes, context + CqContext.RECORD), this);
        try {
            device.ports().made(new CqNote(number, block.address(), depth, cqeBytes,
                    crossChannel ? CqNote.CROSS_CHANNEL : 0), this::wake, driver::consumer);
        } catch (RuntimeException | Error e) {
            block.free();
            throw e;
        }
    }

    Mlx5CompletionQueue driver() {
        return driver;
    }

    @Override
    public Slab slab() {
        return block.slab();
    }

    @Override
    public long address() {
        return block.address();
    }

    /**
     * Makes this a CQ that the queues of a group may wait for.
     *
     * @throws VerbsException when it is another group's, or the group is full
     */
    void join(ChainGroup chains) {
        synchronized (this) {
            if (group != null && group != chains) {
                throw new VerbsException("create_qp", "cross-channel CQ is of another protection domain, number="
                        + driver.number());
            }
            group = chains;
        }
        chains.change(shared -> GroupContext.addCq(shared, chains.context(), address()),
                "too many cross-channel CQs in a protection domain");
    }

    boolean isCrossChannel() {
        return crossChannel;
    }

    @Override
    public boolean isExclusive() {
        return exclusive;
    }

    /**
     * Makes sure that completions wake who waits for them though their producers, who take the arming, have no socket
     * to tell: senders of datagrams, and whoever runs a chain.
     */
    private final class Sleeper implements Timed {

        @Override
        public void tick(long nowNs) {
            for (SoftQueuePair qp : qps) {
                qp.recover();
            }
            if (CqContext.isArmed(memory, context)) {
                return;
            }
            channel.unwatch(this);
            if (CqContext.isArmed(memory, context)) {
                channel.watch(this); // armed again meanwhile
            }
            channel.wakeup();
        }

        @Override
        public long intervalNs() {
            return SLEEPER_INTERVAL_NS;
        }
    }

    void attach(SoftQueuePair qp) {
        driver.attach(qp.driver());
        if (qp.isDatagram()) {
            datagrams = true;
            if (!device.ports().deliversHere()) {
                lookFromNowOn();
            }
        }
        add(qp);
        synchronized (quarantines) {
            quarantines.add(qp.domain().quarantine());
        }
    }

    @Override
    public void lookFromNowOn() {
        fedFromAfar = true;
        if (channel != null && CqContext.isArmed(memory, context)) {
            channel.watch(sleeper); // armed before
        }
    }

    /** Ends {@link #attach} when the QP could not be made. */
    void withdraw(SoftQueuePair qp) {
        driver.withdraw(qp.driver());
        forget(qp);
    }

    private synchronized void add(SoftQueuePair qp) {
        List<SoftQueuePair> more = new ArrayList<>(List.of(qps));
        if (!more.contains(qp)) { // it may send and receive here
            more.add(qp);
            qps = more.toArray(SoftQueuePair[]::new);
        }
    }

    synchronized void forget(SoftQueuePair qp) {
        List<SoftQueuePair> fewer = new ArrayList<>(List.of(qps));
        if (fewer.remove(qp)) {
            qps = fewer.toArray(SoftQueuePair[]::new);
        }
    }

    /** Has stalled sends of a QP looked at by the next poll, and by who waits on the channel. */
    void watch(Timed stall) {
        alert();
        if (channel != null) {
            channel.watch(stall);
        }
    }

    void unwatch(Timed stall) {
        if (channel != null) {
            channel.unwatch(stall);
        }
    }

    @Override
    public void alert() {
        driver.alert();
    }

    @Override
    public synchronized void beforeSleep(Runnable told) {
        List<Runnable> more = new ArrayList<>(List.of(sleepsToldTo));
        if (!more.contains(told)) {
            more.add(told);
            sleepsToldTo = more.toArray(Runnable[]::new);
        }
    }

    @Override
    public void wake() {
        if (channel != null) {
            channel.wakeup();
        }
    }

    @Override
    public void arm(int consumerIndex) {
        if (closed) {
            return; // the memory may be somebody else's
        }
        armed = true;
        CqContext.arm(memory, context);
        for (Runnable told : sleepsToldTo) {
            told.run();
        }
        if (fedFromAfar && channel != null) {
            channel.watch(sleeper);
        }
    }

    @Override
    public void disarm() {
        if (closed) {
            return;
        }
        armed = false;
        CqContext.disarm(memory, context);
        if (fedFromAfar && channel != null) {
            channel.unwatch(sleeper);
        }
    }

    @Override
    public boolean isTaken() {
        return armed && !closed && !CqContext.isArmed(memory, context);
    }

    @Override
    public boolean alerted() {
        return CqContext.flags(memory, context) != 0 || special && isSpeciallyAlerted();
    }

    private boolean isSpeciallyAlerted() {
        return crossChannel ? lost() > 0 : (++idle & LOOK_INTERVAL - 1) == 0;
    }

    /** Returns how many completions of a cross-channel CQ were overwritten before they were polled. */
    private int lost() {
        return CqContext.produced(memory, context) - driver.consumer() - depth;
    }

    @Override
    public void progress() {
        int flags = CqContext.flags(memory, context);
        if ((flags & CqContext.ATTENTION) != 0) {
            CqContext.lower(memory, context, CqContext.ATTENTION);
        }
        if (crossChannel && lost() > 0) {
            driver.skip(lost());
        }
        boolean stalled = false;
        boolean dead = false;
        for (SoftQueuePair qp : qps) {
            if (qp.state() == QueuePairState.ERR) {
                qp.failed();
            }
            if (qp.engine().isStalled()) {
                stalled |= qp.progress();
            }
            if (datagrams) {
                qp.recover();
            }
            dead |= qp.isPeerDead();
        }
        if (stalled) {
            driver.alert();
        }
        if (!exclusive && (dead || isClaimed(driver.consumer()))) {
            clearDeadClaims();
        }
        if ((flags & CqContext.OVERRAN) != 0) {
            overrun();
        }
    }

    private void overrun() {
        for (SoftQueuePair qp : qps) {
            if (qp.state() != QueuePairState.ERR) {
                qp.error();
            }
        }
        Rare.reached("a completion queue overruns");
        throw new VerbsException("poll_cq", "completion queue overran: number=" + driver.number() + " depth=" + depth);
    }

    /** Returns where the last 8 bytes of a CQE lie. */
    private int slot(int index) {
        return context + CqContext.RING + (index & depth - 1) * cqeBytes + cqeBytes - Cqe.BYTES + Cqe.TAIL;
    }

    /** Returns true when a slot is being filled for the lap that an index is in. */
    private boolean isClaimed(int index) {
        return isClaim(BigEndian.getLongAcquire(memory, slot(index)), index);
    }

    private boolean isClaim(long tail, int index) {
        int lap = index >>> Integer.numberOfTrailingZeros(depth);
        return Cqe.opcode(tail) == Cqe.INVALID && Cqe.lap(tail) == (lap & 0xff);
    }

    /**
     * Publishes, as nobody's, the slots that dead processes claimed and can no longer fill. A process that lives is
     * never taken for dead, also when its QP is closed here: it would go on to fill a slot that is another's by then.
     * Those of datagrams are left to who takes the QP over, who tells by them whether a receive was used.
     */
    void clearDeadClaims() {
        int consumer = driver.consumer();
        int shift = Integer.numberOfTrailingZeros(depth);
        for (int i = consumer; i != consumer + depth; i++) {
            int at = slot(i);
            long tail = BigEndian.getLongAcquire(memory, at);
            if (isClaim(tail, i) && isDead(tail)) {
                Rare.reached("a completion that a dead process claimed is passed over");
                BigEndian.compareAndSetLong(
                        memory, at, tail, Cqe.tail(0, CqContext.NOBODY, 0, i >>> shift, Cqe.RESP_SEND, 0));
            }
        }
    }

    /** Returns true when there is a completion of a QP's receive that nobody polled. */
    boolean holds(int qpn, int wqeCounter) {
        int consumer = driver.consumer();
        int shift = Integer.numberOfTrailingZeros(depth);
        for (int i = consumer; i != consumer + depth; i++) {
            int at = slot(i);
            long tail = BigEndian.getLongAcquire(memory, at);
            if (Cqe.valid(tail, i >>> shift) && Cqe.qpn(tail) == qpn && Cqe.wqeCounter(tail) == wqeCounter
                    && Cqe.opcode(tail) != Cqe.REQ && Cqe.opcode(tail) != Cqe.REQ_ERR) {
                return true;
            }
        }
        return false;
    }

    /** Returns true when whoever made a claim is dead: by its process's number, or by the end of its connection. */
    private boolean isDead(long claim) {
        int process = Cqe.claimant(claim);
        if (process != 0) {
            return !isOfDatagram(claim) && ProcessId.isNumberOfDead(process);
        }
        SoftQueuePair qp = claimed(claim);
        return qp != null && qp.isPeerDead();
    }

    private boolean isOfDatagram(long claim) {
        SoftQueuePair qp = claimed(claim);
        return qp != null && qp.isDatagram();
    }

    /** Returns the QP that a slot is claimed for; null when it is not here any more. */
    private SoftQueuePair claimed(long claim) {
        for (SoftQueuePair qp : qps) {
            if (qp.driver().number() == Cqe.qpn(claim)) {
                return qp;
            }
        }
        return null;
    }

    @Override
    public void close() {
        closed = true;
        device.remove(this);
        device.ports().goneCq(driver.number());
        ChainGroup chains = group;
        if (chains != null) {
            chains.change(shared -> {
                GroupContext.removeCq(shared, chains.context(), address());
                return true;
            }, "leaving");
        }
        synchronized (quarantines) {
            if (quarantines.isEmpty()) {
                block.free();
            } else {
                Quarantine.free(block, quarantines);
            }
        }
    }
}
