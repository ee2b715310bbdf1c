package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.Mirror;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.rc.MessageChains;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;
import org.jvrpc.verbs.rare.Rare;

/**
 * Runs the cross-channel queues of one protection domain, of this process's device or of a peer's: round and round,
 * until all of them wait, or have run as far as they are enabled. Whoever delivers a message to one of these QPs runs
 * them, on its thread; the claim in the shared context keeps others away meanwhile. What a run needs to know lies in
 * shared memory, so that each may be another process's. Any thread; all but {@link #claim} and {@link #resume} with the
 * claim held.
 */
public final class ChainGroup implements MessageChains {

    private static final int CLAIM_SPINS = 20_000;
    /** How long the owner of the device waits for a claim: some hundred times the longest run. */
    private static final long TAKE_OVER_NS = 100_000_000;

    private final ChainHost host;
    private final AddressSpace space;
    private final String device;
    private final long address;
    private final ByteBuffer memory;
    private final int context;
    private final SharedKeys keys;
    private final LongSupplier clock;
    private final ChainPeers peers;
    private final ReadyList ready = new ReadyList();
    private final ChainMembers members;
    private final Bounds bounds;
    private int remaining;
    private long remainingBytes;
    private volatile boolean held;
    private volatile boolean takenOver;
    private boolean prefetchesManaged;
    private boolean interpreted;
    private boolean quick;
    private boolean closed;
    private volatile ChainTracer tracer;

