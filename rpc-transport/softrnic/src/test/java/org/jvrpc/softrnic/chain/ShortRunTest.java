package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.RegionEntry;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/**
 * The short ways of chains leave the same memory behind as the long one: random programs, whose WQEs change each other,
 * wrong ones among them, run by both. {@code -Djvrpc.chains.seed} begins with a seed, {@code -Djvrpc.chains.programs}
 * says how many programs there are; more than two million take {@code -Djunit.jupiter.execution.timeout.mode=disabled}.
 */
final class ShortRunTest {

    private static final long SEED = Long.getLong("jvrpc.chains.seed", System.nanoTime());
    private static final long PROGRAMS = Long.getLong("jvrpc.chains.programs", 30_000);
    private static final int QUEUES = 5;
    private static final int READ_ONLY = 9 << 8 | 3;
    private static final int FOREIGN = 10 << 8 | 5;
    private static final int DEAD = 11 << 8 | 7;
    private static final int FIRST_RING = 20;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int[] OPCODES = {
        Wqe.NOP, Wqe.WAIT, Wqe.WAIT, Wqe.SEND_ENABLE, Wqe.SEND_ENABLE, Wqe.RDMA_WRITE, Wqe.RDMA_WRITE,
        Wqe.RDMA_READ, Wqe.RDMA_READ, Wqe.ATOMIC_CS, Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_FA,
        Wqe.ATOMIC_MASKED_CS, Wqe.RECV_ENABLE, Wqe.SEND, Wqe.RDMA_WRITE_IMM};

    /** A group with its memory; equal seeds make equal ones. */
    private static final class World extends ChainFixture {

        private final Queue[] made = new Queue[QUEUES];
        private final int used;
        private SplittableRandom random;
        /** WQEs that may be executed at once. */
        private int most = Integer.MAX_VALUE;

        World(boolean interpreted) {
            group.trace(null);
            if (interpreted) {
                group.interpret();
            }
            int free = QueueContext.MANAGED | QueueContext.MANAGED_RECEIVE;
            made[0] = member(free);
            made[1] = member(free);
            made[2] = member(QueueContext.MANAGED | QueueContext.PREFETCHING);
            made[3] = member(QueueContext.MANAGED | QueueContext.CHECKED);
            made[4] = member(0);
            for (Queue queue : made) {
                queue.connect(DEVICE, queue == made[1] ? made[0].qp : queue.qp);
            }
            publish(READ_ONLY, Access.REMOTE_READ, PD, DATA + 1024, 512);
            publish(FOREIGN, ALL, PD + 1, DATA, DATA_BYTES);
            for (int i = 0; i < QUEUES; i++) {
                publish(ringKey(i), ALL, PD, made[i].ring(), BLOCKS * Wqe.BLOCK);
            }
            used = made[QUEUES - 1].context + QueueContext.BYTES + BLOCKS * Wqe.BLOCK;
        }

        private void publish(int key, int access, int pd, int at, int bytes) {
            RegionEntry.publish(memory, RegionEntry.offset(key), key, access, pd, address(at), bytes);
        }

        private static int ringKey(int queue) {
            return FIRST_RING + queue << 8 | 9;
        }

        private int below(int bound) {
            return random.nextInt(bound);
        }

        private boolean oneIn(int n) {
            return below(n) == 0;
        }

        /** Makes a program and runs it, in two or three goes. */
        void program(long seed) {
            random = new SplittableRandom(seed);
            for (int at = DATA; at < DATA + DATA_BYTES; at += 8) {
                memory.putLong(at, 0);
            }
            for (Queue queue : made) {
                reset(queue);
            }
            for (int i = 0; i < 64; i++) {
                data(8 * i, Long.reverseBytes(dataWord()));
                data(1024 + 8 * i, Long.reverseBytes(dataWord()));
            }
            for (int go = oneIn(3) ? 2 : 1; go >= 0; go--) {
                for (Queue queue : made) {
                    int executed = queue.executed();
                    int limit = QueueContext.limit(memory, queue.context);
                    queue.limit(limit - executed < BLOCKS / 2 ? limit + below(BLOCKS / 2) : limit);
                }
                GroupContext.limitRate(memory, GROUP, 1, Math.min(most, below(100)), nowNs);
                run();
                Queue changed = made[below(QUEUES)];
                wqe(changed, changed.executed() + below(4));
            }
        }

