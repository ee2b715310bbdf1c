package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Pattern;

/**
 * Damage in the arena while the engine reads it: another thread changes words of WQEs, receives, keys and contexts to
 * and fro, between what is right and what points outside. What is checked must be what is used: only errors may come
 * of it, never another exception, nor a write to memory that no key allows to write.
 * {@code -Djvrpc.fuzz.races} makes it longer, {@code -Djvrpc.test.seed} repeats the choices.
 */
final class ArenaRaceTest {

    private static final int ROUNDS = Integer.getInteger("jvrpc.fuzz.races", 10_000);
    private static final int ROUNDS_OF_A_PAIR = 30;
    private static final int PAIRS_OF_A_DEVICE = 200;
    private static final int SECONDS = 300;

    /** What changes. */
    enum Target {
        SEND_RING, RECEIVE_RING, QP_CONTEXT, CQ_CONTEXT, REGION_TABLE
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void whatIsCheckedIsWhatIsUsed(Target target) {
        long seed = Pattern.seed("whatIsCheckedIsWhatIsUsed " + target);
        Run run = new Run(target, seed + target.ordinal());
        Background<Integer> changer = Background.start("changer-" + target, run::change);
        int pairs = Background.start("race-" + target, run::all).join(SECONDS);
        run.over = true;
        int changes = changer.join(30);
        System.out.println(target + ": rounds=" + run.done + " pairs=" + pairs + " changes=" + changes);
    }

    /**
     * What the changing thread may write to: words of memory, and what they may become.
     *
     * @param counter offset of the big-endian count of blocks that were posted, by which those at work are found; -1
     *     where there is none
     * @param focus words of a WQE that are changed most
     */
    private record Prey(
            ByteBuffer memory, int from, int words, boolean big, long[] values, int counter, int... focus) {

        private static final int BLOCK = 8;

        /** Chooses a word, of a WQE where there are WQEs. */
        int choose(SplittableRandom random) {
            if (counter < 0) {
                return random.nextInt(words);
            }
            return random.nextInt(4) == 0 ? random.nextInt(BLOCK) : focus[random.nextInt(focus.length)];
        }

        /** Returns where that word is of the block which was posted so many before the next. */
        int locate(int word, int back) {
            return counter < 0 ? word
                    : (BigEndian.getInt(memory, counter) - back & words / BLOCK - 1) * BLOCK + word;
        }

        long get(int word) {
            return big ? BigEndian.getLong(memory, from + 8 * word) : memory.getLong(from + 8 * word);
        }

        void put(int word, long value) {
            if (big) {
                BigEndian.putLong(memory, from + 8 * word, value);
            } else {
                memory.putLong(from + 8 * word, value);
            }
        }
    }

    private static final class Run {

        private final Target target;
        private final SplittableRandom random;
        private final SplittableRandom changes;
        private volatile Prey prey;
        private volatile boolean over;
        private int done;
        private volatile int blackhole;
        /** Held while words are changed: their memory must not go meanwhile. */
        private final ReentrantLock changing = new ReentrantLock();

        Run(Target target, long seed) {
            this.target = target;
            this.random = new SplittableRandom(seed);
            this.changes = random.split();
        }

        /** The other thread: takes a word, changes it to and fro some hundred times, takes another. */
        private int change() {
            int count = 0;
            while (!over) {
                changing.lock();
                try {
                    count += changeOneWord();
                } finally {
                    changing.unlock();
                }
            }
            return count;
        }

        private int changeOneWord() {
            int count = 0;
            Prey now = prey;
            if (now != null) {
                int word = now.choose(changes);
                int back = 1 + changes.nextInt(5);
                long right = now.get(now.locate(word, back));
                long wrong = changes.nextInt(4) == 0 ? right ^ 1L << changes.nextInt(64)
                        : now.values()[changes.nextInt(now.values().length)];
                for (int n = changes.nextInt(100); n > 0 && now == prey; n--) {
                    int at = now.locate(word, back);
                    now.put(at, wrong);
                    now.put(at, right);
                    count++;
                }
            }
            return count;
        }

        private int all() {
            int pairs = 0;
            while (done < ROUNDS) {
                Map<String, MappedByteBuffer> files = FuzzPair.newFiles();
                try (Device left = ShmUnderTest.open(); Device right = ShmUnderTest.open()) {
                    for (int i = 0; i < PAIRS_OF_A_DEVICE && done < ROUNDS; i++, pairs++) {
                        try (FuzzPair pair = new FuzzPair(left, right, random, files)) {
                            assertTrue(pair.connect());
                            onePair(pair);
                        }
                    }
                } finally {
                    endChanges();
                }
            }
            return pairs;
        }

