package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.Mirror;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.rc.WqeExecutor;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/**
 * The send queue of a cross-channel QP. A managed one runs as far as ENABLE lets it and takes each WQE from the ring
 * when it executes it, or, prefetching, when an ENABLE allows it; any other runs as far as its doorbell says, and
 * fetches ahead. What is changed in the ring after it was fetched does not count. With the claim of its group.
 */
final class CrossChannelQueue {

    /** How many blocks are fetched ahead; 0 for none but those of the next WQE. */
    private static final int PREFETCH = Integer.getInteger("jvrpc.softrnic.prefetch", 8);
    /** As many as a WQE may have. */
    private static final int COPY_BLOCKS = 16;

    private final ChainGroup group;
    private final long address;
    private final ByteBuffer memory;
    private final int context;
    private final int qpn;
    private final boolean managed;
    private final boolean prefetching;
    private final boolean checked;
    private final int ringMask;
    private final ByteBuffer ringMemory;
    private final int ring;
    /** Where WQEs are executed: the ring, or the copy of it that was fetched, or one of the WQE at hand. */
    private final ByteBuffer code;
    private final int codeAt;
    private final ByteBuffer qpMemory;
    private final int qp;
    /** Where the doorbell record lies: behind the QP's context, or that of its owner, who is not trusted then. */
    private final ByteBuffer records;
    private final int record;
    private final boolean apart;
    private final WqeExecutor executor;
    private final CqWriter completions;
    /** Null for a queue whose WQEs are checked, or fetched ahead. */
    private final ShortRun shortRun;
    private Responder responder;
    private ShortVerbs shorts;
    /** Of a peer that is reached by packets, in the place of the two. */
    private RemoteVerbs remote;
    /** True where the peer is this QP, which is ready when it sends. */
    private boolean loops;
    /** The CQ of the WAIT that is looked at; null when there is none of its number. */
    private ChainCq awaited;
    private int executed;
    private int limit;
    /** What the two were when the run began. */
    private int begunExecuted;
    private int begunLimit;
    private int bytes;
    private boolean unready;
    /** The group has it on its list. */
    private boolean listed;

    CrossChannelQueue(ChainGroup group, long address) {
        this.group = group;
        this.address = address;
        CqContext.checkAlignment(address, "queue");
        this.memory = window(address, QueueContext.BYTES, "queue");
        this.context = Slab.index(address);
        int blocks = QueueContext.blocks(memory, context);
        if (!QueueContext.isSane(memory, context, blocks)) {
            throw new VerbsException("modify_qp", "no queue at address=0x" + Long.toHexString(address));
        }
        this.qpn = QueueContext.qpn(memory, context);
        this.managed = QueueContext.has(memory, context, QueueContext.MANAGED);
        this.prefetching = managed && QueueContext.has(memory, context, QueueContext.PREFETCHING);
        this.checked = QueueContext.has(memory, context, QueueContext.CHECKED);
        this.ringMask = blocks * Wqe.BLOCK - 1;
        long ringAddress = QueueContext.ring(memory, context);
        this.ringMemory = window(ringAddress, (long) blocks * Wqe.BLOCK, "send ring");
        this.ring = Slab.index(ringAddress);
        long qpAddress = QueueContext.qp(memory, context);
        CqContext.checkAlignment(qpAddress, "queue pair");
        this.qpMemory = window(qpAddress, QpContext.BYTES, "queue pair");
        this.qp = Slab.index(qpAddress);
        long owner = QpContext.owner(qpMemory, qp);
        this.apart = owner != 0;
        this.records = apart ? window(owner, QpContext.BYTES, "queue pair") : qpMemory;
        this.record = (apart ? Slab.index(owner) : qp) + QpContext.RECORD;
        boolean copies = !apart && (!managed || prefetching);
        this.code = apart ? ByteBuffer.allocateDirect(COPY_BLOCKS * Wqe.BLOCK).order(ByteOrder.LITTLE_ENDIAN)
                : copies ? memory : ringMemory;
        this.codeAt = apart ? 0 : copies ? context + QueueContext.FETCHED_RING : ring;
        if (copies) {
            window(address, QueueContext.BYTES + (long) blocks * Wqe.BLOCK, "copy of the send ring");
        }
        QueueMemory queue =
                new QueueMemory(code, codeAt, apart ? COPY_BLOCKS : blocks, Wqe.BLOCK, records, record);
        this.executor = new WqeExecutor(queue, new DataSegments(queue, group.pd(), group.keys()),
                QueueContext.rnrRetry(memory, context), group.host().clock());
        executor.limit(group.bounds().wqeBytes());
        this.completions = CqWriter.of(group.space(), QueueContext.cq(memory, context), qpn, () -> { }, true);
        this.shortRun = managed && !checked && completions.isCrossChannel()
                ? new ShortRun(this, group, shortCode(), shortCodeAt(), ringMask, qpMemory, qp, completions) : null;
    }