        private void reset(Queue queue) {
            queue.state(QueuePairState.RTS);
            int start = oneIn(3) ? random.nextInt() : 0;
            QueueContext.executed(memory, queue.context, start);
            QueueContext.limit(memory, queue.context, start);
            QueueContext.fetched(memory, queue.context, start);
            CqContext.produced(memory, queue.cq, oneIn(3) ? random.nextInt() : 0);
            queue.posted(QueueContext.consumed(memory, queue.context) + below(3) & 0xffff);
            for (int i = 0; i < RECEIVES; i++) {
                queue.receive(i, 8 * below(64));
            }
            for (int block = start; block != start + BLOCKS; ) {
                block += Math.min(wqe(queue, block), start + BLOCKS - block);
            }
        }

        /** Puts a WQE into a ring; returns how many blocks it has. */
        private int wqe(Queue queue, int block) {
            int opcode = oneIn(60) ? below(256) : OPCODES[below(OPCODES.length)];
            int pieces = opcode != Wqe.RDMA_READ && opcode != Wqe.RDMA_WRITE || oneIn(2) ? 1 : 1 + below(6);
            int segments = switch (opcode) {
                case Wqe.NOP -> 1 + below(4);
                case Wqe.WAIT, Wqe.SEND_ENABLE, Wqe.RECV_ENABLE -> 2;
                case Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_FA -> 4;
                case Wqe.ATOMIC_MASKED_CS -> 5;
                case Wqe.SEND -> 1 + pieces;
                default -> 2 + pieces;
            };
            if (oneIn(60)) {
                segments = below(9);
            }
            long[] words = new long[2 * Math.max(segments, 4)];
            for (int i = 2; i < words.length; i++) {
                words[i] = i % 2 == 0 ? dataWord() : anyAddress();
            }
            words[0] = queue.control(opcode, block, segments)
                    | (opcode == Wqe.ATOMIC_MASKED_FA || opcode == Wqe.ATOMIC_MASKED_CS ? 9L << 56 : 0)
                    | (oneIn(40) ? (long) below(8) << 56 : 0);
            words[1] = oneIn(2) ? (long) Wqe.CE_ALWAYS << 32 : 0;
            fill(opcode, segments, words);
            for (int i = 0; i < words.length; i++) {
                int at = (block * Wqe.BLOCK + 8 * i & BLOCKS * Wqe.BLOCK - 1);
                BigEndian.putLong(memory, queue.ring() + at, words[i]);
            }
            return Math.max(1, Wqe.blocks(segments));
        }

        private void fill(int opcode, int segments, long[] words) {
            switch (opcode) {
                case Wqe.NOP:
                    return;
                case Wqe.WAIT:
                    words[3] = waitWord();
                    return;
                case Wqe.SEND_ENABLE:
                case Wqe.RECV_ENABLE:
                    words[3] = enableWord();
                    return;
                default:
                    int key = key();
                    words[2] = addressIn(key) & (opcode >= Wqe.ATOMIC_CS && !oneIn(20) ? -8L : -1L);
                    words[3] = (long) key << 32;
                    int first = Wqe.dataOffset(opcode) / 8;
                    for (int i = first; i + 1 < 2 * segments && i + 1 < words.length; i += 2) {
                        key = key();
                        boolean isAtomic = first > 4;
                        words[i] = (long) length(isAtomic) << 32 | key;
                        words[i + 1] = addressIn(key) & (isAtomic && !oneIn(20) ? -8L : -1L);
                    }
            }
        }

        private int length(boolean isAtomic) {
            if (oneIn(50)) {
                return oneIn(2) ? 0 : random.nextInt();
            }
            int[] common = {8, 8, 8, 4, 2, 1, 3, 16, 20, 64};
            return isAtomic && !oneIn(20) ? 8 : common[below(common.length)];
        }

        private int key() {
            int which = below(40);
            return which == 0 ? DEAD : which == 1 ? FOREIGN : which < 5 ? READ_ONLY : which < 16 ? KEY
                    : ringKey(below(QUEUES));
        }

