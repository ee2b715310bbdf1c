package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** A tenant with a device of one slab, in which it writes cross-channel queues by hand. One thread. */
final class ChainParty implements Engine.Told {

    static final int PD = 3;
    static final int BLOCKS = 16;
    static final int KEY = 9 << 8 | 1;
    private static final int RING_KEY = 10 << 8 | 1;
    static final int QUEUE_BYTES = 8192;
    static final int DATA = 40 * QUEUE_BYTES;
    static final int DATA_BYTES = 256 << 10;
    private static final int RECEIVES = 8;
    private static final int STRIDE = 64;
    private static final int SENDS = QpContext.RINGS + RECEIVES * STRIDE;
    private static final int CQ = 4096;
    private static final int CQES = 16;

    final TenantDevice device;
    final ByteBuffer memory;
    final Slab slab;
    final int rkey;
    int failures;
    String expelled;

    ChainParty(Worker worker, String tenant, int number) {
        int bytes = DATA + DATA_BYTES;
        slab = Slab.wrap(ByteBuffer.allocateDirect(bytes + 128).alignedSlice(128).slice(0, bytes), 1);
        memory = slab.window(slab.base()).order(ByteOrder.LITTLE_ENDIAN);
        device = (TenantDevice) worker.open(new TenantId(tenant), number, this);
        device.add(slab);
        rkey = device.register(new RegionNote(KEY, PD, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
                | Access.REMOTE_ATOMIC, slab.base() + DATA, DATA_BYTES));
        device.chains(ChainsNote.of(ChainsNote.OPEN, PD));
    }

    /** A cross-channel QP with a CQ of its own, whose number is ten times as large. */
    final class Queue {

        final int at;
        final int qpn;
        private int written;
        private int posted;
        private int polled;

        Queue(int place, int qpn, int flags) {
            this.at = place * QUEUE_BYTES;
            this.qpn = qpn;
            Cqe.initialize(memory, at + CQ + CqContext.RING, CQES, 64);
            device.create(new CqNote(10 * qpn, slab.base() + at + CQ, CQES, 64, CqNote.CROSS_CHANNEL));
            create(flags);
        }

        void create(int flags) {
            device.create(new QpNote(qpn, PD, slab.base() + at, RECEIVES, STRIDE, BLOCKS, SENDS, 10 * qpn, 10 * qpn, 0,
                    QpNote.CROSS_CHANNEL | flags, 0, 2, 1000, 0));
        }

        int cq() {
            return 10 * qpn;
        }

        QueuePairState state() {
            return QpContext.state(memory, at);
        }

        /** Begins a WQE; returns where it lies. */
        private int wqe(int opcode, int segments) {
            int wqe = at + SENDS + written % BLOCKS * Wqe.BLOCK;
            BigEndian.putLong(memory, wqe, (long) Wqe.opmodIndexOpcode(0, written & 0xffff, opcode) << 32
                    | (long) qpn << 8 | segments);
            BigEndian.putLong(memory, wqe + 8, (long) Wqe.CE_ALWAYS << 32);
            written++;
            return wqe;
        }

        /** The WQE that was written last completes only if it fails. */
        void isSilent() {
            int wqe = at + SENDS + (written - 1) % BLOCKS * Wqe.BLOCK;
            BigEndian.putLong(memory, wqe + 8, 0);
        }

        void nop() {
            wqe(Wqe.NOP, 1);
        }

        void order(int opcode, int object, int index) {
            int wqe = wqe(opcode, 2);
            BigEndian.putInt(memory, wqe + Wqe.INDEX, index);
            BigEndian.putInt(memory, wqe + Wqe.OBJECT, object);
        }

        /** Writes a WRITE of own memory. */
        void write(int from, int length, long address, int key) {
            oneSided(Wqe.RDMA_WRITE, KEY, data(from), length, address, key);
        }

        /** Writes a READ to own memory. */
        void read(int to, int length, long address, int key) {
            oneSided(Wqe.RDMA_READ, KEY, data(to), length, address, key);
        }