    /** Returns where short verbs are executed, which read each field of a WQE once: the ring itself, wherever it is. */
    private ByteBuffer shortCode() {
        return apart ? ringMemory : code;
    }

    private int shortCodeAt() {
        return apart ? ring : codeAt;
    }

    private ByteBuffer window(long address, long bytes, String what) {
        return group.space().window(address, bytes, what);
    }

    /** Returns true for the queue at an address, unless another has that memory since. */
    boolean is(long queue) {
        return address == queue && qpn == QueueContext.qpn(memory, context);
    }

    int qpn() {
        return qpn;
    }

    /** Returns true when the queue stopped at a peer that is not ready to receive. */
    boolean isUnready() {
        return unready;
    }

    /** Takes up where the last run stopped, maybe another process's. Returns true when the group lists it as ready. */
    boolean begin() {
        executed = QueueContext.executed(memory, context);
        limit = QueueContext.limit(memory, context);
        begunExecuted = executed;
        begunLimit = limit;
        unready = false;
        listed = executed != limit;
        return listed;
    }

    /** Returns whether there are WQEs that it may execute, unless they wait: else the group lists it no more. */
    boolean staysReady() {
        listed = executed != limit;
        return listed;
    }

    /** Says where the run stopped. */
    void end() {
        if (executed != begunExecuted || limit != begunLimit) { // most queues of a group rest
            QueueContext.executed(memory, context, executed);
            QueueContext.limit(memory, context, limit);
        }
    }

    /** Runs until the queue waits, or is as far as it may go, or the run is over; false when nothing was done. */
    boolean run() {
        unready = false;
        boolean progress = false;
        while (executed != limit) {
            if (shortRun != null && group.isQuick()) {
                int done = shortRun.run(group.remaining());
                progress |= done > 0;
                if (shortRun.waits() || executed == limit) {
                    break;
                }
            }
            if (!group.take()) {
                break;
            }
            if (!step()) {
                group.giveBack();
                break;
            }
            group.took(0, bytes);
            progress = true;
        }
        return progress;
    }

    /** Returns the index of the next WQE. */
    int next() {
        return executed;
    }

    /** Returns the index of the first WQE that it may not execute yet. */
    int allowed() {
        return limit;
    }

    /** Counts WQEs as executed, up to a block. */
    void advance(int block) {
        executed = block;
    }

    /** Returns what executes short verbs; null while the peer is not known. */
    ShortVerbs shorts() {
        return shorts;
    }

    /** The WQE that was retried is executed, or no more there. */
    void forgetRetries() {
        executor.begin();
    }

    /** Returns whether the peer takes messages, once it is known. */
    boolean isPeerReady() {
        return loops || responder.isReady();
    }

