package org.jvrpc.ibverbs.card;

import java.io.ByteArrayOutputStream;
import org.jvrpc.ibverbs.binding.Ibv;

/**
 * Executes the send queue of one QP of the model, in order and to the end: what the reference says of opcodes, segments
 * and syndromes. Numbers are those of mlx5dv.h. Under the model's lock.
 */
final class ModelEngine {

    private static final int LOCAL_WRITE = 1;
    private static final int REMOTE_WRITE = 2;
    private static final int REMOTE_READ = 4;
    private static final int REMOTE_ATOMIC = 8;
    private static final int LOC_LEN = 0x01;
    private static final int LOC_QP_OP = 0x02;
    private static final int LOC_PROT = 0x04;
    private static final int FLUSHED = 0x05;
    private static final int REM_INVALID = 0x12;
    private static final int REM_ACCESS = 0x13;
    private static final int REM_OP = 0x14;
    private static final int RETRY = 0x15;
    private static final int RNR = 0x16;
    private static final int DONE = -1;
    private static final int LATER = -2;
    private static final long CONNECT_NS = 3_000_000_000L;
    private static final long LOST_NS = 20_000_000L;

    private final ModelQp qp;
    private final int segments;
    private final int opcode;
    private byte[] data;
    private int length;
    private int reached;

    private ModelEngine(ModelQp qp) {
        this.qp = qp;
        this.segments = qp.segments();
        this.opcode = (int) (qp.word(0) >>> 32) & 0xff;
    }

    /** Executes what is posted; stops where the peer is not ready. */
    static void run(ModelQp qp) {
        while (qp.hasSends() && (qp.state == Ibv.QPS_RTS || qp.state == Ibv.QPS_ERR)) {
            if (qp.state == Ibv.QPS_RTS && qp.againNs != 0 && System.nanoTime() - qp.againNs < 0) {
                return;
            }
            qp.againNs = 0;
            ModelEngine wqe = new ModelEngine(qp);
            int result = qp.state == Ibv.QPS_ERR ? FLUSHED : wqe.execute();
            if (result == LATER) {
                return;
            }
            qp.tries = 0;
            qp.waitsSinceNs = 0;
            wqe.complete(result);
            qp.executed += Math.max(1, wqe.segments + 3 >> 2);
        }
        if (!qp.hasSends()) {
            qp.againNs = 0;
        }
    }

    /** Reports the receives of a QP in ERR. */
    static void flushReceives(ModelQp qp) {
        while (qp.state == Ibv.QPS_ERR && qp.srq == null && qp.postedReceives() > 0) {
            failReceive(qp, FLUSHED);
        }
    }

    private void complete(int result) {
        int flags = (int) (qp.word(8) >>> 32) & 0xff;
        if (result == DONE && (flags & 0x0c) == 0) {
            return;
        }
        ModelCq.Entry entry = new ModelCq.Entry();
        entry.opcode = result == DONE ? 0 : 13;
        entry.sendOpcode = opcode;
        entry.counter = qp.executed & 0xffff;
        entry.qpn = qp.number;
        entry.uidx = 0x00abcd; // a card's index of the user's, which is no number of a QP
        entry.byteCount = opcode == 0x11 || opcode == 0x12 ? 0x20 : length;
        if (result != DONE) {
            entry.syndrome = result;
            entry.vendorError = 0x70 + result;
            qp.state = Ibv.QPS_ERR;
        } else if (opcode == 0x10 || opcode == 0x11 || opcode == 0x12) {
            entry.data = data;
        }
        if (!qp.sendCq.write(entry)) {
            qp.card.overran(qp.sendCq);
        }
    }

    private int execute() {
        int word = (int) (qp.word(0) >>> 32);
        int qpn = (int) qp.word(0) >>> 8;
        if ((word >>> 8 & 0xffff) != (qp.executed & 0xffff) || qpn != qp.number || segments == 0) {
            qp.card.faults.add("WQE index=" + (word >>> 8 & 0xffff) + " expected=" + (qp.executed & 0xffff) + " qpn="
                    + qpn + " expected=" + qp.number + " ds=" + segments);
            return LOC_QP_OP;
        }
        switch (opcode) {
            case 0x00:
                return DONE;
            case 0x0a:
            case 0x0b:
                return qp.datagram ? datagram() : send();
            case 0x08:
            case 0x09:
                return write();
            case 0x10:
                return read();
            case 0x11:
            case 0x12:
                return atomic();
            default:
                return LOC_QP_OP;
        }
    }

