package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.RegionEntry;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** A group of chains, its queues and their peers in one piece of memory, written by hand, without a device. */
abstract class ChainFixture implements ChainHost {

    static final String DEVICE = "here";
    static final int PD = 5;
    static final int BLOCKS = 16;
    static final int CQES = 8;
    static final int RECEIVES = 4;
    static final int GROUP = (int) RegionEntry.TABLE_BYTES;
    static final int DATA = GROUP + 2048;
    static final int DATA_BYTES = 4096;
    static final int KEY = 7 << 8 | 1;
    private static final int QUEUES = DATA + DATA_BYTES;
    private static final int STRIDE = 64;
    private static final int QUEUE_BYTES = 8192;
    private static final int END = QUEUES + 40 * QUEUE_BYTES;

    final ByteBuffer memory = ByteBuffer.allocateDirect(END + 128).alignedSlice(128).slice(0, END)
            .order(ByteOrder.LITTLE_ENDIAN);
    final Slab slab = Slab.wrap(memory, 0);
    final Space space = new Space(slab);
    /** The memory of each device. */
    final Map<String, Space> spaces = new HashMap<>(Map.of(DEVICE, space));
    final List<String> woken = new ArrayList<>();
    /** Each WQE that was executed: QP number, index, status. */
    final List<String> executed = new ArrayList<>();
    long nowNs = Long.MAX_VALUE - 500_000_000; // it comes round
    /** How much later it is each time that somebody asks. */
    long stepNs;
    Runnable whenTheTimeIsAsked = () -> { };
    final ChainGroup group;
    private int made;

    /** The memory of a device. */
    static final class Space implements AddressSpace {

        final List<Slab> slabs = new ArrayList<>();
        int closes;

        Space(Slab slab) {
            slabs.add(slab);
        }

        @Override
        public Slab find(long address, long bytes) {
            return slabs.stream().filter(slab -> slab.contains(address, bytes)).findAny().orElse(null);
        }

        @Override
        public String place() {
            return "test";
        }

        @Override
        public void close() {
            closes++;
        }
    }

    /** A QP with its CQ, whose number is ten times as large, and its send queue. */
    final class Queue {
        final int qpn;
        final int qp;
        final int cq;
        final int context;
        private int polled;

        private Queue(int at, int qpn, int flags) {
            this.qpn = qpn;
            this.qp = at;
            this.cq = at + 2048;
            this.context = at + 4096;
            QpContext.join(memory, qp, address(GROUP));
            QpContext.write(memory, qp, qpn, PD, RECEIVES, STRIDE, address(cq));
            state(QueuePairState.RTS);
            Cqe.initialize(memory, cq + CqContext.RING, CQES, Cqe.BYTES);
            CqContext.write(memory, cq, 10 * qpn, CQES, Cqe.BYTES, false, true);
            QueueContext.write(memory, context, qpn, flags, BLOCKS, address(ring()), address(qp), address(cq), 2);
        }

        int ring() {
            return qp + QpContext.RINGS + RECEIVES * STRIDE;
        }

        void state(QueuePairState state) {
            QpContext.advance(memory, qp, state(), state);
        }

        QueuePairState state() {
            return QpContext.state(memory, qp);
        }

        Queue connect(String device, int peer) {
            QueueContext.connect(memory, context, device, address(peer));
            return this;
        }

        Queue connectToItself() {
            return connect(DEVICE, qp);
        }

        /** Makes it a member, and its CQ. */
        Queue join() {
            assertTrue(GroupContext.addQueue(memory, GROUP, address(context)));
            assertTrue(GroupContext.addCq(memory, GROUP, address(cq)));
            return this;
        }

        /** Puts a WQE at a block of the ring under the index of that block, without its ctrl's first word. */
        void load(int block, int opcode, int segments, long... rest) {
            raw(block, control(opcode, block, segments), rest);
        }

        long control(int opcode, int index, int segments) {
            return (long) Wqe.opmodIndexOpcode(0, index, opcode) << 32 | (long) qpn << 8 | segments;
        }

        void raw(int block, long control, long... rest) {
            int at = block % BLOCKS * Wqe.BLOCK;
            put(at, control);
            for (int i = 0; i < rest.length; i++) {
                put(at + 8 + 8 * i, rest[i]);
            }
        }

        private void put(int at, long word) {
            BigEndian.putLong(memory, ring() + at % (BLOCKS * Wqe.BLOCK), word);
        }

        /** NOPs of one block each. */
        void nops(int from, int to) {
            for (int block = from; block < to; block++) {
                load(block, Wqe.NOP, 1, 0);
            }
        }

        void wait(int block, int cqn, int index) {
            load(block, Wqe.WAIT, 2, 0, 0, (long) index << 32 | cqn);
        }

