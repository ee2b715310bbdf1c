package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
 * Damage in the arena, as a peer with a defect does it: only error completions and {@link VerbsException} may come of
 * it, never another exception, a hang, or a write to memory that was not given to be written.
 * {@code -Djvrpc.fuzz.iterations} makes it longer, {@code -Djvrpc.test.seed} replays a run.
 */
final class ArenaFuzzTest {

    private static final int ITERATIONS = Integer.getInteger("jvrpc.fuzz.iterations", 200_000);
    private static final int ITERATIONS_OF_A_PAIR = 40;
    private static final int PAIRS_OF_A_DEVICE = 250;
    private static final int[] WORDS = {
        0, -1, 1, 0x7fffffff, 0x80000000, 0x100, 0x01000000, 0xffff, 0x3f, 0x0fffffff, 0x40000000};

    /** What is damaged. */
    enum Target {
        SEND_RING, RECEIVE_RING, RECEIVE_CQ, RECEIVE_CQ_HEAD, QP_CONTEXT, QP_CONTEXT_BEFORE_CONNECTING, CQ_CONTEXT,
        CQ_CONTEXT_BEFORE_CONNECTING, REGION_TABLE;

        /** Keys and places of memory are what the table says: damage there may give what it did not give before. */
        boolean bindsWrites() {
            return this != REGION_TABLE;
        }

        boolean isBeforeConnecting() {
            return this == QP_CONTEXT_BEFORE_CONNECTING || this == CQ_CONTEXT_BEFORE_CONNECTING;
        }
    }

    @ParameterizedTest
    @EnumSource(value = Target.class, mode = EnumSource.Mode.EXCLUDE, names = "QP_CONTEXT_BEFORE_CONNECTING")
    void onlyErrorsComeOfDamage(Target target) {
        long seed = Pattern.seed("onlyErrorsComeOfDamage " + target);
        int iterations = ITERATIONS / Target.values().length;
        Run run = new Run(target, new SplittableRandom(seed + target.ordinal()), iterations);
        int pairs = Background.start("fuzz-" + target, run::all).join(30 + iterations / 2000);
        System.out.println(target + ": iterations=" + run.done + " pairs=" + pairs + " ended by damage=" + run.ended);
    }

    @Test
    void onlyErrorsComeOfAContextThatMakesNoSense() {
        onlyErrorsComeOfDamage(Target.QP_CONTEXT_BEFORE_CONNECTING);
    }

    /** The bytes that were damaged, to be put back. */
    private record Damage(ByteBuffer memory, int at, byte[] before) {

        void repair() {
            memory.put(at, before);
        }
    }

    private static final class Run {

        private final Target target;
        private final SplittableRandom random;
        private final int iterations;
        private int done;
        private int ended;

        Run(Target target, SplittableRandom random, int iterations) {
            this.target = target;
            this.random = random;
            this.iterations = iterations;
        }

        int all() {
            int pairs = 0;
            while (done < iterations) {
                Map<String, MappedByteBuffer> files = FuzzPair.newFiles();
                try (Device left = ShmUnderTest.open(); Device right = ShmUnderTest.open()) {
                    for (int i = 0; i < PAIRS_OF_A_DEVICE && done < iterations; i++, pairs++) {
                        try (FuzzPair pair = new FuzzPair(left, right, random, files)) {
                            onePair(pair);
                        }
                    }
                }
            }
            return pairs;
        }

        private void onePair(FuzzPair pair) {
            if (target.isBeforeConnecting()) {
                Damage damage = damage(pair, random.nextBoolean() ? pair.left : pair.right);
                pair.connect();
                damage.repair();
            } else {
                pair.connect();
            }
            int first = done;
            do {
                iteration(pair);
                done++;
            } while (pair.isUsable() && done - first < ITERATIONS_OF_A_PAIR);
            ended += pair.isUsable() ? 0 : 1;
            if (target.bindsWrites()) {
                assertTrue(pair.left.canariesLive() && pair.right.canariesLive(),
                        () -> "memory that nobody may write was written, iteration " + done);
            }
        }

        private void iteration(FuzzPair pair) {
            FuzzPair.End from = random.nextBoolean() ? pair.left : pair.right;
            FuzzPair.End to = from == pair.left ? pair.right : pair.left;
            if (!pair.isUsable()) {
                pair.drain();
                return;
            }
            if (target == Target.SEND_RING) {
                send(pair, from, to); // no receive yet: the sends wait in the ring
                damage(pair, from);
                receive(pair, to);
            } else if (target == Target.RECEIVE_CQ) {
                receive(pair, to);
                send(pair, from, to);
                damage(pair, to);
            } else {
                receive(pair, to);
                Damage damage = target.isBeforeConnecting() ? null : damage(pair, to);
                send(pair, from, to);
                if (damage != null && target != Target.RECEIVE_RING) {
                    pair.drain();
                    damage.repair();
                }
            }
            pair.drain();
        }