    /** Executes the next WQE; false when it has to wait. */
    private boolean step() {
        int index = executed;
        int room = limit - index;
        int inRing = index * Wqe.BLOCK & ringMask;
        int at = apart ? 0 : inRing;
        bytes = 0;
        if (apart) {
            copyBlock(inRing, 0);
        } else if (!managed) {
            fetch(index, room);
        }
        long control = BigEndian.getLong(code, codeAt + at);
        int word = (int) (control >>> 32);
        int opcode = Wqe.opcode(word);
        int segments = Wqe.segments((int) control);
        int blocks = Math.max(1, Wqe.blocks(segments));
        boolean sound = segments > 0 && blocks <= room
                && (!checked || Wqe.index(word) == (index & 0xffff) && Wqe.qpn((int) control) == qpn);
        for (int i = 1; apart && sound && i < blocks; i++) {
            copyBlock(inRing + i * Wqe.BLOCK & ringMask, i * Wqe.BLOCK);
        }
        if (!QpContext.isRts(qpMemory, qp)) {
            completions.fail(index, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
            executed += Math.min(blocks, room);
            return true;
        }
        if (sound && opcode == Wqe.WAIT && isWaiting(at)) {
            return false;
        }
        long flags = BigEndian.getLong(code, codeAt + at + 8);
        ChainTracer tracer = group.tracer();
        if (tracer != null) {
            tracer.before(qpn, index);
        }
        WcStatus status = sound ? execute(at, inRing, control, flags) : WcStatus.LOC_QP_OP_ERR;
        if (status == null) {
            unready = remote == null; // else it is run again when the peer has answered
            return false;
        }
        executed += Math.min(blocks, room);
        if (Wqe.isSignalled(flags) || status != WcStatus.SUCCESS) {
            complete(index, opcode, status);
        }
        if (tracer != null) {
            tracer.after(qpn, index, status);
        }
        return true;
    }

    private void complete(int index, int opcode, WcStatus status) {
        if (status == WcStatus.SUCCESS) {
            completions.succeed(opcode, index, bytes);
        } else {
            Mirror.fail(group.space(), qpMemory, qp);
            completions.fail(index, Cqe.REQ_ERR, status, 0);
        }
    }

    /** Copies what lies ahead in the ring, unless that was done before. */
    private void fetch(int executed, int room) {
        int fetched = QueueContext.fetched(memory, context);
        if (fetched - executed <= 0) {
            fetched = copy(executed, executed + Math.min(room, Math.max(PREFETCH, 1)));
        }
        // A WQE that was fetched in part says itself how long it is.
        int word = BigEndian.getInt(code, codeAt + (executed * Wqe.BLOCK & ringMask) + Wqe.QPN_DS);
        fetched = copy(fetched, executed + Math.min(room, Wqe.blocks(Wqe.segments(word))));
        QueueContext.fetched(memory, context, fetched);
    }

    /** Copies the blocks up to {@code end}; returns the first that is not copied. */
    private int copy(int block, int end) {
        for (; end - block > 0; block++) {
            int at = block * Wqe.BLOCK & ringMask;
            copyBlock(at, at);
        }
        return block;
    }

    private void copyBlock(int from, int to) {
        Copy.bytes(ringMemory, ring + from, code, codeAt + to, Wqe.BLOCK);
    }

    private boolean isWaiting(int at) {
        awaited = group.cq(BigEndian.getInt(code, codeAt + at + Wqe.OBJECT));
        return awaited != null && !awaited.has(BigEndian.getInt(code, codeAt + at + Wqe.INDEX));
    }

    /** Executes a WQE; null when its peer is not ready to receive. */
    private WcStatus execute(int at, int inRing, long control, long flags) {
        int opcode = Wqe.opcode((int) (control >>> 32));
        int segments = Wqe.segments((int) control);
        switch (opcode) {
            case Wqe.NOP:
                return WcStatus.SUCCESS;
            case Wqe.WAIT:
                return awaited != null && segments == 2 ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
            case Wqe.SEND_ENABLE:
            case Wqe.RECV_ENABLE:
                CrossChannelQueue target = group.queue(BigEndian.getInt(code, codeAt + at + Wqe.OBJECT));
                int index = BigEndian.getInt(code, codeAt + at + Wqe.INDEX);
                boolean enabled = target != null && segments == 2
                        && (opcode == Wqe.SEND_ENABLE ? target.enableSend(index) : target.enableReceive(index));
                return enabled ? WcStatus.SUCCESS : WcStatus.LOC_QP_OP_ERR;
            default:
                return transfer(at, inRing, control, flags);
        }
    }

    private WcStatus transfer(int at, int inRing, long control, long flags) {
        if (responder == null && remote == null && !connect()) {
            return WcStatus.RETRY_EXC_ERR;
        }
        if (remote != null) {
            return executeRemotely(at, control);
        }
        if (!group.isInterpreted() && isPeerReady() && shorts.execute(apart ? inRing : at, control)) {
            bytes = shorts.bytes();
            executor.begin();
            return WcStatus.SUCCESS;
        }
        responder.resume(QueueContext.consumed(memory, context));
        WcStatus status = executor.execute(at, control, flags);
        if (status != null) {
            executor.begin();
        }
        bytes = executor.bytes();
        QueueContext.consumed(memory, context, responder.consumed());
        return status;
    }

    private WcStatus executeRemotely(int at, long control) {
        WcStatus status = remote.execute(code, codeAt, at, ringMask, Wqe.blocks(Wqe.segments((int) control)));
        bytes = status == null ? 0 : remote.bytes();
        return status;
    }

    /** Looks for the peer; false where what is written of it makes no sense, so that whoever runs this is spared. */
    private boolean connect() {
        try {
            find();
            return true;
        } catch (VerbsException e) {
            return false;
        }
    }

    private void find() {
        remote = group.peers().remote(qpn);
        Responder known = remote != null ? null : group.peers().found(qpn);
        if (known != null) {
            begin(known);
        }
        if (remote != null || known != null) {
            return;
        }
        String name = QueueContext.peerDevice(memory, context);
        Runnable waker = group.host().wakerOf(name);
        AddressSpace space = group.peers().space(name);
        Responder peer = new Responder(space, QueueContext.peer(memory, context),
                waker == null ? () -> { } : waker, false, group.peers().keyOf(name));
        if (peer.group() != 0 && !group.is(name, peer.group())) {
            peer.chains(new ChainGroup(group.host(), space, name, peer.group()));
        }
        loops = group.is(name, peer.group()) && QueueContext.peer(memory, context) == QueueContext.qp(memory, context);
        begin(peer);
    }

    private void begin(Responder peer) {
        executor.connect(peer);
        shorts = new ShortVerbs(shortCode(), shortCodeAt(), ringMask, group.keys(), peer.keys(),
                group.bounds().wqeBytes());
        responder = peer;
    }

    /** Lets go of the peer; the next WQE that needs one looks for it. */
    void forgetPeer() {
        executor.begin();
        executor.connect(null);
        shorts = null;
        responder = null;
        remote = null;
    }

    boolean enableSend(int index) {
        short ahead = (short) (index - limit);
        if (managed && ahead > 0) {
            if (prefetching) {
                copy(limit, limit + ahead);
            }
            limit += ahead;
            if (!listed) {
                listed = true;
                group.addReady(this);
            }
        }
        return managed;
    }

    boolean enableReceive(int index) {
        if (!QueueContext.has(memory, context, QueueContext.MANAGED_RECEIVE)) {
            return false;
        }
        int receives = record + DoorbellRecord.RECEIVE;
        int counter = BigEndian.getIntAcquire(records, receives);
        short ahead = (short) (index - counter);
        if (ahead > 0) {
            BigEndian.putIntRelease(records, receives, counter + ahead & DoorbellRecord.COUNTER_MASK);
        }
        return true;
    }
}
