package org.jvrpc.router.hostile;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** A QP of a {@link RawTenant}, its two CQs and its submit ring, written by hand. One thread, but for the memory. */
final class RawQp {

    static final int RECEIVES = 16;
    static final int STRIDE = 64;
    static final int SENDS = 64;
    static final int CQES = 64;
    static final int SEND_RING = QpContext.RINGS + RECEIVES * STRIDE;
    static final int SEND_CQ = SEND_RING + SENDS * Wqe.BLOCK + 128;
    static final int RECEIVE_CQ = SEND_CQ + CqContext.RING + CQES * Cqe.BYTES;
    static final int SUBMIT = RECEIVE_CQ + CqContext.RING + CQES * Cqe.BYTES;
    /** Bytes from one QP to the next. */
    static final int AREA = 20 << 10;
    static final int KIND_QP = 0;

    final RawTenant tenant;
    final ByteBuffer memory;
    final int number;
    /** Where its context lies. */
    final int at;
    int posted;
    int producer;
    int submitted;
    int polledSends;
    int polledReceives;

    /** Makes one in RESET. @param index of its place, from 0 on */
    RawQp(RawTenant tenant, int index, int rnrRetry) {
        this.tenant = tenant;
        this.memory = tenant.memory;
        this.number = 100 + index;
        this.at = index * AREA;
        for (int i = 0; i < AREA; i += 8) {
            memory.putLong(at + i, 0);
        }
        Cqe.initialize(memory, at + SEND_CQ + CqContext.RING, CQES, Cqe.BYTES);
        Cqe.initialize(memory, at + RECEIVE_CQ + CqContext.RING, CQES, Cqe.BYTES);
        tenant.done(new CqNote(sendCq(), RawTenant.address(at + SEND_CQ), CQES, 64, 0).frame(tenant.nextId()));
        tenant.done(new CqNote(receiveCq(), RawTenant.address(at + RECEIVE_CQ), CQES, 64, 0).frame(tenant.nextId()));
        tenant.done(note(0, rnrRetry).frame(tenant.nextId()));
    }

    int sendCq() {
        return 2 * number;
    }

    int receiveCq() {
        return 2 * number + 1;
    }

    QpNote note(int srq, int rnrRetry) {
        return new QpNote(number, RawTenant.PD, RawTenant.address(at), RECEIVES, STRIDE, SENDS, SEND_RING, sendCq(),
                receiveCq(), srq, 0, 0, rnrRetry, 10_000, RawTenant.address(at + SUBMIT));
    }

    /** Has two QPs of one router send to each other. */
    static void connect(RawQp one, RawQp other) {
        one.tenant.done(one.tenant.connect(one.number, other.tenant.welcome.device(), other.number,
                other.tenant.welcome.incarnation()));
        other.tenant.done(other.tenant.connect(other.number, one.tenant.welcome.device(), one.number,
                one.tenant.welcome.incarnation()));
    }

    void destroy() {
        tenant.done(new ControlFrame(Command.DESTROY, KIND_QP, tenant.nextId(), number, new byte[0]));
        tenant.done(new ControlFrame(Command.DESTROY, 1, tenant.nextId(), sendCq(), new byte[0]));
        tenant.done(new ControlFrame(Command.DESTROY, 1, tenant.nextId(), receiveCq(), new byte[0]));
    }

    // Rings.

    void segment(int offset, int length, int key, long address) {
        BigEndian.putInt(memory, offset, length);
        BigEndian.putInt(memory, offset + 4, key);
        BigEndian.putLong(memory, offset + 8, address);
    }

    int receiveAt(int index) {
        return at + QpContext.RINGS + (index & RECEIVES - 1) * STRIDE;
    }

    /** Posts a receive of one piece. */
    void receive(int offset, int length) {
        segment(receiveAt(posted), length, RawTenant.KEY, RawTenant.address(RawTenant.DATA + offset));
        segment(receiveAt(posted) + Wqe.SEGMENT, 0, Wqe.END_LKEY, 0);
        posted(++posted);
    }

    void posted(int count) {
        BigEndian.putIntRelease(memory, at + QpContext.RECORD + DoorbellRecord.RECEIVE, count);
    }

    int wqeAt() {
        return at + SEND_RING + (producer & SENDS - 1) * Wqe.BLOCK;
    }

    void control(int opmod, int opcode, int segments) {
        int wqe = wqeAt();
        BigEndian.putInt(memory, wqe, Wqe.opmodIndexOpcode(opmod, producer & 0xffff, opcode));
        BigEndian.putInt(memory, wqe + 4, number << 8 | segments);
        BigEndian.putLong(memory, wqe + 8, (long) Wqe.CE_ALWAYS << 32);
    }

    void send(int offset, int length) {
        int wqe = wqeAt();
        control(0, Wqe.SEND, 2);
        segment(wqe + 16, length, RawTenant.KEY, RawTenant.address(RawTenant.DATA + offset));
        producer++;
    }

    /** Writes a WRITE, a READ or an atomic, whose data segment lies at 32 or at 48. */
    void remote(int opcode, int offset, int length, int lkey, long address, int rkey) {
        int wqe = wqeAt();
        int data = Wqe.dataOffset(opcode);
        control(0, opcode, data / Wqe.SEGMENT + 1);
        BigEndian.putLong(memory, wqe + 16, address);
        BigEndian.putInt(memory, wqe + 24, rkey);
        if (data < Wqe.BLOCK) {
            segment(wqe + data, length, lkey, RawTenant.address(RawTenant.DATA + offset));
        }
        producer++;
    }

    void ring() {
        ring(producer);
    }

    void ring(int word) {
        tenant.say(ControlFrame.of(Command.RING, word, number));
    }

    void submit(int kind, int length, int word) {
        SubmitRing.publish(memory, at + SUBMIT, submitted, SubmitRing.word(submitted, kind, length, word));
        submitted++;
    }

    // What came of it.

    QueuePairState state() {
        return QpContext.state(memory, at);
    }

    private int cqe(int cq, int index) {
        return at + cq + CqContext.RING + (index & CQES - 1) * Cqe.BYTES;
    }

    private boolean isComplete(int cq, int index) {
        long tail = BigEndian.getLongAcquire(memory, cqe(cq, index) + Cqe.TAIL);
        return Cqe.opcode(tail) != Cqe.INVALID && Cqe.lap(tail) == (index / CQES & 0xff);
    }

    /** Returns the status of the next send's completion, or null. */
    WcStatus sent() {
        return isComplete(SEND_CQ, polledSends) ? status(cqe(SEND_CQ, polledSends++)) : null;
    }

    WcStatus received() {
        return isComplete(RECEIVE_CQ, polledReceives) ? status(cqe(RECEIVE_CQ, polledReceives++)) : null;
    }

    private WcStatus status(int cqe) {
        int opcode = Cqe.opcode(BigEndian.getLong(memory, cqe + Cqe.TAIL));
        boolean failed = opcode == Cqe.REQ_ERR || opcode == Cqe.RESP_ERR;
        return failed ? Syndrome.status(memory.get(cqe + Cqe.SYNDROME)) : WcStatus.SUCCESS;
    }

    void free() {
        consumer(SEND_CQ, polledSends);
        consumer(RECEIVE_CQ, polledReceives);
    }

    void consumer(int cq, int index) {
        BigEndian.putIntRelease(memory, at + cq + CqContext.RECORD + DoorbellRecord.CONSUMER, index);
    }
}