        /** Returns an address in a key's region, mostly; in rings, mostly of a field. */
        private long addressIn(int key) {
            int queue = (key >>> 8) - FIRST_RING;
            if (oneIn(40)) {
                return anyAddress();
            }
            if (queue < 0) {
                return address(DATA + (key == READ_ONLY ? 1024 : 0) + (oneIn(8) ? below(512) : 8 * below(64)));
            }
            int[] fields = {0, 0, 8, 16, 24, 24, 32, 40, 3, 7, 28, 26};
            return address(made[queue].ring() + below(BLOCKS) * Wqe.BLOCK
                    + (oneIn(8) ? below(Wqe.BLOCK) : fields[below(fields.length)]));
        }

        private long anyAddress() {
            return oneIn(4) ? random.nextLong() : address(DATA) + below(8192) - 2048;
        }

        /** Returns a word that means something wherever in a WQE it comes to lie. */
        private long dataWord() {
            int key = key();
            return switch (below(8)) {
                case 0 -> made[below(QUEUES)].control(OPCODES[below(OPCODES.length)], below(BLOCKS), 1 + below(5));
                case 1 -> waitWord();
                case 2 -> enableWord();
                case 3 -> addressIn(key);
                case 4 -> (long) length(false) << 32 | key;
                case 5 -> (long) key << 32;
                case 6 -> below(3);
                default -> random.nextLong();
            };
        }

        private long waitWord() {
            Queue of = made[below(QUEUES)];
            int cqn = oneIn(40) ? 77 : 10 * of.qpn;
            return (long) (of.produced() + below(5) - 3) << 32 | cqn;
        }

        private long enableWord() {
            Queue of = made[below(QUEUES)];
            int qpn = oneIn(40) ? 77 : of.qpn;
            return (long) (QueueContext.limit(memory, of.context) + below(BLOCKS) - 2 & 0xffff) << 32 | qpn;
        }

        long wqes() {
            return group.executed();
        }
    }

    @Test
    void randomProgramsLeaveTheSameMemoryBehindAsTheLongWayDoes() {
        World quick = new World(false);
        World slow = new World(true);
        for (long n = 0; n < PROGRAMS; n++) {
            long seed = SEED + n;
            int at = compare(quick, slow, seed);
            if (at >= 0) {
                throw new AssertionError("jvrpc.chains.seed=" + seed + " first difference at=" + at + " "
                        + where(quick, at) + explain(seed));
            }
            assertEquals(slow.group.isHeld(), quick.group.isHeld(), () -> "jvrpc.chains.seed=" + seed);
        }
        System.out.println("chains: seed=" + SEED + " programs=" + PROGRAMS + " WQEs=" + quick.wqes());
        assertTrue(quick.wqes() > 5 * PROGRAMS, "the programs stop too early, WQEs=" + quick.wqes());
    }

    private static int compare(World quick, World slow, long seed) {
        quick.program(seed);
        slow.program(seed);
        return quick.memory.slice(0, quick.used).mismatch(slow.memory.slice(0, slow.used));
    }

    /** Looks for the fewest WQEs after which there is a difference, and says what was executed. */
    private static String explain(long seed) {
        for (int most = 0; most < 100; most++) {
            World quick = new World(false);
            World slow = new World(true);
            quick.most = most;
            slow.most = most;
            List<String> executed = new ArrayList<>();
            slow.group.trace(new ChainTracer() {
                @Override
                public void before(int qpn, int index) {
                    int at = slow.made[qpn - 1].ring() + (index & ChainFixture.BLOCKS - 1) * Wqe.BLOCK;
                    executed.add(qpn + ":" + index + " " + Long.toHexString(BigEndian.getLong(slow.memory, at)));
                }

                @Override
                public void after(int qpn, int index, WcStatus status) {
                    executed.add(executed.remove(executed.size() - 1) + " " + status);
                }
            });
            int at = compare(quick, slow, seed);
            if (at >= 0) {
                return "\nwith most=" + most + " at=" + at + " " + where(quick, at) + " after " + executed;
            }
        }
        return "\nnot in a new world";
    }

    private static String where(World world, int at) {
        return Arrays.stream(world.made)
                .filter(queue -> at >= queue.qp && at < queue.qp + 8192)
                .map(queue -> "qpn=" + queue.qpn + " offset=" + (at - queue.qp) + " (ring " + (queue.ring() - queue.qp)
                        + ", CQ " + (queue.cq - queue.qp) + ", count " + (queue.cq - queue.qp + CqContext.RING)
                        + ", queue " + (queue.context - queue.qp) + ", receives " + QpContext.RINGS + ")")
                .findAny().orElse("in data or group");
    }
}
