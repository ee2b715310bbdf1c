package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;

/** The send and the receive queue as rings: what fits, what comes back when, and what happens over many laps. */
public abstract class QueueContract extends DeviceContract {

    private static final int AT = 8192;

    QueueContract(DeviceUnderTest dut) {
        super(dut);
    }

    private static SendRequest write(Pair pair, long wrId) {
        return SendRequest.write(
                wrId, pair.right().address(AT), pair.right().mr.rkey(), pair.left().sge(0, 8));
    }

    @Test
    void anUnsignalledSendMakesNoCompletion() {
        Pair pair = rig.pair();
        pair.right().receive(1, AT, 8);
        pair.left().post(SendRequest.send(2, pair.left().sge(0, 8)));
        pair.right().receivedOk(1, 8);
        rig.assertQuiet();
    }

    @Test
    void atLeastTheAskedForNumberOfSendsFitsAndNotWithoutEnd() {
        for (int depth : new int[] {1, 2, 3, 7, 64}) {
            Pair pair = rig.pair(Setup.usual().depth(depth, depth));
            int accepted = fillUnsignalled(pair);
            assertTrue(accepted >= depth, "depth=" + depth + " accepted=" + accepted);
            rig.assertQuiet();
            assertEquals(0, pair.left().tryPost(write(pair, 1)), "polling gives nothing back without a completion");
        }
    }

    private static int fillUnsignalled(Pair pair) {
        int accepted = 0;
        while (pair.left().tryPost(write(pair, accepted)) == 1) {
            accepted++;
            assertTrue(accepted < 1 << 16, "the send queue has no end");
        }
        return accepted;
    }

    @Test
    void theSlotsOfUnsignalledSendsComeBackWithTheNextSignalledOne() {
        Setup setup = Setup.usual().depth(8, 8);
        int capacity = fillUnsignalled(rig.pair(setup));
        Pair pair = rig.pair(setup);
        for (int lap = 0; lap < 50; lap++) {
            for (int i = 0; i < capacity - 1; i++) {
                pair.left().post(write(pair, i));
            }
            pair.left().post(write(pair, 1000 + lap).signalled());
            assertEquals(0, pair.left().tryPost(write(pair, 1)), "full before the completion is polled");
            pair.left().sentOk(1000 + lap, WcOpcode.RDMA_WRITE);
        }
        rig.assertQuiet();
    }

    @Test
    void aListThatDoesNotFitIsAcceptedUpToWhereTheQueueIsFull() {
        Setup setup = Setup.usual().depth(8, 8);
        int capacity = fillUnsignalled(rig.pair(setup));
        Pair pair = rig.pair(setup);
        End left = pair.left();
        for (int i = 0; i < capacity - 2; i++) {
            left.post(i == 0 ? write(pair, 1).signalled() : write(pair, 1));
        }
        SendRequest[] four = new SendRequest[4];
        for (int i = 0; i < 4; i++) {
            four[i] = SendRequest.fetchAndAdd(
                    10 + i, pair.right().address(AT + 64), pair.right().mr.rkey(), 1, left.sge(64, 8)).signalled();
        }
        assertEquals(2, left.tryPost(four));
        left.sentOk(1, WcOpcode.RDMA_WRITE);
        left.sentOk(10, WcOpcode.FETCH_ADD);
        left.sentOk(11, WcOpcode.FETCH_ADD);
        rig.assertQuiet();
        assertEquals(2, pair.right().getLong(AT + 64), "exactly the accepted ones took effect");
        left.post(four);
        for (int i = 0; i < 4; i++) {
            left.sentOk(10 + i, WcOpcode.FETCH_ADD);
        }
    }

