package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.softrnic.shm.ShmEndpoint;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Pattern;

/**
 * Damage in SRQs and datagram QPs of the arena, as a peer with a defect does it: only error completions, lost messages
 * and {@link VerbsException} may come of it, never another exception, a hang, or a write to other memory.
 */
final class SharedFuzzTest {

    private static final int ITERATIONS = Integer.getInteger("jvrpc.fuzz.iterations", 200_000) / 100;
    private static final int OF_A_PAIR = 20;
    private static final int RECEIVES = 7;
    private static final int[] WORDS = {0, -1, 1, 0x7fffffff, 0x80000000, 0xffff, 0x3f, 0x100, 0x01000000};

    /** What is damaged. */
    enum Target {
        SRQ_CONTEXT, SRQ_OWNERS, SRQ_RING, SRQ_BEFORE_CONNECTING, UD_CONTEXT, UD_RECEIVES, UD_SENDS, UD_TABLE;

        boolean isDatagram() {
            return ordinal() >= UD_CONTEXT.ordinal();
        }
    }

    private final WorkCompletion wc = new WorkCompletion();

    @ParameterizedTest
    @EnumSource(Target.class)
    void onlyErrorsComeOfDamage(Target target) {
        SplittableRandom random = new SplittableRandom(Pattern.seed("onlyErrorsComeOfDamage " + target));
        int lost = Background.start("fuzz-" + target, () -> run(target, random)).join(110);
        System.out.println(target + ": iterations=" + ITERATIONS + " refused or lost=" + lost);
        assertTrue(lost > 0 && lost < ITERATIONS, "all or nothing arrived: the damage missed, lost=" + lost);
    }

