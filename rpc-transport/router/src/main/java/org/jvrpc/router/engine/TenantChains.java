package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.ChainHost;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.rc.MessageChains;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.verbs.VerbsException;

/**
 * The group of chains of one protection domain of a tenant's device. A message to one of its QPs runs nothing by
 * itself, whoever sent it: the group has turns of its tenant's, of few WQEs each, and pays for them. The worker's
 * thread.
 */
final class TenantChains implements Turn, MessageChains, ChainHost {

    /** The most WQEs of a turn. */
    static final int RUN_WQES = 256;
    /** The longest transfer of a chain, and what a turn may move until its last WQE. */
    static final int MOST_BYTES = 64 << 10;
    private static final ChainGroup.Bounds BOUNDS = new ChainGroup.Bounds(RUN_WQES, MOST_BYTES, MOST_BYTES);
    private static final long LEAST_REST_NS = 200_000;
    private static final long MOST_REST_NS = 100_000_000;
    private static final long MOST_RETRY_NS = 655_360_000;

    private final TenantDevice device;
    private final int pd;
    private final Piece context;
    private final ChainGroup group;
    private final List<TenantQp> members = new ArrayList<>();
    /** What the most patient of its QPs rests when its peer is not ready. */
    private long retryNs = LEAST_REST_NS;
    /** How long one rests whose rate is used up: it goes on when it can execute more than the end of a program. */
    private long restNs = LEAST_REST_NS;
    /** Those whose QP is in ERR and whose connection is there yet. */
    private final List<ChainEnd> fallen = new ArrayList<>();
    private boolean listed;
    private boolean closed;
    private long againNs;
    private int executed;

    TenantChains(TenantDevice device, int pd) {
        this.device = device;
        this.pd = pd;
        this.context = device.own().allocate(GroupContext.BYTES);
        GroupContext.write(context.slab().window(context.address()), Slab.index(context.address()), pd);
        this.group = new ChainGroup(this, device.space(), device.toString(), context.address(), BOUNDS);
    }

    @Override
    public TenantDevice device() {
        return device;
    }

    int pd() {
        return pd;
    }

    long context() {
        return context.address();
    }

    ChainGroup group() {
        return group;
    }

    boolean isUsed() {
        return !members.isEmpty();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean list(boolean now) {
        boolean changes = listed != now;
        listed = now;
        return changes;
    }

    @Override
    public long againNs() {
        return againNs;
    }

    /** Has a QP whose queue is the group's. */
    void add(TenantQp qp, long rnrTimerNs) {
        members.add(qp);
        retryNs = Math.max(retryNs, Math.min(rnrTimerNs, MOST_RETRY_NS));
    }

    void remove(TenantQp qp) {
        members.remove(qp);
    }

    /** The QP of a connection to another host is in ERR: it ends behind what is being done. */
    void fell(ChainEnd end) {
        if (!fallen.contains(end)) {
            fallen.add(end);
        }
    }

    /** Notes whose memory a turn may touch. */
    void touches(Recent recent) {
        recent.add(device);
        for (int i = 0; i < members.size(); i++) {
            TenantQp peer = members.get(i).receiver();
            if (peer != null) {
                recent.add(peer.device());
            }
        }
    }

    /** Changes who the members are. @throws RefusedException when there is no place */
    void change(Predicate<ByteBuffer> change, String what) {
        try {
            group.change(change, what);
        } catch (VerbsException e) {
            throw new RefusedException(Refusal.QUOTA, "device=" + device + " pd=" + pd + " " + e.getMessage());
        }
    }

    int at() {
        return group.context();
    }

    /** It may have something to do. */
    void ready() {
        device.worker().ready(this);
    }

    /** Executes what it may at once; returns {@link TenantSend#DONE}, MORE, or STALLED until {@link #againNs}. */
    int turn(long nowNs) {
        long before = group.executed();
        fallen.forEach(ChainEnd::flush);
        fallen.clear();
        group.resume();
        executed = (int) (group.executed() - before);
        if (!group.isHeld() || group.isCutOff()) {
            return TenantSend.DONE;
        }
        if (group.isSpent() && executed > 0) {
            return TenantSend.MORE;
        }
        againNs = nowNs + (group.isSpent() ? restNs : retryNs);
        return TenantSend.STALLED;
    }

    /** Its tenant's budget is used up until a time. */
    void rest(long untilNs) {
        againNs = untilNs;
    }

    /** Returns how many bytes the last turn moved. */
    long bytes() {
        return group.movedBytes();
    }

    /** Returns how many WQEs the last turn executed. */
    int executed() {
        return executed;
    }

    void limit(long rate, long burst) {
        group.limitRate(rate, burst);
        double halfNs = Math.min(burst, RUN_WQES) * 0.5e9 / rate;
        restNs = (long) Math.min(MOST_REST_NS, Math.max(LEAST_REST_NS, halfNs));
        ready();
    }

    /** Stops it for good. */
    void cutOff() {
        group.cutOff();
        members.forEach(qp -> device.told().failed(qp.number()));
    }

    ChainsNote.State state() {
        return new ChainsNote.State(group.executed(), group.isCutOff());
    }

    /** No QP is a member any more. */
    void close() {
        if (!closed) {
            closed = true;
            group.close();
            device.own().give(context.address(), GroupContext.BYTES);
        }
    }

    // What those who deliver messages do.

    @Override
    public boolean claim() {
        return !group.isCutOff();
    }

    @Override
    public void run() {
        ready();
    }

    @Override
    public void release() {
        // there is one thread
    }

    @Override
    public boolean isHeld() {
        return false;
    }

    @Override
    public void resume() {
        ready();
    }

    // What chains know of their host: a peer is always one that was found for them.

    @Override
    public AddressSpace arenaOf(String name) {
        throw new VerbsException("modify_qp", "no device of the name " + name);
    }

    @Override
    public Runnable wakerOf(String name) {
        return null;
    }

    @Override
    public LongSupplier clock() {
        return device.worker().clock();
    }
}