        private void receive(FuzzPair pair, FuzzPair.End to) {
            ReceiveRequest[] requests = new ReceiveRequest[1 + random.nextInt(3)];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = ReceiveRequest.of(i, to.sge(0, random.nextInt(200)), to.sge(1000, 1000));
            }
            guarded(pair, () -> to.qp.prepareReceive(requests).execute());
        }

        private void send(FuzzPair pair, FuzzPair.End from, FuzzPair.End to) {
            SendRequest[] requests = new SendRequest[1 + random.nextInt(3)];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = request(from, to, i);
            }
            guarded(pair, () -> from.qp.prepareSend(requests).execute());
        }

        private SendRequest request(FuzzPair.End from, FuzzPair.End to, int wrId) {
            long remote = to.mr.address() + 8L * random.nextInt(200);
            int rkey = to.mr.rkey();
            int size = random.nextInt(3) == 0 ? random.nextInt(500) : random.nextInt(70);
            SendRequest request = switch (random.nextInt(8)) {
                case 0 -> SendRequest.write(wrId, remote, rkey, from.sge(0, size), from.sge(600, 9));
                case 1 -> SendRequest.read(wrId, remote, rkey, from.sge(0, size));
                case 2 -> SendRequest.fetchAndAdd(wrId, remote, rkey, 1, from.sge(64, 8));
                case 3 -> SendRequest.writeWithImmediate(wrId, remote, rkey, 5, from.sge(0, size));
                case 4 -> SendRequest.send(wrId, from.sge(0, size % 64)).inline();
                default -> SendRequest.send(wrId, from.sge(0, size), from.sge(700, random.nextInt(100)));
            };
            return random.nextInt(3) == 0 ? request : request.signalled();
        }

        private static void guarded(FuzzPair pair, Runnable verb) {
            try {
                verb.run();
            } catch (VerbsException e) {
                pair.broken = true;
            }
        }

        private Damage damage(FuzzPair pair, FuzzPair.End end) {
            return switch (target) {
                case SEND_RING -> hit(end.qpFile(), end.sendRingAt(), 16 * 64);
                case RECEIVE_RING -> hit(end.qpFile(), end.receiveRingAt(), end.receiveRingBytes());
                case QP_CONTEXT, QP_CONTEXT_BEFORE_CONNECTING -> hit(end.qpFile(), end.qpAt(), QpContext.RINGS);
                case REGION_TABLE -> hit(pair.file(end.device, Slab.baseOf(0)), 0, 64 * 16);
                default -> hitCq(pair, end);
            };
        }

        private Damage hitCq(FuzzPair pair, FuzzPair.End end) {
            long address = end.receiveCqAddress();
            MappedByteBuffer file = pair.file(end.device, address);
            int at = Slab.index(address);
            return switch (target) {
                case RECEIVE_CQ -> hit(file, at + CqContext.RING, 32 * CqContext.cqeBytes(file, at));
                case RECEIVE_CQ_HEAD -> hit(file, at + CqContext.RECORD, CqContext.RING - CqContext.RECORD);
                default -> hit(file, at, CqContext.RING);
            };
        }

        /** Changes a bit, a byte, or a word of four bytes, up to three times within 16 bytes. */
        private Damage hit(ByteBuffer memory, int from, int length) {
            int at = from + random.nextInt(length / 16) * 16;
            byte[] before = new byte[16];
            memory.get(at, before);
            byte[] after = before.clone();
            for (int n = random.nextInt(3); n >= 0; n--) {
                int i = random.nextInt(16);
                switch (random.nextInt(4)) {
                    case 0 -> after[i] ^= (byte) (1 << random.nextInt(8));
                    case 1 -> after[i] = (byte) random.nextInt();
                    case 2 -> ByteBuffer.wrap(after).putInt(i & 12, WORDS[random.nextInt(WORDS.length)]);
                    default -> ByteBuffer.wrap(after).putInt(i & 12, Integer.reverseBytes(
                            WORDS[random.nextInt(WORDS.length)]));
                }
            }
            memory.put(at, after);
            return new Damage(memory, at, before);
        }
    }
}
