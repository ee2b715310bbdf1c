package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;

/** Random schedules over an SRQ: each posted receive completes once, each message arrives once, whole and in order. */
public abstract class SharedReceiveScheduleContract extends DeviceContract {

    private static final int SLOT = 256;
    private static final int HEADER = 16;

    SharedReceiveScheduleContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.sharesReceives(), "the device has no shared receive queues");
    }

    /** One run, in one thread. A receive's wrId says where its memory lies. */
    private final class Run {

        private final SplittableRandom random;
        private final int qps;
        private final SharedPairs pairs;
        private final PostReceive receive;
        private final Deque<Integer> freeSlots = new ArrayDeque<>();
        private final Map<Long, Integer> posted = new HashMap<>();
        private final long[] sent;
        private final long[] completed;
        private final long[] received;
        private long nextWrId = 1;

        Run(SplittableRandom random) {
            this.random = random;
            this.qps = 1 + random.nextInt(8);
            int depth = 1 + random.nextInt(24);
            this.pairs = new SharedPairs(rig, qps, depth, Setup.usual().rnr(7, 1000).depth(8, 1)
                    .cq(256, random.nextBoolean() ? 64 : 128, false));
            this.receive = pairs.srq().prepareReceive(ReceiveRequest.of(0, pairs.sge(0, SLOT)));
            for (int slot = 0; slot < pairs.srq().depth(); slot++) {
                freeSlots.add(slot);
            }
            this.sent = new long[qps];
            this.completed = new long[qps];
            this.received = new long[qps];
        }

        void step() {
            switch (random.nextInt(4)) {
                case 0 -> post();
                case 1, 2 -> send(random.nextInt(qps));
                default -> look();
            }
        }

        private void post() {
            if (!freeSlots.isEmpty()) {
                int slot = freeSlots.poll();
                assertEquals(1, receive.wrId(0, nextWrId).offset(0, 0, (long) slot * SLOT).execute());
                posted.put(nextWrId++, slot);
            }
        }

        private void send(int qp) {
            End left = pairs.get(qp).left();
            if (sent[qp] - completed[qp] == 8) {
                return;
            }
            int length = HEADER + random.nextInt(SLOT - HEADER + 1);
            long at = sent[qp] % 8 * SLOT;
            left.put(at, Pattern.bytes(sent[qp] * 31 + qp, length));
            left.putLong(at, sent[qp]);
            left.putLong(at + 8, length);
            left.post(SendRequest.send(sent[qp]++, left.sge(at, length)).signalled());
        }

        void look() {
            rig.pump();
            for (int qp = 0; qp < qps; qp++) {
                Probe sends = pairs.get(qp).left().sends;
                for (Wc wc = sends.take(); wc != null; wc = sends.take()) {
                    assertEquals(completed[qp]++, wc.wrId());
                    assertTrue(wc.opcode() != null, wc::toString);
                }
                Probe receives = pairs.get(qp).right().receives;
                for (Wc wc = receives.take(); wc != null; wc = receives.take()) {
                    check(qp, wc);
                }
            }
        }

        private void check(int qp, Wc wc) {
            Integer slot = posted.remove(wc.wrId());
            assertTrue(slot != null && wc.opcode() != null, () -> "not posted, or twice: " + wc);
            byte[] expected = Pattern.bytes(received[qp] * 31 + qp, wc.byteLength());
            byte[] got = pairs.bytes((long) slot * SLOT, wc.byteLength());
            assertEquals(received[qp]++, pairs.mr().buffer((long) slot * SLOT, 8).getLong(0), "of qp=" + qp);
            assertEquals(wc.byteLength(), pairs.mr().buffer((long) slot * SLOT + 8, 8).getLong(0));
            for (int i = HEADER; i < got.length; i++) {
                assertEquals(expected[i], got[i], "torn at " + i);
            }
            freeSlots.add(slot);
        }

        void finish() {
            Deadline deadline = Deadline.usual();
            for (int qp = 0; qp < qps; qp++) {
                while (received[qp] < sent[qp] || completed[qp] < sent[qp]) {
                    post();
                    look();
                    deadline.turn(() -> "sent, completed, received: " + Arrays.toString(sent)
                            + Arrays.toString(completed) + Arrays.toString(received));
                }
            }
            look();
            rig.assertQuiet();
            assertEquals(pairs.srq().depth(), posted.size() + freeSlots.size());
            assertEquals(Arrays.stream(received).sum(), nextWrId - 1 - posted.size());
        }
    }

    @RepeatedTest(8)
    void everyReceiveCompletesOnceAndEveryMessageArrivesOnce() {
        Run run = new Run(new SplittableRandom(Pattern.seed("everyReceiveCompletesOnce")));
        for (int i = 0; i < 4000; i++) {
            run.step();
        }
        run.finish();
    }

    /** Threads that send, each on its QP, while one thread polls the CQ of all and posts anew. */
    @Tag("slow")
    @Test
    void sendersOfSeveralThreadsShareTheReceives() {
        int senders = 4;
        int count = Pace.rounds(dut.rounds(3000));
        SharedPairs pairs = new SharedPairs(rig, senders, 12, Setup.usual().rnr(7, 1000).depth(8, 1));
        AtomicLong[] seen = new AtomicLong[senders];
        List<Background<Integer>> threads = new ArrayList<>();
        PostReceive receive = pairs.srq().prepareReceive(ReceiveRequest.of(0, pairs.sge(0, SLOT)));
        for (int slot = 0; slot < pairs.srq().depth(); slot++) {
            assertEquals(1, receive.wrId(0, slot).offset(0, 0, (long) slot * SLOT).execute());
        }
        for (int s = 0; s < senders; s++) {
            End left = pairs.get(s).left();
            seen[s] = new AtomicLong();
            threads.add(Background.start("sender-" + s, () -> sendAll(left, count)));
        }
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(120_000);
        for (int done = 0; done < senders * count;) {
            for (int s = 0; s < senders; s++) {
                CompletionQueue cq = pairs.get(s).right().receives.cq();
                while (cq.poll(wc)) {
                    assertTrue(wc.succeeded(), wc::toString);
                    long at = wc.wrId() * SLOT;
                    assertEquals(seen[s].getAndIncrement(), pairs.mr().buffer(at, 8).getLong(0), "lost or doubled");
                    assertEquals(~(seen[s].get() - 1), pairs.mr().buffer(at + 120, 8).getLong(0), "torn");
                    assertEquals(1, receive.wrId(0, wc.wrId()).offset(0, 0, at).execute());
                    done++;
                }
            }
            deadline.turn(() -> "seen " + List.of(seen) + " ended " + threads.stream().map(Background::isDone)
                    .toList());
        }
        threads.forEach(thread -> assertEquals(count, thread.join(60)));
    }

    private static int sendAll(End left, int count) {
        PostSend call = left.qp.prepareSend(SendRequest.send(0, left.sge(0, 128)).signalled());
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(120_000);
        int sent = 0;
        for (int done = 0; done < count;) {
            if (sent < count && sent - done < 4) {
                long at = sent % 4 * (long) SLOT;
                left.putLong(at, sent);
                left.putLong(at + 120, ~(long) sent);
                sent += call.wrId(0, sent).offset(0, 0, at).execute();
            }
            if (left.sends.cq().poll(wc)) {
                assertTrue(wc.succeeded() && wc.wrId() == done, wc::toString);
                done++;
            }
            deadline.turn(wc::toString);
        }
        return sent;
    }
}
