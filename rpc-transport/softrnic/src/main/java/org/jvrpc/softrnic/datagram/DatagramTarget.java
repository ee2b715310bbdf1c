package org.jvrpc.softrnic.datagram;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.softrnic.queue.Mirror;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.host.ProcessId;
import org.jvrpc.verbs.rare.Rare;

/**
 * A UD QP as one of its senders sees it. Senders of any process claim it for one message each, so that receives are
 * consumed, and completions published, in order. What a process that died with the claim left undone is put right by
 * whoever takes the claim over: a message is delivered or is not, and its receive is used once. One thread.
 */
public final class DatagramTarget {

    /** How often a sender looks for the claim before it drops its message: some milliseconds. */
    private static final int CLAIM_TURNS = 100_000;
    private static final int LIFE_CHECK_TURNS = 10_000;
    private static final int YIELD_TURNS = 64;

    private final ByteBuffer memory;
    private final int context;
    /** What holds record and ring: the context's memory, or that of its owner's copy. */
    private final ByteBuffer rings;
    private final int copy;
    private final int ring;
    private final int mask;
    private final int stride;
    private final int qpn;
    private final int qkey;
    private final SharedKeys keys;
    private final CqWriter completions;
    private long suspect;

    /**
     * @param wake called when the QP's CQ is armed
     * @throws VerbsException when there is no UD QP at the address
     */
    public DatagramTarget(AddressSpace arena, long address, Runnable wake) {
        CqContext.checkAlignment(address, "queue pair");
        Slab slab = arena.require(address, QpContext.BYTES, "queue pair");
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        int entries = QpContext.rqEntries(memory, context);
        this.stride = QpContext.rqStride(memory, context);
        long owner = QpContext.owner(memory, context);
        long behind = owner == 0 ? address : owner;
        CqContext.checkAlignment(behind, "queue pair");
        Slab ringSlab = owner == 0 ? slab : arena.require(owner, QpContext.BYTES, "queue pair");
        boolean sane = QpContext.isSane(memory, context, entries, stride) && QpContext.isDatagram(memory, context)
                && ringSlab.containsInWindow(behind, QpContext.RINGS + (long) entries * stride);
        if (!sane) {
            throw new VerbsException("create_ah", "no datagram QP at address=0x" + Long.toHexString(address));
        }
        this.rings = ringSlab.window(behind);
        this.copy = Slab.index(behind);
        this.ring = copy + QpContext.RINGS;
        this.mask = entries - 1;
        this.qpn = QpContext.qpn(memory, context);
        this.qkey = DatagramContext.qkey(memory, context);
        this.keys = new SharedKeys(arena, QpContext.pd(memory, context));
        this.completions = CqWriter.of(arena, QpContext.cq(memory, context), qpn, wake, false);
    }

    int qpn() {
        return qpn;
    }

    /** Returns true while the QP takes messages; it never does again after it ended. */
    public boolean isReady() {
        return QpContext.isReady(memory, context);
    }

    /**
     * Delivers a message, or drops it and counts that.
     *
     * @param immediate for {@link Cqe#RESP_SEND_IMM}
     */
    public void deliver(GatherList message, int cqeOpcode, int immediate, int sourceQpn, int key) {
        if (key != qkey) {
            drop(DatagramContext.Drop.QKEY);
        } else if (!claim()) {
            drop(DatagramContext.Drop.BUSY);
        } else {
            try {
                place(message, cqeOpcode, immediate, sourceQpn);
            } finally {
                DatagramContext.release(memory, context);
            }
        }
    }

    private void drop(DatagramContext.Drop why) {
        DatagramContext.drop(memory, context, why);
        if (rings != memory) {
            DatagramContext.drop(rings, copy, why); // its owner counts there
        }
    }

