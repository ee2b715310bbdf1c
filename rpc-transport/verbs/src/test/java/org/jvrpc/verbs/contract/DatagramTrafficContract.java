package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;

/** Many datagrams: laps of the rings, several senders at a time, events. */
public abstract class DatagramTrafficContract extends DeviceContract {

    private static final int HEADER = Datagrams.HEADER;
    private static final int SLOT = 512;
    private static final int RECEIVES = 64;

    DatagramTrafficContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.sendsDatagrams(), "the device has no datagrams");
    }

    @RepeatedTest(4)
    void messagesOfAllSizesRunManyLaps() {
        SplittableRandom random = new SplittableRandom(Pattern.seed("messagesOfAllSizesRunManyLaps"));
        Setup setup = Datagrams.setup().depth(1 + random.nextInt(12), 16).sges(1 + random.nextInt(4), 2);
        End left = Datagrams.ready(rig.left, setup);
        End right = Datagrams.ready(rig.right, setup);
        Destination there = Datagrams.destination(left, right);
        for (int i = 0; i < dut.rounds(2000); i++) {
            int length = random.nextInt(SLOT - HEADER);
            byte[] data = Pattern.bytes(i, length);
            int first = random.nextInt(200);
            right.receive(i, right.sge(0, first), right.sge(1000, SLOT));
            left.put(0, data);
            SendRequest request = SendRequest.datagramWithImmediate(i, i, there, left.sge(0, length)).signalled();
            left.post(length <= 128 && random.nextBoolean() ? request.inline() : request);
            left.sentOk(i, WcOpcode.SEND);
            assertEquals(i, right.receivedOk(i, HEADER + length).immediate());
            byte[] placed = new byte[HEADER + length];
            int head = Math.min(first, placed.length);
            System.arraycopy(right.bytes(0, head), 0, placed, 0, head);
            System.arraycopy(right.bytes(1000, placed.length - head), 0, placed, head, placed.length - head);
            assertArrayEquals(data, Arrays.copyOfRange(placed, HEADER, placed.length), "message " + i);
        }
        rig.assertQuiet();
    }

    /** One sender's thread: so many messages that count up, never more than a few at a time. */
    private static int sendAll(End end, Destination there, int id, int count) {
        PostSend call = end.qp.prepareSend(SendRequest.datagram(0, there, end.sge(0, 64)).signalled());
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(120_000);
        int done = 0;
        for (int sent = 0; done < count;) {
            if (sent < count && sent - done < 4) {
                long at = sent % 4 * 64L;
                end.putLong(at, id);
                end.putLong(at + 8, sent);
                end.putLong(at + 56, ~(long) sent);
                sent += call.wrId(0, sent).offset(0, 0, at).execute();
            }
            if (end.sends.cq().poll(wc)) {
                assertTrue(wc.succeeded() && wc.wrId() == done, wc::toString);
                done++;
            }
            deadline.turn(wc::toString);
        }
        return done;
    }

    @Test
    void fourSendersAtATimeReachOneQpAndNoMessageComesTwiceOrTorn() {
        int count = Pace.rounds(dut.rounds(3000));
        End right = Datagrams.ready(rig.right, Datagrams.setup().depth(4, RECEIVES).sges(1, 1));
        PostReceive receive = right.qp.prepareReceive(ReceiveRequest.of(0, right.sge(0, HEADER + 64)));
        for (int slot = 0; slot < RECEIVES; slot++) {
            assertEquals(1, receive.wrId(0, slot).offset(0, 0, (long) slot * SLOT).execute());
        }
        List<Background<Integer>> threads = new ArrayList<>();
        Map<Integer, Integer> ids = new HashMap<>();
        long[] last = {-1, -1, -1, -1};
        for (int id = 0; id < 4; id++) {
            End left = Datagrams.ready(rig.left);
            Destination there = Datagrams.destination(left, right);
            int sender = id;
            ids.put(left.qp.number(), id);
            threads.add(Background.start("sender-" + id, () -> sendAll(left, there, sender, count)));
        }
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(120_000);
        int received = 0;
        for (boolean ended = false; !ended;) {
            ended = threads.stream().allMatch(Background::isDone);
            while (right.receives.cq().poll(wc)) {
                assertTrue(wc.succeeded(), wc::toString);
                long at = wc.wrId() * SLOT;
                int id = ids.get(wc.sourceQp());
                long number = right.getLong(at + HEADER + 8);
                assertEquals(id, right.getLong(at + HEADER));
                assertTrue(number > last[id], "twice or out of order: " + number + " after " + last[id]);
                assertEquals(~number, right.getLong(at + HEADER + 56), "torn");
                last[id] = number;
                assertEquals(1, receive.wrId(0, wc.wrId()).offset(0, 0, at).execute());
                received++;
            }
            deadline.turn(() -> "waiting for the senders");
        }
        threads.forEach(thread -> assertEquals(count, thread.join(60)));
        System.out.println("fourSendersAtATime: received " + received + " of " + 4 * count);
        assertTrue(received > 0);
        everyReceiveIsStillThere(right);
    }

    /** Flushes the QP and checks that each receive comes back once. */
    private void everyReceiveIsStillThere(End right) {
        right.qp.error();
        boolean[] seen = new boolean[RECEIVES];
        for (int i = 0; i < RECEIVES; i++) {
            int slot = (int) right.received().wrId();
            assertFalse(seen[slot], "twice: " + slot);
            seen[slot] = true;
        }
        rig.assertQuiet();
    }

    @Test
    void aDatagramWakesWhoWaits() {
        EventChannel channel = rig.right.channel();
        CompletionQueue cq = rig.right.cq(CompletionQueueAttributes.ofDepth(64).withChannel(channel));
        Setup setup = Datagrams.setup();
        QueuePair qp = rig.keep(rig.right.pd.createQp(setup.attributes(cq, cq)));
        End right = new End(rig.right, qp, rig.right.probe(cq, "CQ"), rig.right.probe(cq, "the same CQ"),
                rig.right.memory(4096));
        qp.init();
        qp.ready();
        End left = Datagrams.ready(rig.left);
        Destination there = Datagrams.destination(left, right);
        WorkCompletion wc = new WorkCompletion();
        for (int i = 0; i < 20; i++) {
            right.receive(i, 0, HEADER + 8);
            cq.arm();
            assertFalse(cq.poll(wc));
            Background<Boolean> waiter = Background.start("waiter", () -> channel.await(Deadline.BOUND_NS));
            left.post(SendRequest.datagram(i, there, left.sge(0, 8)).signalled());
            assertTrue(waiter.join(60), "not woken in round " + i);
            for (CompletionQueue one : new CompletionQueue[] {cq, left.sends.cq()}) {
                Deadline deadline = Deadline.usual();
                while (!one.poll(wc)) {
                    deadline.turn(() -> "no completion");
                }
                assertEquals(i, wc.wrId());
            }
        }
    }
}