        /** Writes a READ of 8 bytes over the first ones of the WQE that is written next. */
        void readOverNext(long address, int key) {
            oneSided(Wqe.RDMA_READ, RING_KEY, program(written + 1), 8, address, key);
        }

        /** Registers the ring; returns the address of a WQE in it. */
        private long program(int index) {
            device.register(new RegionNote(RING_KEY, PD, Access.LOCAL_WRITE, slab.base() + at, QUEUE_BYTES));
            return slab.base() + at + SENDS + index % BLOCKS * Wqe.BLOCK;
        }

        /** Makes a NOP of the WQE that was written last. @return what it began with, which wakes it */
        long sleeps() {
            long awake = start(written - 1);
            memory.put(at + SENDS + (written - 1) % BLOCKS * Wqe.BLOCK + 3, (byte) Wqe.NOP);
            return awake;
        }

        /** Returns what a WQE begins with, as it lies in memory. */
        long start(int index) {
            return memory.getLong(at + SENDS + index % BLOCKS * Wqe.BLOCK);
        }

        private void oneSided(int opcode, int own, long from, int length, long address, int key) {
            int wqe = wqe(opcode, 3);
            BigEndian.putLong(memory, wqe + 16, address);
            BigEndian.putLong(memory, wqe + 24, (long) key << 32);
            BigEndian.putLong(memory, wqe + 32, (long) length << 32 | own);
            BigEndian.putLong(memory, wqe + 40, from);
        }

        void send(int from, int length) {
            int wqe = wqe(Wqe.SEND, 2);
            BigEndian.putLong(memory, wqe + 16, (long) length << 32 | KEY);
            BigEndian.putLong(memory, wqe + 24, data(from));
        }

        void receive(int offset, int length) {
            receive(KEY, data(offset), length);
        }

        /** Posts a receive of 8 bytes over the first ones of the WQE behind the one that is written next. */
        void receiveOverNextButOne() {
            receive(RING_KEY, program(written + 1), 8);
        }

        private void receive(int key, long address, int length) {
            int wqe = at + QpContext.RINGS + posted % RECEIVES * STRIDE;
            BigEndian.putLong(memory, wqe, (long) length << 32 | key);
            BigEndian.putLong(memory, wqe + 8, address);
            BigEndian.putLong(memory, wqe + 16, Wqe.END_LKEY);
            BigEndian.putIntRelease(memory, at + QpContext.RECORD + DoorbellRecord.RECEIVE, ++posted);
        }

        void ring() {
            device.ring(qpn, written);
        }

        void ring(int producer) {
            device.ring(qpn, producer);
        }

        /** Returns what the next completion says; null when there is none. */
        WcStatus poll() {
            int cqe = at + CQ + CqContext.RING + polled % CQES * 64;
            long tail = BigEndian.getLongAcquire(memory, cqe + Cqe.TAIL);
            if (Cqe.opcode(tail) == Cqe.INVALID || Cqe.lap(tail) != (polled / CQES & 0xff)) {
                return null;
            }
            polled++;
            boolean failed = Cqe.opcode(tail) == Cqe.REQ_ERR || Cqe.opcode(tail) == Cqe.RESP_ERR;
            return failed ? Syndrome.status(memory.get(cqe + Cqe.SYNDROME)) : WcStatus.SUCCESS;
        }

        /** Returns how many completions the CQ's owner is told that there were. */
        int produced() {
            return CqContext.produced(memory, at + CQ);
        }
    }

    long data(int offset) {
        return slab.base() + DATA + offset;
    }

    void put(int offset, long value) {
        memory.putLong(DATA + offset, value);
    }

    long get(int offset) {
        return memory.getLong(DATA + offset);
    }

    ChainsNote.State state() {
        return device.chains(ChainsNote.of(ChainsNote.LOOK, PD));
    }

    @Override
    public void wake(int cq) {
        throw new AssertionError("nobody waits for a cross-channel CQ: " + cq);
    }

    @Override
    public void failed(int qp) {
        failures++;
    }

    @Override
    public void expelled(String why) {
        expelled = why;
    }
}