        void enable(int block, int opcode, int number, int index) {
            load(block, opcode, 2, 0, 0, (long) index << 32 | number);
        }

        /** A WRITE of 8 bytes of the data to other ones. */
        void write(int block, int from, int to) {
            load(block, Wqe.RDMA_WRITE, 3, 0, address(DATA + to), (long) KEY << 32, 8L << 32 | KEY,
                    address(DATA + from));
        }

        /** Sets how far it may run. */
        void limit(int blocks) {
            QueueContext.limit(memory, context, blocks);
        }

        void runTo(int blocks) {
            limit(blocks);
            run();
        }

        int executed() {
            return QueueContext.executed(memory, context);
        }

        int produced() {
            return CqContext.produced(memory, cq);
        }

        void posted(int receives) {
            BigEndian.putIntRelease(memory, qp + QpContext.RECORD + DoorbellRecord.RECEIVE, receives);
        }

        int postedReceives() {
            return BigEndian.getInt(memory, qp + QpContext.RECORD + DoorbellRecord.RECEIVE);
        }

        void receive(int index, int to) {
            int at = qp + QpContext.RINGS + index * STRIDE;
            BigEndian.putLong(memory, at, 8L << 32 | KEY);
            BigEndian.putLong(memory, at + 8, address(DATA + to));
            BigEndian.putLong(memory, at + 16, Wqe.END_LKEY);
        }

        /** Expects the next completion of a send: of this index, with this status. */
        int expect(int index, WcStatus status) {
            assertTrue(produced() > polled, () -> "no completion " + polled + " of qpn=" + qpn);
            int at = cq + CqContext.RING + polled++ % CQES * Cqe.BYTES;
            long tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            boolean failed = Cqe.opcode(tail) == Cqe.REQ_ERR;
            assertEquals(index, Cqe.wqeCounter(tail));
            assertEquals(status, failed ? Syndrome.status(memory.get(at + Cqe.SYNDROME)) : WcStatus.SUCCESS);
            assertEquals(failed ? Cqe.REQ_ERR : Cqe.REQ, Cqe.opcode(tail));
            return at;
        }

        void expectNothingMore() {
            assertEquals(polled, produced(), "completions of qpn=" + qpn);
        }
    }

    ChainFixture() {
        GroupContext.write(memory, GROUP, PD);
        RegionEntry.publish(memory, RegionEntry.offset(KEY), KEY,
                Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC, PD,
                address(DATA), DATA_BYTES);
        group = groupOfAnotherProcess();
        group.trace(new ChainTracer() {
            @Override
            public void before(int qpn, int index) {
                executed.add(qpn + ":" + index);
            }

            @Override
            public void after(int qpn, int index, WcStatus status) {
                assertEquals(qpn + ":" + index, executed.remove(executed.size() - 1), "announced last");
                executed.add(qpn + ":" + index + (status == WcStatus.SUCCESS ? "" : " " + status));
            }
        });
    }

    /** Returns the same group as another process, or this one before it died, would have it. */
    ChainGroup groupOfAnotherProcess() {
        return new ChainGroup(this, space, DEVICE, address(GROUP));
    }

    long address(int at) {
        return slab.base() + at;
    }

    /** Makes a QP in RTS whose send queue is no member yet. */
    Queue make(int flags) {
        int number = ++made;
        return new Queue(QUEUES + (number - 1) * QUEUE_BYTES, number, flags);
    }

    Queue member(int flags) {
        return make(flags).join();
    }

    /** A queue that runs as far as its limit and fetches ahead, as after doorbells. */
    Queue plain() {
        return member(QueueContext.CHECKED);
    }

    Queue managed() {
        return member(QueueContext.CHECKED | QueueContext.MANAGED);
    }

    void run() {
        assertTrue(group.claim(), "the group cannot be claimed");
        try {
            group.run();
        } finally {
            group.release();
        }
    }

    /** Returns what was executed since this was asked last. */
    List<String> executed() {
        List<String> copy = List.copyOf(executed);
        executed.clear();
        return copy;
    }

    long data(int at) {
        return memory.getLong(DATA + at);
    }

    void data(int at, long value) {
        memory.putLong(DATA + at, value);
    }

    @Override
    public AddressSpace arenaOf(String device) {
        Space space = spaces.get(device);
        if (space == null) {
            throw new VerbsException("modify_qp", "no device of the name: " + device);
        }
        return space;
    }

    @Override
    public Runnable wakerOf(String device) {
        return device.equals(DEVICE) ? () -> woken.add(device) : null;
    }

    @Override
    public LongSupplier clock() {
        return () -> {
            whenTheTimeIsAsked.run();
            return nowNs += stepNs;
        };
    }
}
