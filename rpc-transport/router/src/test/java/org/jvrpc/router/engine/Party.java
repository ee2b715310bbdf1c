package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.command.Engine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/**
 * A tenant with a device of one slab, in which it writes by hand what a driver would: a QP, its two CQs, and a region.
 * One thread.
 */
final class Party implements Engine.Told {

    static final int SEGMENT = 1;
    static final int PD = 1;
    static final int ENTRIES = 8;
    static final int STRIDE = 64;
    static final int SEND_RING = QpContext.RINGS + ENTRIES * STRIDE;
    static final int QP = 0;
    static final int SEND_CQ = 4096;
    static final int RECEIVE_CQ = 8192;
    static final int SUBMIT = 9216;
    static final int DATA = 12288;
    static final int DATA_BYTES = 1 << 20;
    static final int BYTES = DATA + DATA_BYTES;
    static final int KEY = 7 << 8 | 1;

    final AtomicInteger wakes = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();
    final int qpn;
    final ByteBuffer memory;
    final Slab slab;
    final TenantDevice device;
    volatile String expelled;
    int rkey;
    private int posted;
    int producer;
    private int submitted;
    private int polledSends;
    private int polledReceives;

    Party(Worker worker, String tenant, int number) {
        this(worker, tenant, number, Slab.wrap(ByteBuffer.allocateDirect(BYTES + 128).alignedSlice(128)
                .slice(0, BYTES), SEGMENT));
    }

    Party(Worker worker, String tenant, int number, Slab slab) {
        this.slab = slab;
        this.memory = slab.window(slab.base()).order(ByteOrder.LITTLE_ENDIAN);
        this.qpn = 100 + number;
        this.device = (TenantDevice) worker.open(new TenantId(tenant), number, this);
        Cqe.initialize(memory, SEND_CQ + CqContext.RING, ENTRIES, 64);
        Cqe.initialize(memory, RECEIVE_CQ + CqContext.RING, ENTRIES, 64);
        device.add(slab);
        rkey = device.register(new RegionNote(KEY, PD, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
                | Access.REMOTE_ATOMIC, slab.base() + DATA, DATA_BYTES));
        device.create(new CqNote(1, slab.base() + SEND_CQ, ENTRIES, 64, 0));
        device.create(new CqNote(2, slab.base() + RECEIVE_CQ, ENTRIES, 64, 0));
        device.create(qp(7));
    }

    QpNote qp(int rnrRetry) {
        return new QpNote(qpn, PD, slab.base() + QP, ENTRIES, STRIDE, ENTRIES, SEND_RING, 1, 2, 0, 0, 0, rnrRetry, 1000,
                slab.base() + SUBMIT);
    }

    static void connect(Worker worker, Party one, Party other) {
        worker.connect(one.device, one.qpn, other.device, other.qpn);
        worker.connect(other.device, other.qpn, one.device, one.qpn);
    }

    @Override
    public void wake(int cq) {
        wakes.incrementAndGet();
    }

    @Override
    public void failed(int qp) {
        failures.incrementAndGet();
    }

    @Override
    public void expelled(String why) {
        expelled = why;
    }

    long data(int offset) {
        return slab.base() + DATA + offset;
    }

    /** Posts a receive of one piece. */
    void receive(int offset, int length) {
        int at = QP + QpContext.RINGS + posted % ENTRIES * STRIDE;
        segment(at, length, KEY, data(offset));
        segment(at + 16, 0, Wqe.END_LKEY, 0);
        posted(++posted);
    }

    /** Says how many receives were posted. */
    void posted(int count) {
        BigEndian.putIntRelease(memory, QP + QpContext.RECORD + DoorbellRecord.RECEIVE, count);
    }

    void segment(int at, int length, int key, long address) {
        BigEndian.putLong(memory, at, (long) length << 32 | key);
        BigEndian.putLong(memory, at + 8, address);
    }

    /** Returns where the next WQE goes in memory. */
    int wqe() {
        return QP + SEND_RING + producer % ENTRIES * Wqe.BLOCK;
    }

    /** Writes a SEND. */
    void send(int offset, int length) {
        int at = wqe();
        control(at, Wqe.SEND, 2);
        segment(at + 16, length, KEY, data(offset));
        producer++;
    }

