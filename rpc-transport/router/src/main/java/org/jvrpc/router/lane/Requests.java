package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemotePath;
import org.jvrpc.verbs.WcStatus;

/**
 * What a QP of another host asks for: each is executed once, in the order of their numbers, and told of. What stands in
 * a message is looked at before it is used, as its sender may be anything. The worker's thread.
 */
final class Requests {

    private static final long MOST_TOTAL = 1 << 30;

    private final RemoteQp qp;
    private final RemotePath.Local local;
    private final DirectRequests direct;
    private final long[] operands = new long[4];
    private final long[] found = new long[1];
    private int expected;
    /** What is expected was refused for now: those behind it are on their way, and will come again. */
    private boolean refused;
    /** One has failed: nothing behind it is looked at. */
    private boolean fallen;
    private boolean over;
    /** Bytes of the message that comes in pieces. */
    private int partial;
    private int partialTotal;
    private int partialOpcode;
    private int unsaid;
    private boolean owes;
    private boolean owesNow;
    private boolean listed;
    private long owesSinceNs;
    private int answerSlot = -1;
    private int answerLength;

    Requests(RemoteQp qp, RemotePath.Local local) {
        this.qp = qp;
        this.local = local;
        this.direct = new DirectRequests(qp, this, local);
    }

    DirectRequests direct() {
        return direct;
    }

    int expected() {
        return expected;
    }

    boolean isFallen() {
        return fallen;
    }

    /** Returns before which sequence all came, which is said now. */
    int say() {
        owes = false;
        owesNow = false;
        unsaid = 0;
        return expected;
    }

    /** The QP is gone: whoever waits for word of it need not. @param lanes null for none */
    void end(LaneSet lanes) {
        direct.close(true);
        if (!fallen && lanes != null && lanes.mayAnswer()) {
            qp.say(LaneHeader.FAILED, 0, WcStatus.RETRY_EXC_ERR.ordinal(), expected);
        }
        fallen = true;
        over = true;
    }

    /** Takes one; false when it is none that the peer may send. */
    boolean take(int kind, int sequence, ByteBuffer m, int at, int length, long nowNs) {
        if (fallen) {
            return true;
        }
        if (sequence != expected) {
            return sequence - expected > 0 && refused;
        }
        if (direct.isUnderWay()) {
            return false;
        }
        WcStatus status;
        try {
            switch (kind) {
                case LaneHeader.DATA -> {
                    if (!isPart(m, at, length)) {
                        return false;
                    }
                    status = local.arrive(LaneHeader.opcode(m, at), LaneHeader.immediate(m, at),
                            LaneHeader.rkey(m, at), LaneHeader.address(m, at), LaneHeader.total(m, at),
                            LaneHeader.skip(m, at), m, at + LaneHeader.BYTES, length);
                }
                case LaneHeader.READ -> {
                    int asked = LaneHeader.total(m, at);
                    if (length != 0 || asked < 0 || asked > LaneSet.MOST_DATA || partial != 0) {
                        return false;
                    }
                    return answerWith(read(m, at, asked));
                }
                case LaneHeader.OFFER, LaneHeader.ASK -> {
                    return takeDirect(kind, m, at, length);
                }
                default -> {
                    int opcode = LaneHeader.opcode(m, at);
                    if (operands(opcode) == 0 || length != operands(opcode) * Long.BYTES || partial != 0) {
                        return false;
                    }
                    return answerWith(atomic(m, at, opcode));
                }
            }
        } catch (InternalError e) {
            local.vanished(e);
            if (answerSlot >= 0) {
                return answerWith(WcStatus.REM_OP_ERR);
            }
            status = WcStatus.REM_OP_ERR;
        }
        if (settle(status)) {
            part(LaneHeader.opcode(m, at), LaneHeader.total(m, at), LaneHeader.skip(m, at) + length);
            owe(LaneHeader.flags(m, at), nowNs);
        }
        return true;
    }

    /** Takes one whose bytes go directly; false when it is none that the peer may send. */
    private boolean takeDirect(int kind, ByteBuffer m, int at, int length) {
        boolean offers = kind == LaneHeader.OFFER;
        int bytes = offers ? DirectRequests.offered(m, at, length) : LaneHeader.total(m, at);
        boolean may = offers ? bytes > 0 && isPart(m, at, bytes)
                : length == 0 && bytes >= Bulk.LEAST && bytes <= Bulk.MOST && partial == 0;
        if (!may) {
            return false;
        }
        WcStatus status = offers ? direct.offer(m, at, bytes) : direct.ask(m, at, bytes);
        if (status != WcStatus.SUCCESS) {
            settle(status);
        }
        return true;
    }