        private void endChanges() {
            prey = null;
            changing.lock(); // what was begun has ended
            changing.unlock();
        }

        private void onePair(FuzzPair pair) {
            prey = preyOf(pair);
            int first = done;
            do {
                round(pair);
                done++;
            } while (pair.isUsable() && done - first < ROUNDS_OF_A_PAIR);
            endChanges();
            assertTrue(pair.left.canariesLive() && pair.right.canariesLive(),
                    () -> "memory that nobody may write was written, round " + done);
        }

        /** Has the WQEs lie there for a moment, so that they can change before and while they are executed. */
        private void round(FuzzPair pair) {
            SendRequest[] requests = new SendRequest[target == Target.RECEIVE_RING ? 1 : 3];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = request(pair);
            }
            try {
                if (target == Target.RECEIVE_RING) {
                    receive(pair);
                    pause();
                    pair.left.qp.prepareSend(requests).execute();
                } else {
                    // The first one waits for its receive, the others behind it.
                    pair.left.qp.prepareSend(SendRequest.send(1, pair.left.sge(0, 8))).execute();
                    pair.left.qp.prepareSend(requests).execute();
                    pause();
                    for (int i = 0; i <= requests.length; i++) {
                        receive(pair);
                    }
                }
            } catch (VerbsException e) {
                pair.broken = true;
            }
            pair.drain();
        }

        private void receive(FuzzPair pair) {
            pair.right.qp.prepareReceive(ReceiveRequest.of(1, pair.right.sge(0, 400))).execute();
        }

        private void pause() {
            for (int n = random.nextInt(2000); n > 0; n--) {
                blackhole += n;
            }
        }

        private SendRequest request(FuzzPair pair) {
            FuzzPair.End from = pair.left;
            long remote = pair.right.mr.address() + 8L * random.nextInt(200);
            int rkey = pair.right.mr.rkey();
            int size = 97 + random.nextInt(300); // longer than a CQE takes
            return switch (target == Target.RECEIVE_RING ? 7 : random.nextInt(6)) {
                case 0, 1 -> SendRequest.write(1, remote, rkey, from.sge(0, size)).signalled();
                case 2 -> SendRequest.read(1, remote, rkey, from.sge(0, size)).signalled();
                case 3 -> SendRequest.fetchAndAdd(1, remote, rkey, 1, from.sge(64, 8)).signalled();
                case 4 -> SendRequest.writeWithImmediate(1, remote, rkey, 5, from.sge(0, size));
                case 5 -> SendRequest.send(1, from.sge(0, size)).signalled();
                default -> random.nextBoolean() ? SendRequest.send(1, from.sge(0, size))
                        : SendRequest.send(1, from.sge(0, size), from.sge(700, 30)).signalled();
            };
        }

        private Prey preyOf(FuzzPair pair) {
            FuzzPair.End left = pair.left;
            FuzzPair.End right = pair.right;
            long lengthAndKey = 100L << 32 | right.mr.lkey();
            long[] wrong = {
                right.before.address(), right.behind.address(), left.before.address(), left.behind.address(),
                right.behind.address() - 50, left.behind.address() - 50, 0, -1, lengthAndKey,
                512L << 32 | right.mr.lkey(), (long) right.behind.rkey() << 32};
            return switch (target) {
                case SEND_RING -> new Prey(left.qpFile(), left.sendRingAt(), 8 * 16, true, wrong,
                        left.qpAt() + QpContext.RECORD + DoorbellRecord.SEND, 2, 5);
                case RECEIVE_RING ->
                    new Prey(right.qpFile(), right.receiveRingAt(), right.receiveRingBytes() / 8, true, wrong,
                            right.qpAt() + QpContext.RECORD + DoorbellRecord.RECEIVE, 1);
                case QP_CONTEXT -> new Prey(right.qpFile(), right.qpAt(), QpContext.RINGS / 8, false, wrong, -1);
                case CQ_CONTEXT -> {
                    long cq = right.receiveCqAddress();
                    yield new Prey(pair.file(right.device, cq), Slab.index(cq), CqContext.RING / 8, false, wrong, -1);
                }
                case REGION_TABLE -> keyOf(pair, right);
            };
        }

        /** The key, access and domain of the region that may be written: whatever they become, none gives more. */
        private Prey keyOf(FuzzPair pair, FuzzPair.End end) {
            long entry = OneSlab.entry(pair.file(end.device, Slab.baseOf(0)), end.mr.rkey());
            int at = Slab.index(entry);
            MappedByteBuffer table = pair.file(end.device, entry);
            long[] wrong = {0, end.before.rkey(), end.behind.rkey(), table.getLong(at) & 0xffffffffL, 1, -1};
            return new Prey(table, at, 2, false, wrong, -1);
        }
    }
}