    @Test
    void aFullReceiveQueueAcceptsNoMoreUntilAReceiveIsPolled() {
        for (int depth : new int[] {1, 4, 5}) {
            Pair pair = rig.pair(Setup.usual().depth(16, depth));
            End right = pair.right();
            int accepted = 0;
            while (right.tryReceive(ReceiveRequest.of(accepted, right.sge(AT, 8))) == 1) {
                accepted++;
                assertTrue(accepted < 1 << 16, "the receive queue has no end");
            }
            assertTrue(accepted >= depth, "depth=" + depth + " accepted=" + accepted);
            for (int i = 0; i < 100; i++) {
                pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
                pair.left().sentOk(i, WcOpcode.SEND);
                right.receivedOk(i, 8);
                right.receive(accepted + i, AT, 8);
                assertEquals(0, right.tryReceive(ReceiveRequest.of(-1, right.sge(AT, 8))));
            }
        }
    }

    @Test
    void aListOfReceivesIsAcceptedUpToWhereTheQueueIsFull() {
        Pair pair = rig.pair(Setup.usual().depth(16, 4));
        End right = pair.right();
        int capacity = 0;
        while (right.tryReceive(ReceiveRequest.of(capacity, right.sge(AT, 8))) == 1) {
            capacity++;
        }
        PostReceive list = right.qp.prepareReceive(ReceiveRequest.of(100, right.sge(AT, 8)),
                ReceiveRequest.of(101, right.sge(AT, 8)), ReceiveRequest.of(102, right.sge(AT, 8)));
        for (int i = 0; i < 2; i++) {
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
            right.receivedOk(i, 8);
        }
        assertEquals(2, list.execute());
        for (int i = 2; i < capacity + 2; i++) {
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
            right.receivedOk(i < capacity ? i : 100 + i - capacity, 8);
        }
        rig.pump();
    }

    @ParameterizedTest(name = "sends={0} receives={1} cqeBytes={2} payloadInPlace={3}")
    @CsvSource({"1,1,64,false", "2,3,128,true", "8,4,64,true", "16,16,128,false"})
    void requestsOfAllKindsAndSizesRunManyLaps(int sends, int receives, int cqeBytes, boolean inPlace) {
        long seed = Pattern.seed("requestsOfAllKindsAndSizesRunManyLaps");
        Setup setup = Setup.usual().depth(sends, receives).sges(8, 4).inline(200).cq(64, cqeBytes, inPlace)
                .rnr(7, 1000);
        Laps laps = new Laps(rig.pair(setup), new SplittableRandom(seed));
        for (int i = 0; i < 3000; i++) {
            laps.step(i);
        }
        rig.assertQuiet();
    }

    /** One request of a random kind after the other, each checked. */
    private static final class Laps {

        private final Pair pair;
        private final SplittableRandom random;

        Laps(Pair pair, SplittableRandom random) {
            this.pair = pair;
            this.random = random;
        }

        void step(int i) {
            int size = random.nextInt(4) == 0 ? random.nextInt(3000) : random.nextInt(100);
            byte[] data = Pattern.bytes(i, size);
            pair.left().put(0, data);
            int kind = random.nextInt(4);
            SendRequest request = switch (kind) {
                case 0 -> SendRequest.send(i, sges(size));
                case 1 -> SendRequest.sendWithImmediate(i, i, sges(size));
                case 2 -> SendRequest.write(i, pair.right().address(AT), pair.right().mr.rkey(), sges(size));
                default -> SendRequest.writeWithImmediate(
                        i, pair.right().address(AT), pair.right().mr.rkey(), i, sges(size));
            };
            if (size <= 200 && random.nextBoolean()) {
                request = request.inline();
            }
            if (kind != 2) {
                pair.right().receive(-i, pair.right().sge(AT, size / 2), pair.right().sge(AT + size / 2, 3000));
            }
            pair.left().post(request.signalled());
            pair.left().sentOk(i, kind < 2 ? WcOpcode.SEND : WcOpcode.RDMA_WRITE);
            if (kind != 2) {
                arrived(i, kind, data);
            } else {
                pair.right().assertBytes(data, AT);
            }
        }

        private void arrived(int i, int kind, byte[] data) {
            Wc wc = pair.right().receivedOk(-i, data.length, kind == 3 ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV);
            if (kind != 0) {
                assertEquals(i, wc.immediate());
            }
            if (wc.inline() == null) {
                pair.right().assertBytes(data, AT);
            } else {
                assertArrayEquals(data, wc.inline());
            }
        }