    private void place(GatherList message, int cqeOpcode, int immediate, int sourceQpn) {
        int consumed = DatagramContext.consumed(DatagramContext.hand(memory, context));
        // Acquire: pairs with the release of the counter by the owner's post.
        int posted = BigEndian.getIntAcquire(rings, copy + QpContext.RECORD + DoorbellRecord.RECEIVE);
        if ((posted - consumed & DoorbellRecord.COUNTER_MASK) == 0) {
            drop(DatagramContext.Drop.NO_RECEIVE);
            return;
        }
        int wqe = ring + (consumed & mask) * stride;
        int total = QueuePair.DATAGRAM_HEADER_BYTES + (int) message.total();
        if (capacity(wqe) < total) {
            drop(DatagramContext.Drop.TOO_LONG);
            return;
        }
        boolean placed = scatter(wqe, message);
        int cqe = completions.claim();
        if (cqe < 0) {
            drop(DatagramContext.Drop.NO_CQE);
            return;
        }
        DatagramContext.hand(memory, context, consumed, cqe + 1);
        ByteBuffer cq = completions.memory();
        if (placed) {
            BigEndian.putInt(cq, cqe + Cqe.FLAGS_RQPN, sourceQpn);
            BigEndian.putInt(cq, cqe + Cqe.IMMEDIATE, immediate);
            BigEndian.putInt(cq, cqe + Cqe.BYTE_COUNT, total);
            completions.publish(cqe, 0, consumed, cqeOpcode, 0);
        } else {
            completions.error(cqe, consumed, Cqe.RESP_ERR, WcStatus.LOC_PROT_ERR, 0);
            QpContext.fail(memory, context);
            if (rings != memory) {
                Mirror.state(rings, copy, QueuePairState.ERR);
            }
            completions.attention();
        }
        DatagramContext.hand(memory, context, consumed + 1, 0);
    }

    private long capacity(int wqe) {
        long capacity = 0;
        for (int at = wqe; at < wqe + stride && !Wqe.isEnd(rings, at); at += Wqe.SEGMENT) {
            capacity += Wqe.byteCount(rings, at);
        }
        return capacity;
    }

    /** Places the message behind the room for the header; false when a key of the receive refuses. */
    private boolean scatter(int wqe, GatherList message) {
        long skip = QueuePair.DATAGRAM_HEADER_BYTES;
        long done = 0;
        for (int at = wqe; at < wqe + stride && done < message.total(); at += Wqe.SEGMENT) {
            long length = Wqe.byteCount(rings, at);
            long head = Math.min(skip, length);
            skip -= head;
            long piece = Math.min(message.total() - done, length - head);
            if (piece > 0) {
                long address = Wqe.dataAddress(rings, at) + head;
                Slab slab = keys.find(Wqe.dataLkey(rings, at), address, piece, Access.LOCAL_WRITE);
                if (slab == null) {
                    return false;
                }
                message.gather(done, slab, address, piece);
                done += piece;
            }
        }
        return done == message.total();
    }

    /** Claims the QP, waiting a moment for who has it; false when that takes too long. */
    private boolean claim() {
        for (int turn = 1; turn <= CLAIM_TURNS; turn++) {
            long owner = DatagramContext.claimant(memory, context);
            if (owner == 0 && DatagramContext.claim(memory, context, 0, ProcessId.SELF)) {
                return true;
            }
            if (turn % LIFE_CHECK_TURNS == 0 && ProcessId.isDead(owner) && takeOver(owner)) {
                return true;
            }
            if (turn % YIELD_TURNS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Takes the claim of a dead process over and puts right what it left. */
    private boolean takeOver(long dead) {
        if (!DatagramContext.claim(memory, context, dead, ProcessId.SELF)) {
            return false;
        }
        Rare.reached("a dead sender of datagrams is taken over from");
        long hand = DatagramContext.hand(memory, context);
        int process = ProcessId.number(dead);
        int consumed = DatagramContext.consumed(hand);
        // A CQE in hand that is not claimed any more was published: nobody clears claims of this QP but who holds it.
        boolean published = DatagramContext.cqe(hand) != 0 && !completions.hasClaims(process);
        // Before the claims go: who takes over from this process, should it die here, decides alike.
        DatagramContext.hand(memory, context, published ? consumed + 1 : consumed, 0);
        completions.clearClaims(process);
        return true;
    }

    /** For the QP's owner, when it ends: waits a moment for a message that is just being delivered. */
    public synchronized void settle() {
        if (claim()) {
            DatagramContext.release(memory, context);
        }
    }

    /**
     * For the QP's owner, now and then: frees the QP, and its CQ, from a sender that died with the claim. Found dead
     * the second time that it is seen with it, so that the usual case costs a look.
     */
    public synchronized void lookForDead() {
        long owner = DatagramContext.claimant(memory, context);
        if (owner == suspect && ProcessId.isDead(owner) && takeOver(owner)) {
            DatagramContext.release(memory, context);
        }
        suspect = owner;
    }
}