    /** Notes how much of a message came. */
    void part(int opcode, int total, int came) {
        partialOpcode = opcode;
        partialTotal = total;
        partial = came == total ? 0 : came;
    }

    /** Returns how many operands an atomic has; 0: it is none. */
    static int operands(int opcode) {
        return switch (opcode) {
            case Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_FA -> 2;
            case Wqe.ATOMIC_MASKED_CS -> 4;
            default -> 0;
        };
    }

    /** Tells whether a piece follows what came before. */
    private boolean isPart(ByteBuffer m, int at, int length) {
        int opcode = LaneHeader.opcode(m, at);
        int total = LaneHeader.total(m, at);
        int skip = LaneHeader.skip(m, at);
        boolean known = opcode == Wqe.SEND || opcode == Wqe.SEND_IMM || opcode == Wqe.RDMA_WRITE
                || opcode == Wqe.RDMA_WRITE_IMM;
        boolean follows = skip == partial && (partial == 0 || total == partialTotal && opcode == partialOpcode);
        return known && follows && total >= 0 && total <= MOST_TOTAL && length <= total - skip
                && (length > 0 || total == 0);
    }

    /** Notes how a request ended, and says so unless it succeeded. */
    boolean settle(WcStatus status) {
        if (status == WcStatus.SUCCESS) {
            expected++;
            refused = false;
            return true;
        }
        if (status == null) {
            refused = true;
            qp.say(LaneHeader.AGAIN, local.isConnecting() ? LaneHeader.BUSY : 0, 0, expected);
        } else if (!fallen) {
            fallen = true;
            qp.say(LaneHeader.FAILED, 0, status.ordinal(), expected);
        }
        return false;
    }

    private WcStatus read(ByteBuffer m, int at, int asked) {
        ByteBuffer memory = openAnswer(asked);
        return local.read(LaneHeader.rkey(m, at), LaneHeader.address(m, at), memory,
                Slots.at(answerSlot) + LaneHeader.BYTES, asked);
    }

    private WcStatus atomic(ByteBuffer m, int at, int opcode) {
        ByteBuffer memory = openAnswer(8);
        for (int i = 0; i < operands(opcode); i++) {
            operands[i] = m.getLong(at + LaneHeader.BYTES + i * Long.BYTES);
        }
        WcStatus status = local.atomic(opcode, LaneHeader.rkey(m, at), LaneHeader.address(m, at), operands, found);
        memory.putLong(Slots.at(answerSlot) + LaneHeader.BYTES, found[0]);
        return status;
    }

    private ByteBuffer openAnswer(int bytes) {
        Slots all = qp.pair().lanes().slots();
        answerSlot = all.take();
        answerLength = bytes;
        qp.begin(all.memory(), Slots.at(answerSlot), LaneHeader.ANSWER, expected);
        LaneHeader.length(all.memory(), Slots.at(answerSlot), bytes);
        return all.memory();
    }

    private boolean answerWith(WcStatus status) {
        int slot = answerSlot;
        answerSlot = -1;
        if (settle(status)) {
            qp.post(qp.pair().lanes(), slot, LaneHeader.BYTES + answerLength);
        } else {
            qp.pair().lanes().slots().give(slot);
        }
        return true;
    }

    void owe(int flags, long nowNs) {
        owesNow |= (flags & LaneHeader.ASKS) != 0 || ++unsaid >= RemoteQp.WINDOW / 4;
        if (!owes) {
            owes = true;
            owesSinceNs = nowNs;
        }
        if (!listed) {
            listed = true;
            qp.pair().lanes().owe(this);
        }
    }

    /** Says what came, when it is time; true when there is nothing to say any more. */
    boolean sayWhatCame(long nowNs) {
        if (!owes || over) {
            listed = false;
            return true;
        }
        if (!owesNow && nowNs - owesSinceNs < LaneSet.ACK_NS) {
            return false;
        }
        if (!qp.pair().lanes().mayAnswer()) {
            return false;
        }
        listed = false;
        qp.say(LaneHeader.ACK, 0, 0, expected);
        return true;
    }
}