    /** Gathers the data segments from an offset on; false when a key refuses. */
    private boolean gather(int from) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = from;
        while (at < segments * 16) {
            int count = (int) (qp.word(at) >>> 32);
            if (count < 0) {
                count &= Integer.MAX_VALUE;
                for (int i = at + 4; i < at + 4 + count; i++) {
                    out.write((int) (qp.word(i & -8) >>> 8 * (7 - (i & 7))));
                }
                at += count + 4 + 15 & -16;
                continue;
            }
            ModelMemory piece = qp.card.memory(qp.pd, (int) qp.word(at), qp.word(at + 8),
                    count == 0 ? 1L << 31 : count, 0);
            if (piece == null) {
                return false;
            }
            out.writeBytes(piece.get(0, count));
            at += 16;
        }
        data = out.toByteArray();
        length = data.length;
        return true;
    }

    /** Checks the places of an answer; returns how many bytes they take, or -1. */
    private int room(int from) {
        int room = 0;
        for (int at = from; at < segments * 16; at += 16) {
            int count = (int) (qp.word(at) >>> 32);
            if (qp.card.memory(qp.pd, (int) qp.word(at), qp.word(at + 8), count, LOCAL_WRITE) == null) {
                return -1;
            }
            room += count;
        }
        return room;
    }

    /** Puts an answer where the WQE says, or into the CQE, when it is short and there is one. */
    private void answer(int from) {
        boolean signalled = ((int) (qp.word(8) >>> 32) & 0x0c) != 0;
        if (signalled && data.length <= (qp.sendCq.stride == 128 ? 64 : 32)) {
            return;
        }
        int done = 0;
        for (int at = from; at < segments * 16; at += 16) {
            int count = (int) (qp.word(at) >>> 32);
            ModelMemory.at(qp.word(at + 8), count).put(0, data, done, count);
            done += count;
        }
        data = null;
    }

    /** Finds the peer: null, with the result set, while or because it does not answer. */
    private ModelQp peer() {
        ModelQp peer = ModelCard.find(qp.peerGid, qp.peerNumber);
        boolean ready = peer != null && (peer.state == Ibv.QPS_RTR || peer.state == Ibv.QPS_RTS);
        if (ready && peer.peerNumber == qp.number) {
            return peer;
        }
        long nowNs = System.nanoTime();
        qp.waitsSinceNs = qp.waitsSinceNs == 0 ? nowNs : qp.waitsSinceNs;
        boolean connecting = peer != null && peer.state == Ibv.QPS_INIT;
        boolean over = nowNs - qp.waitsSinceNs > (connecting ? CONNECT_NS : LOST_NS);
        reached = over ? RETRY : LATER;
        qp.againNs = nowNs + 100_000;
        return null;
    }

    /** Returns true when the peer has a receive; else {@link #reached} says what becomes of it. */
    private boolean isReady(ModelQp peer) {
        if (peer.postedReceives() > 0) {
            return true;
        }
        if (qp.rnrRetry != 7 && qp.tries++ >= qp.rnrRetry) {
            reached = RNR;
        } else {
            qp.againNs = System.nanoTime() + peer.rnrTimerNs;
            reached = LATER;
        }
        return false;
    }

    private int send() {
        if (!gather(16)) {
            return LOC_PROT;
        }
        ModelQp peer = peer();
        return peer == null || !isReady(peer) ? reached : deliver(peer, opcode == 0x0b ? 3 : 2, data);
    }

    private int write() {
        if (!gather(32)) {
            return LOC_PROT;
        }
        ModelQp peer = peer();
        if (peer == null || opcode == 0x09 && !isReady(peer)) {
            return reached;
        }
        if (length > 0) {
            ModelMemory target = peer.card.memory(peer.pd, (int) (qp.word(24) >>> 32), qp.word(16), length,
                    REMOTE_WRITE);
            if (target == null) {
                return refused(peer, REM_ACCESS);
            }
            target.put(0, data, 0, length);
        }
        return opcode == 0x09 ? deliver(peer, 1, new byte[0]) : DONE;
    }

    private static int refused(ModelQp peer, int syndrome) {
        peer.state = Ibv.QPS_ERR;
        return syndrome;
    }

    private int read() {
        length = room(32);
        if (length < 0) {
            return LOC_PROT;
        }
        ModelQp peer = peer();
        if (peer == null) {
            return reached;
        }
        data = new byte[0];
        if (length > 0) {
            ModelMemory source = peer.card.memory(peer.pd, (int) (qp.word(24) >>> 32), qp.word(16), length,
                    REMOTE_READ);
            if (source == null) {
                return refused(peer, REM_ACCESS);
            }
            data = source.get(0, length);
        }
        answer(32);
        return DONE;
    }

    private int atomic() {
        length = room(48);
        if (length < 0) {
            return LOC_PROT;
        }
        ModelQp peer = peer();
        if (peer == null) {
            return reached;
        }
        if ((qp.word(16) & 7) != 0) {
            return refused(peer, REM_INVALID);
        }
        ModelMemory target = peer.card.memory(peer.pd, (int) (qp.word(24) >>> 32), qp.word(16), 8, REMOTE_ATOMIC);
        if (target == null) {
            return refused(peer, REM_ACCESS);
        }
        data = target.get(0, 8);
        long old = Long.reverseBytes(target.getLong(0)); // numbers of the host, which is little-endian
        if (opcode == 0x12) {
            target.putLong(0, Long.reverseBytes(old + qp.word(32)));
        } else if (old == qp.word(40)) {
            target.putLong(0, Long.reverseBytes(qp.word(32)));
        }
        answer(48);
        return DONE;
    }

    private int datagram() {
        if (!gather(64)) {
            return LOC_PROT;
        }
        if (length > 1024) {
            return LOC_LEN;
        }
        byte[] gid = new byte[16];
        for (int i = 0; i < 16; i++) {
            gid[i] = (byte) (qp.word(48 + (i & 8)) >>> 8 * (7 - (i & 7)));
        }
        int number = (int) (qp.word(24) >>> 32);
        ModelQp peer = ModelCard.find(gid, number & 0xffffff);
        int key = (int) (qp.word(16) >>> 32);
        if (number >= 0 || ((int) qp.word(40) & 1 << 30) == 0) {
            qp.card.faults.add("address vector: qpn=0x" + Integer.toHexString(number));
        }
        boolean takes = peer != null && peer.datagram && peer.qkey == key && peer.postedReceives() > 0
                && (peer.state == Ibv.QPS_RTR || peer.state == Ibv.QPS_RTS);
        if (takes && capacity(peer) >= length + 40) {
            byte[] packet = new byte[length + 40];
            System.arraycopy(data, 0, packet, 40, length);
            int mine = length;
            deliver(peer, opcode == 0x0b ? 3 : 2, packet);
            length = mine;
        }
        return DONE;
    }

    private static long capacity(ModelQp peer) {
        long capacity = 0;
        for (int i = 0; i < peer.receiveSegments(); i++) {
            int at = peer.nextReceive() + 16 * i;
            if (isEnd(peer, at)) {
                break;
            }
            int count = peer.receiveMemory().getInt(at);
            capacity += count == 0 ? 1L << 31 : count;
        }
        return capacity;
    }

    private static boolean isEnd(ModelQp peer, int at) {
        return peer.receiveMemory().getInt(at) == 0 && peer.receiveMemory().getInt(at + 4) == 0x100;
    }

    /** Delivers a message to the peer's next receive. */
    private int deliver(ModelQp peer, int completion, byte[] message) {
        if (message.length > capacity(peer)) {
            failReceive(peer, LOC_LEN);
            return REM_INVALID;
        }
        ModelCq.Entry entry = new ModelCq.Entry();
        boolean inCqe = !peer.datagram && completion != 1
                && message.length <= (peer.receiveCq.stride == 128 ? 64 : 32);
        if (inCqe) {
            entry.data = message;
        } else if (!scatter(peer, message)) {
            failReceive(peer, LOC_PROT);
            return REM_OP;
        }
        entry.opcode = completion;
        entry.qpn = peer.number;
        entry.uidx = peer.srq != null ? peer.srq.number : 0x00abcd;
        entry.immediate = (int) qp.word(8);
        entry.byteCount = completion == 1 ? length : message.length;
        entry.source = 3 << 28 | qp.number;
        entry.counter = peer.takeReceive();
        if (!peer.receiveCq.write(entry)) {
            peer.card.overran(peer.receiveCq);
        }
        return DONE;
    }

    private static boolean scatter(ModelQp peer, byte[] message) {
        int done = 0;
        for (int i = 0; i < peer.receiveSegments() && done < message.length; i++) {
            int at = peer.nextReceive() + 16 * i;
            int count = peer.receiveMemory().getInt(at);
            int piece = Math.min(count, message.length - done);
            ModelMemory target = peer.card.memory(peer.pd, peer.receiveMemory().getInt(at + 4),
                    peer.receiveMemory().getLong(at + 8), count, LOCAL_WRITE);
            if (target == null) {
                return false;
            }
            target.put(0, message, done, piece);
            done += piece;
        }
        return true;
    }

    private static void failReceive(ModelQp qp, int syndrome) {
        ModelCq.Entry entry = new ModelCq.Entry();
        entry.opcode = 14;
        entry.qpn = qp.number;
        entry.uidx = 0x00abcd;
        entry.counter = qp.takeReceive();
        entry.syndrome = syndrome;
        entry.vendorError = 0x80 + syndrome;
        qp.state = Ibv.QPS_ERR;
        if (!qp.receiveCq.write(entry)) {
            qp.card.overran(qp.receiveCq);
        }
    }
}