    /**
     * What one run may do until whoever runs the group gets its thread back, and goes on with it later.
     *
     * @param runWqes the most WQEs
     * @param wqeBytes the most bytes that one of them may move: a longer one fails
     * @param runBytes the bytes after which no further WQE begins
     */
    public record Bounds(int runWqes, int wqeBytes, long runBytes) {
        static final Bounds USUAL = new Bounds(4096, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * A group with the usual bounds.
     *
     * @param host of the device of this process that runs the chains
     * @param space the memory of the device that the group belongs to
     * @param device its name
     * @throws VerbsException when there is no group
     */
    public ChainGroup(ChainHost host, AddressSpace space, String device, long address) {
        this(host, space, device, address, Bounds.USUAL);
    }

    /** As above, with bounds. */
    public ChainGroup(ChainHost host, AddressSpace space, String device, long address, Bounds bounds) {
        CqContext.checkAlignment(address, "group of chains");
        Slab slab = space.require(address, GroupContext.BYTES, "group of chains");
        this.host = host;
        this.peers = new ChainPeers(host, space, device);
        this.space = space;
        this.device = device;
        this.address = address;
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        this.bounds = bounds;
        this.clock = host.clock();
        if (!slab.containsInWindow(address, GroupContext.BYTES) || !GroupContext.isSane(memory, context)) {
            throw new VerbsException("modify_qp", "no group of chains at address=0x" + Long.toHexString(address));
        }
        this.keys = new SharedKeys(space, GroupContext.pd(memory, context));
        this.members = new ChainMembers(this, memory, context);
    }

    AddressSpace space() {
        return space;
    }

    ChainPeers peers() {
        return peers;
    }

    /** Has WQEs know keys of memory by other numbers. @param keyOf tells the key of such a number */
    public void alias(IntUnaryOperator keyOf) {
        peers.alias(keyOf);
    }

    SharedKeys keys() {
        return keys;
    }

    int pd() {
        return GroupContext.pd(memory, context);
    }

    ChainHost host() {
        return host;
    }

    Bounds bounds() {
        return bounds;
    }

    /** Connects the queue of a QP to a peer that was found, or, null, to none: it lets go of the one that it has. */
    public void connect(int qpn, Responder peer) {
        peers.connect(qpn, peer);
        members.forgetPeer(qpn);
    }

    /** Has another execute the WQEs of a QP's queue that need its peer; null: nobody, it has none any more. */
    public void reach(int qpn, RemoteVerbs verbs) {
        if (verbs == null) {
            peers.remove(qpn);
        } else {
            peers.add(qpn, verbs);
        }
        members.forgetPeer(qpn);
    }

    ChainTracer tracer() {
        return tracer;
    }

    /** Has managed queues that are made from now on fetch when an ENABLE allows; the owner of the device. */
    public void prefetchManaged(boolean whenEnabled) {
        this.prefetchesManaged = whenEnabled;
    }

    /** Returns whether they do. */
    public boolean prefetchesManaged() {
        return prefetchesManaged;
    }

    public void trace(ChainTracer tracer) {
        this.tracer = tracer;
    }

    /** Has each WQE executed the long way, which says what the others must do; for tests. */
    void interpret() {
        interpreted = true;
    }

    boolean isInterpreted() {
        return interpreted;
    }

    /** Returns true when this run may take short ways; whoever traces wants to see each WQE. */
    boolean isQuick() {
        return quick;
    }

    /** Returns true for the group of a QP of a device. */
    boolean is(String device, long address) {
        return this.address == address && this.device.equals(device);
    }

    /** Returns true when the last run stopped before everything waited: rate, length, or a peer not ready. */
    @Override
    public boolean isHeld() {
        return held;
    }

    /**
     * Claims the group, waiting a moment for whoever has it. Returns false when that takes too long, and when it is cut
     * off; a process that died with the claim has its group cut off.
     */
    @Override
    public boolean claim() {
        long owner = GroupContext.claim(memory, context, ProcessId.SELF);
        for (int spin = 0; owner != 0; spin++) {
            if (spin == CLAIM_SPINS) {
                cutOffIfDead(owner);
                return false;
            }
            Thread.onSpinWait();
            owner = GroupContext.claim(memory, context, ProcessId.SELF);
        }
        if (GroupContext.isCutOff(memory, context)) {
            failAll();
            release();
            return false;
        }
        return true;
    }

    private void cutOffIfDead(long owner) {
        if (ProcessId.isDead(owner) && GroupContext.takeOver(memory, context, owner, ProcessId.SELF)) {
            Rare.reached("a chain of a dead process is cut off");
            cutOff();
            release();
        }
    }

    @Override
    public void release() {
        GroupContext.release(memory, context);
    }

    /** Stops everything for good. Without the claim, so that an endless chain is stopped, too. */
    public void cutOff() {
        GroupContext.cutOff(memory, context);
        failAll();
    }

    private void failAll() {
        for (int place = 0; place < GroupContext.PLACES; place++) {
            long queue = GroupContext.queue(memory, context, place);
            Slab slab = context(queue, QueueContext.BYTES);
            if (slab != null && QueueContext.isQueue(slab.window(queue), Slab.index(queue))) {
                long qp = QueueContext.qp(slab.window(queue), Slab.index(queue));
                Slab qpSlab = context(qp, QpContext.BYTES);
                if (qpSlab != null) {
                    Mirror.fail(space, qpSlab.window(qp), Slab.index(qp));
                }
            }
        }
    }

    /** Returns the slab of a context, or null when there can be none at an address, which a peer may have written. */
    private Slab context(long address, int bytes) {
        return (address & Arena.ALIGNMENT - 1) == 0 && bytes <= Slab.untilWindowEnd(address)
                ? space.find(address, bytes) : null;
    }

    public boolean isCutOff() {
        return GroupContext.isCutOff(memory, context);
    }

    public long executed() {
        return GroupContext.executed(memory, context);
    }

    /** Goes on where the last run stopped. Any thread, without the claim. */
    @Override
    public void resume() {
        if (claim()) {
            try {
                run();
            } finally {
                release();
            }
        }
    }

    /** Runs the queues until all of them wait, or the run is over. */
    @Override
    public void run() {
        members.reload();
        ready.begin(members.queues());
        quick = tracer == null && !interpreted;
        int granted = grant();
        remaining = granted;
        remainingBytes = bounds.runBytes();
        try {
            while (ready.round()) {
                continue;
            }
        } finally {
            account(granted - remaining); // also when a peer's memory made no sense: nothing is executed twice
        }
        boolean wants = isSpent() || anyUnready();
        if (held != wants) {
            held = wants;
        }
    }

    /** A queue may go on that could not. */
    void addReady(CrossChannelQueue queue) {
        ready.add(queue);
    }

    private void account(int wqes) {
        for (CrossChannelQueue queue : members.queues()) {
            queue.end();
        }
        GroupContext.executed(memory, context, GroupContext.executed(memory, context) + wqes);
        if (GroupContext.rate(memory, context) != Long.MAX_VALUE) {
            GroupContext.tokens(memory, context,
                    GroupContext.tokens(memory, context) - wqes, GroupContext.countedNs(memory, context));
        }
    }

    private boolean anyUnready() {
        for (CrossChannelQueue queue : members.queues()) {
            if (queue.isUnready()) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many WQEs this run may still execute. */
    int remaining() {
        return remaining;
    }

    /** Returns how many bytes this run may still move; the last WQE may move more. */
    long remainingBytes() {
        return remainingBytes;
    }

    /** Counts WQEs that were executed, and what they moved. */
    void took(int wqes, long bytes) {
        remaining -= wqes;
        remainingBytes -= bytes;
    }

    /** Returns how many bytes the last run moved. */
    public long movedBytes() {
        return bounds.runBytes() - remainingBytes;
    }

    /** Returns whether the last run executed as many WQEs as it might, or moved as many bytes. */
    public boolean isSpent() {
        return remaining == 0 || remainingBytes <= 0;
    }

    /** Takes one WQE from what this run may execute; false at its end. */
    boolean take() {
        return remainingBytes > 0 && (remaining-- > 0 || giveBack());
    }

    /** Takes a WQE back that was not executed. */
    boolean giveBack() {
        remaining++;
        return false;
    }

    /** Returns how many WQEs may be executed now. */
    private int grant() {
        long rate = GroupContext.rate(memory, context);
        if (rate == Long.MAX_VALUE) {
            return bounds.runWqes();
        }
        long nowNs = clock.getAsLong();
        long burst = GroupContext.burst(memory, context);
        long tokens = GroupContext.tokens(memory, context);
        long countedNs = GroupContext.countedNs(memory, context);
        double earned = (nowNs - countedNs) * 1e-9 * rate;
        if (earned >= 1) {
            long whole = (long) Math.min(earned, burst);
            tokens = Math.min(burst, tokens + whole);
            // What is less than a whole one goes on being earned.
            countedNs = earned >= burst ? nowNs : countedNs + (long) (whole * 1e9 / rate);
            GroupContext.tokens(memory, context, tokens, countedNs);
        }
        return (int) Math.max(0, Math.min(bounds.runWqes(), tokens));
    }

    /** Returns the queue of a QP, or null. */
    CrossChannelQueue queue(int qpn) {
        return members.queue(qpn);
    }

    /** Returns a CQ of the group, or null. */
    ChainCq cq(int cqn) {
        return members.cq(cqn);
    }

    /** Adds or removes members; the owner of the device, which waits for the claim. */
    public synchronized void change(Predicate<ByteBuffer> change, String what) {
        if (closed) {
            return; // a CQ may outlive its domain
        }
        claimForGood();
        try {
            if (!change.test(memory)) {
                throw new VerbsException("create_qp", what + ": places=" + GroupContext.PLACES);
            }
        } finally {
            release();
        }
    }

    /**
     * Claims the group, from whoever has it if need be: a process that is dead or stopped in the middle of a chain. Its
     * group is cut off then; should it ever go on, it writes to memory that nobody else will get.
     */
    private void claimForGood() {
        long owner = GroupContext.claim(memory, context, ProcessId.SELF);
        long startNs = clock.getAsLong();
        while (owner != 0) {
            boolean late = clock.getAsLong() - startNs > TAKE_OVER_NS;
            if (late && GroupContext.takeOver(memory, context, owner, ProcessId.SELF)) {
                Rare.reached("a chain of a stopped process is taken over");
                takenOver = true;
                GroupContext.cutOff(memory, context);
                failAll();
                return;
            }
            Thread.yield();
            owner = GroupContext.claim(memory, context, ProcessId.SELF);
        }
    }

    /** Returns true when a process that may be alive lost the claim in the middle of a run. */
    boolean wasTakenOver() {
        return takenOver;
    }

    /** Lets go of the memory of devices that queues of the group were connected to. */
    public synchronized void close() {
        closed = true;
        peers.close();
    }

    /** Returns where the context lies in its memory. */
    public int context() {
        return context;
    }

    public long address() {
        return address;
    }

    public void limitRate(long wqesPerSecond, long burst) {
        GroupContext.limitRate(memory, context, wqesPerSecond, burst, clock.getAsLong());
    }
}