    private int run(Target target, SplittableRandom random) {
        int lost = 0;
        for (int done = 0; done < ITERATIONS;) {
            try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
                for (int pair = 0; pair < 50 && done < ITERATIONS; pair++) {
                    done += OF_A_PAIR;
                    try {
                        lost += target.isDatagram()
                                ? datagrams(device, target, random) : shared(device, target, random);
                    } catch (VerbsException e) {
                        lost += OF_A_PAIR; // refused as a whole
                    }
                }
            }
        }
        return lost;
    }

    private static void damage(ByteBuffer memory, int from, int bytes, SplittableRandom random) {
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = from + random.nextInt(bytes / 4) * 4;
            memory.putInt(at, random.nextBoolean() ? WORDS[random.nextInt(WORDS.length)] : random.nextInt());
        }
    }

    private static ByteBuffer window(SoftDevice device, long address) {
        return device.arena().require(address, 8, "test").window(address);
    }

    /** Memory that nobody may write lies before and behind what receives name. */
    private static final class Guarded {

        private final MemoryRegion[] regions = new MemoryRegion[3];

        Guarded(ShmEnd end) {
            for (int i = 0; i < regions.length; i++) {
                regions[i] = end.pd.allocate(1024, i == 1 ? 1 : 0);
            }
        }

        Sge sge() {
            return Sge.of(regions[1], 0, 1024);
        }

        void check() {
            for (int i = 0; i < regions.length; i += 2) {
                for (int at = 0; at < 1024; at += 8) {
                    assertEquals(0, regions[i].buffer(at, 8).getLong(0), "memory that nobody may write was written");
                }
            }
        }
    }

    private int drain(CompletionQueue cq) {
        int found = 0;
        for (int poll = 0; poll < 200; poll++) {
            try {
                found += cq.poll(wc) && wc.succeeded() ? 1 : 0;
            } catch (VerbsException e) {
                return found; // an overrun
            }
        }
        return found;
    }

    private int shared(SoftDevice device, Target target, SplittableRandom random) {
        ShmEnd left = new ShmEnd(device, 1, null, device.createChannel(), with -> with.rnr(1, 1));
        SharedReceiveQueue srq = left.pd.createSrq(new SharedReceiveQueueAttributes(RECEIVES, 2));
        ShmEnd right = new ShmEnd(device, 1, null, left.channel, with -> with.sharedReceive(srq));
        Guarded guarded = new Guarded(left);
        long address = device.own(srq).address();
        ByteBuffer memory = window(device, address);
        int at = Slab.index(address);
        int ring = SrqContext.ring(RECEIVES + 1);
        if (target == Target.SRQ_BEFORE_CONNECTING) {
            damage(memory, at, ring, random);
        }
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(0, guarded.sge()));
        int arrived = 0;
        for (int i = 0; i < OF_A_PAIR; i++) {
            for (int n = random.nextInt(4); n > 0; n--) {
                call.wrId(0, i).execute();
            }
            switch (target) {
                case SRQ_CONTEXT -> damage(memory, at, SrqContext.BYTES, random);
                case SRQ_OWNERS -> damage(memory, at + SrqContext.BYTES, 8 * (RECEIVES + 1), random);
                case SRQ_RING -> damage(memory, at + ring, 64 * (RECEIVES + 1), random);
                default -> { }
            }
            left.qp.prepareSend(SendRequest.send(i, left.sge(0, random.nextInt(500)))).execute();
            drain(left.sendCq);
            arrived += drain(right.receiveCq);
        }
        guarded.check();
        right.qp.close();
        left.qp.close();
        srq.close();
        anotherPairWorks(device, left.channel);
        return OF_A_PAIR - Math.min(OF_A_PAIR, arrived);
    }

    /** What was damaged is that pair's own. */
    private void anotherPairWorks(SoftDevice device, EventChannel channel) {
        ShmEnd left = new ShmEnd(device, 1, null, channel);
        ShmEnd right = new ShmEnd(device, 1, null, channel);
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
        right.mr.buffer(0, 8).putLong(0, 0);
        assertEquals(1, right.qp.prepareReceive(ReceiveRequest.of(1, right.sge(0, 8))).execute());
        left.mr.buffer(0, 8).putLong(0, 0x1234567);
        assertEquals(1, left.qp.prepareSend(SendRequest.send(2, left.sge(0, 8))).execute());
        assertTrue(right.receiveCq.poll(wc) && wc.succeeded() && wc.wrId() == 1, wc::toString);
        assertEquals(0x1234567, right.mr.buffer(0, 8).getLong(0));
        left.close();
        right.close();
    }

    private int datagrams(SoftDevice device, Target target, SplittableRandom random) {
        ShmEnd left = new ShmEnd(device, 1, null, device.createChannel(), with -> with.datagram(1));
        ShmEnd right = new ShmEnd(device, RECEIVES, null, left.channel, with -> with.datagram(ShmEnd.QKEY));
        left.qp.ready();
        right.qp.ready();
        Guarded guarded = new Guarded(right);
        Destination there = new Destination(left.pd.createAh(right.qp.endpoint()), right.qp.number(), ShmEnd.QKEY);
        PostReceive call = right.qp.prepareReceive(ReceiveRequest.of(0, guarded.sge()));
        int arrived = 0;
        for (int i = 0; i < OF_A_PAIR; i++) {
            for (int n = random.nextInt(4); n > 0; n--) {
                call.wrId(0, i).execute();
            }
            damage(device, target, right, random);
            if (i > 0 && target == Target.UD_SENDS) {
                sendDamaged(device, left, random);
            } else {
                left.qp.prepareSend(SendRequest.datagram(i, there, left.sge(0, 1 + random.nextInt(500)))).execute();
            }
            drain(left.sendCq);
            arrived += drain(right.receiveCq);
        }
        guarded.check();
        right.qp.close();
        left.qp.close();
        return OF_A_PAIR - Math.min(OF_A_PAIR, arrived);
    }

    private static void damage(SoftDevice device, Target target, ShmEnd right, SplittableRandom random) {
        long receiver = ShmEndpoint.decode("test", right.qp.endpoint()).address();
        int at = Slab.index(receiver);
        switch (target) {
            case UD_CONTEXT -> {
                if (random.nextInt(20) > 0) {
                    damage(window(device, receiver), at + 72, 8, random); // the hand
                } else {
                    damage(window(device, receiver), at, QpContext.BYTES, random); // and the claim: senders wait
                }
            }
            case UD_RECEIVES -> damage(window(device, receiver), at + QpContext.RINGS, 16 * (RECEIVES + 1), random);
            case UD_TABLE -> {
                long table = ArenaHeader.datagrams(window(device, Slab.baseOf(0)));
                damage(window(device, table), Slab.index(table), 128, random);
            }
            default -> { }
        }
    }

    /** Posts the first WQE of the ring again, but for a few words. */
    private static void sendDamaged(SoftDevice device, ShmEnd left, SplittableRandom random) {
        long sender = ShmEndpoint.decode("test", left.qp.endpoint()).address();
        ByteBuffer wqe = ByteBuffer.allocate(1024);
        for (int i = 0; i < 128; i++) {
            wqe.put(i, window(device, sender).get(Slab.index(sender) + QpContext.RINGS + 64 + i));
        }
        damage(wqe, 0, 128, random);
        long[] words = new long[128];
        wqe.asLongBuffer().get(words);
        if (Wqe.segments((int) words[0]) > 0) {
            ((Mlx5QueuePair) left.qp).post(1, words);
        }
    }
}