    /** Writes a WRITE, or a READ. */
    void remote(int opcode, int offset, int length, long address, int key) {
        int at = wqe();
        control(at, opcode, 3);
        BigEndian.putLong(memory, at + 16, address);
        BigEndian.putLong(memory, at + 24, (long) key << 32);
        segment(at + 32, length, KEY, data(offset));
        producer++;
    }

    void control(int at, int opcode, int segments) {
        BigEndian.putLong(memory, at, (long) Wqe.opmodIndexOpcode(0, producer & 0xffff, opcode) << 32
                | (long) qpn << 8 | segments);
        BigEndian.putLong(memory, at + 8, (long) Wqe.CE_ALWAYS << 32);
    }

    /** Submits a message; its WQE has a place in the ring, and is not there. */
    void push(int length, int value) {
        int at = SUBMIT + SubmitRing.entry(submitted) + SubmitRing.MESSAGE;
        for (int i = 0; i < length; i++) {
            memory.put(at + i, (byte) (value + i));
        }
        submit(SubmitRing.PUSH, length, producer++);
    }

    /** Sets the doorbell in the submit ring. */
    void submitRing() {
        submitRing(producer);
    }

    void submitRing(int word) {
        SubmitRing.rung(memory, SUBMIT, word);
    }

    int heed() {
        return SubmitRing.heed(memory, SUBMIT);
    }

    void submit(int kind, int length, int number) {
        long word = SubmitRing.word(submitted, kind, length, number);
        SubmitRing.publish(memory, SUBMIT, submitted++, word);
    }

    boolean isHot() {
        return SubmitRing.isHot(heed());
    }

    void ring() {
        device.ring(qpn, producer);
    }

    void fill(int offset, int length, int value) {
        for (int i = 0; i < length; i++) {
            memory.put(DATA + offset + i, (byte) (value + i));
        }
    }

    boolean has(int offset, int length, int value) {
        for (int i = 0; i < length; i++) {
            if (memory.get(DATA + offset + i) != (byte) (value + i)) {
                return false;
            }
        }
        return true;
    }

    QueuePairState state() {
        return QpContext.state(memory, QP);
    }

    boolean hasSent() {
        return isComplete(SEND_CQ, polledSends);
    }

    boolean hasReceived() {
        return isComplete(RECEIVE_CQ, polledReceives);
    }

    void expectSent(WcStatus status) {
        expect(SEND_CQ, polledSends++, status);
    }

    /** Returns where the CQE lies. */
    int expectReceived(WcStatus status) {
        return expect(RECEIVE_CQ, polledReceives++, status);
    }

    /** Says that all that was polled is free again. */
    void free() {
        consumer(SEND_CQ, polledSends);
        consumer(RECEIVE_CQ, polledReceives);
    }

    void consumer(int cq, int index) {
        BigEndian.putIntRelease(memory, cq + CqContext.RECORD + DoorbellRecord.CONSUMER, index);
    }

    private boolean isComplete(int cq, int index) {
        long tail = BigEndian.getLongAcquire(memory, cqe(cq, index) + Cqe.TAIL);
        return Cqe.opcode(tail) != Cqe.INVALID && Cqe.lap(tail) == (index / ENTRIES & 0xff);
    }

    static int cqe(int cq, int index) {
        return cq + CqContext.RING + index % ENTRIES * 64;
    }

    /** Returns how the next send ended. */
    WcStatus sent() {
        return status(SEND_CQ, polledSends++);
    }

    private int expect(int cq, int index, WcStatus status) {
        assertEquals(status, status(cq, index), what(cq, index));
        return cqe(cq, index);
    }

    private WcStatus status(int cq, int index) {
        assertEquals(true, isComplete(cq, index), what(cq, index) + " is not complete");
        int at = cqe(cq, index);
        int opcode = Cqe.opcode(BigEndian.getLong(memory, at + Cqe.TAIL));
        boolean failed = opcode == Cqe.REQ_ERR || opcode == Cqe.RESP_ERR;
        return failed ? Syndrome.status(memory.get(at + Cqe.SYNDROME)) : WcStatus.SUCCESS;
    }

    private static String what(int cq, int index) {
        return (cq == SEND_CQ ? "send " : "receive ") + index;
    }
}