        private Sge[] sges(int size) {
            List<Sge> sges = new ArrayList<>();
            int at = 0;
            int count = 1 + random.nextInt(8);
            for (int k = 0; k < count; k++) {
                int length = k == count - 1 ? size - at : random.nextInt(size - at + 1);
                sges.add(pair.left().sge(at, length));
                at += length;
            }
            return sges.toArray(Sge[]::new);
        }
    }

    @Tag("slow")
    @Test
    void wrIdsStayRightInTheLargestQueueOfTheWidestRequests() {
        Pair pair = rig.pair(Setup.usual().depth(16384, 1).sges(5, 1).inline(64));
        PostSend send = pair.left().qp.prepareSend(write(pair, 0).signalled());
        for (int n = 0; n < 300_000; n++) {
            assertEquals(1, send.wrId(0, n).execute());
            if (n % 16 == 15) {
                for (int k = n - 15; k <= n; k++) {
                    assertEquals(k, pair.left().sent().wrId());
                }
            }
        }
    }

    @Test
    void aQueueWhoseBlocksOutgrowTheWqeCounterIsRefusedByItsNumbers() {
        assumeTrue(dut.limitsWideQueues(), "the device has queues as deep and as wide as that");
        VerbsException e = assertThrows(VerbsException.class,
                () -> rig.left.end(Setup.usual().depth(16384, 1).sges(16, 1).inline(512)));
        assertTrue(e.getMessage().contains("maxSendWr=16384") && e.getMessage().contains("limit="), e.getMessage());
        rig.pair().exercise(1);
    }

    @Test
    void completionsOfOneQueueComeInTheOrderOfPosting() {
        Pair pair = rig.pair(Setup.usual().depth(64, 64));
        SplittableRandom random = new SplittableRandom(Pattern.seed("completionsOfOneQueueComeInTheOrderOfPosting"));
        Deque<Long> signalled = new ArrayDeque<>();
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(20);
            for (int i = 0; i < count; i++) {
                long wrId = random.nextLong();
                SendRequest request = random.nextBoolean() ? write(pair, wrId) : SendRequest.read(
                        wrId, pair.right().address(AT), pair.right().mr.rkey(), pair.left().sge(64, 100));
                boolean asked = random.nextInt(3) == 0 || i == count - 1;
                if (asked) {
                    signalled.add(wrId);
                }
                pair.left().post(asked ? request.signalled() : request);
            }
            while (!signalled.isEmpty()) {
                assertEquals(signalled.poll(), pair.left().sent().wrId());
            }
        }
        rig.assertQuiet();
    }

    @Test
    void receivesAreTakenInTheOrderOfPosting() {
        Pair pair = rig.pair(Setup.usual().depth(64, 64));
        int posted = 0;
        int taken = 0;
        SplittableRandom random = new SplittableRandom(Pattern.seed("receivesAreTakenInTheOrderOfPosting"));
        PostReceive receive = pair.right().qp.prepareReceive(ReceiveRequest.of(0, pair.right().sge(AT, 8)));
        PostSend send = pair.left().qp.prepareSend(SendRequest.send(0, pair.left().sge(0, 8)).signalled());
        for (int round = 0; round < 400; round++) {
            for (int i = random.nextInt(65 - (posted - taken)); i > 0; i--) {
                assertEquals(1, receive.wrId(0, posted).address(0, 0, pair.right().address(AT + 8L * (posted % 64)))
                        .execute());
                posted++;
            }
            for (int i = random.nextInt(posted - taken + 1); i > 0; i--) {
                pair.left().putLong(0, ~taken);
                assertEquals(1, send.wrId(0, taken).execute());
                pair.right().receivedOk(taken, 8);
                pair.left().sentOk(taken, WcOpcode.SEND);
                assertEquals(~taken, pair.right().getLong(AT + 8L * (taken % 64)));
                taken++;
            }
        }
    }
}
