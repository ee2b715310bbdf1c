package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** CQs: depth, laps, overrun, exclusive use, and being fed by many QPs and threads at once. */
public abstract class CompletionQueueContract extends DeviceContract {

    private static final int SECONDS = 60;

    CompletionQueueContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Test
    void theDepthIsAtLeastWhatWasAskedFor() {
        for (int depth : new int[] {1, 2, 3, 5, 8, 100, 4096}) {
            CompletionQueue cq = rig.left.cq(depth);
            assertTrue(cq.depth() >= depth, "asked " + depth + " got " + cq.depth());
            assertEquals(1, Integer.bitCount(cq.depth()), "a power of two");
            assertFalse(cq.poll(new WorkCompletion()));
        }
    }

    @ParameterizedTest(name = "depth={0}")
    @ValueSource(ints = {1, 2, 8})
    void aCqThatIsFullButNotOverrunLosesNothingOverManyLaps(int depth) {
        Setup setup = Setup.usual().depth(8, 8);
        CompletionQueue raw = rig.right.cq(depth);
        Probe receives = rig.right.probe(raw, "receive CQ");
        Probe sends = rig.right.probe(rig.right.cq(64), "send CQ");
        Pair pair = Pair.connect(rig.left.end(setup), rig.right.end(setup, sends, receives));
        for (int lap = 0; lap < Math.max(20, dut.rounds(500)); lap++) {
            for (int i = 0; i < raw.depth(); i++) {
                pair.right().receive(i, 0, 8);
                pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
                while (pair.left().sends.isEmpty()) {
                    pair.left().sends.pump();
                }
                assertEquals(i, pair.left().sends.take().wrId());
            }
            for (int i = 0; i < raw.depth(); i++) {
                pair.right().receivedOk(i, 8);
            }
        }
        rig.assertQuiet();
    }

    @ParameterizedTest(name = "payloadInPlace={0}")
    @ValueSource(booleans = {false, true})
    void aCqAsDeepAsAllReceivesIsNotOverrunWhenAReceiveIsPostedAgainAfterItsPoll(boolean inPlace) {
        Setup setup = Setup.usual().depth(64, 4);
        Probe sends = rig.right.probe(rig.right.cq(16), "send CQ");
        CompletionQueue cq = rig.right.cq(new CompletionQueueAttributes(4, 64, false, inPlace, null));
        Pair pair = Pair.connect(rig.left.end(setup), rig.right.end(setup, sends, new Probe(cq, "receive CQ")));
        SendRequest send = SendRequest.send(1, pair.left().sge(0, 8));
        for (int i = 0; i < 4; i++) {
            pair.right().receive(i, 0, 8);
            pair.left().post(send);
        }
        WorkCompletion wc = new WorkCompletion();
        for (int i = 0; i < 40; i++) {
            Deadline.until("completion " + i, () -> cq.poll(wc));
            assertEquals(i, wc.wrId());
            pair.right().receive(i + 4, 0, 8);
            pair.left().post(send);
        }
        assertEquals(QueuePairState.RTS, pair.right().qp.state());
    }

    @Test
    void anOverrunByReceivesIsReportedAndItsQpsAreInError() {
        CompletionQueue cq = rig.right.cq(4);
        Setup setup = Setup.usual().depth(64, 64);
        Probe sends = rig.right.probe(rig.right.cq(256), "send CQ");
        End right = rig.right.end(setup, sends, new Probe(cq, "small CQ"));
        Pair pair = Pair.connect(rig.left.end(setup), right);
        for (int i = 0; i <= dut.roomOf(cq.depth()); i++) {
            right.receive(i, 0, 8);
        }
        for (int i = 0; i <= dut.roomOf(cq.depth()); i++) {
            SendRequest send = SendRequest.send(i, pair.left().sge(0, 8));
            pair.left().post(i < dut.roomOf(cq.depth()) ? send : send.signalled());
        }
        pair.left().sent(); // well or not: all came before the first is polled
        overrun(cq);
        right.awaitState(QueuePairState.ERR);
        assertThrows(VerbsException.class, () -> cq.poll(new WorkCompletion()), "it stays reported");
    }

    @Test
    void anOverrunBySendsIsReportedAndItsQpsAreInError() {
        CompletionQueue cq = rig.left.cq(4);
        Setup setup = Setup.usual().depth(64, 64);
        Probe receives = rig.left.probe(rig.left.cq(256), "receive CQ");
        Probe small = new Probe(cq, "small CQ");
        End first = rig.left.end(setup, small, receives);
        End second = rig.left.end(setup, small, receives);
        Pair one = Pair.connect(first, rig.right.end(setup));
        Pair.connect(second, rig.right.end(setup));
        one.right().receive(1, 0, 8);
        for (int i = 0; i <= dut.roomOf(cq.depth()); i++) {
            one.left().tryPost(SendRequest.write(
                    i, one.right().address(0), one.right().mr.rkey(), one.left().sge(0, 8)).signalled());
        }
        if (first.qp.state() == QueuePairState.RTS) {
            one.left().tryPost(SendRequest.send(99, one.left().sge(0, 8)));
        }
        rig.until("all are executed before the first is polled",
                () -> first.qp.state() == QueuePairState.ERR
                        || !one.right().receives.isEmpty() && !dut.completesLater());
        overrun(cq);
        first.awaitState(QueuePairState.ERR);
        second.awaitState(QueuePairState.ERR);
    }

    private void overrun(CompletionQueue cq) {
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.usual();
        int polled = 0;
        try {
            while (true) {
                if (cq.poll(wc)) {
                    assertTrue(++polled <= dut.roomOf(cq.depth()),
                            "more completions than the CQ can hold: overrun is silent");
                }
                deadline.turn(() -> "no overrun reported");
            }
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains(Integer.toString(cq.number())), "names the CQ: " + e.getMessage());
        }
    }

    @Test
    void anOverrunCqLeavesOtherCqsAndQpsRunning() {
        anOverrunByReceivesIsReportedAndItsQpsAreInError();
        rig.pair().exercise(1);
    }

    @Test
    void anExclusiveCqRefusesASecondQueue() {
        CompletionQueue cq = rig.left.cq(new CompletionQueueAttributes(16, 64, true, false, null));
        CompletionQueue shared = rig.left.cq(16);
        assertThrows(VerbsException.class, () -> rig.left.pd.createQp(new QueuePairAttributes(cq, cq)),
                "the SQ and the RQ of one QP are two queues");
        rig.keep(rig.left.pd.createQp(new QueuePairAttributes(shared, cq)));
        assertThrows(VerbsException.class, () -> rig.left.pd.createQp(new QueuePairAttributes(shared, cq)));
        assertThrows(VerbsException.class, () -> rig.left.pd.createQp(new QueuePairAttributes(cq, shared)));
        rig.keep(rig.left.pd.createQp(new QueuePairAttributes(shared, shared)));
    }

    @Test
    void anExclusiveCqHasOneQueueInAllItsLife() {
        CompletionQueue cq = rig.left.cq(new CompletionQueueAttributes(16, 64, true, false, null));
        CompletionQueue sends = rig.left.cq(16);
        QueuePairAttributes attributes = new QueuePairAttributes(sends, cq);
        assertThrows(VerbsException.class, () -> rig.left.pd.createQp(new QueuePairAttributes(cq, cq)));
        rig.left.pd.createQp(attributes).close();
        VerbsException e = assertThrows(VerbsException.class, () -> rig.left.pd.createQp(attributes),
                "a peer of the first one may still write to it");
        assertTrue(e.getMessage().contains("exclusive") && e.getMessage().contains("number=" + cq.number()),
                e.getMessage());
    }

    @ParameterizedTest(name = "cqeBytes={0} payloadInPlace={1}")
    @CsvSource({"64,false", "128,true"})
    void exclusiveCqsCarryTheSameTraffic(int cqeBytes, boolean inPlace) {
        CompletionQueueAttributes attributes = new CompletionQueueAttributes(16, cqeBytes, true, inPlace, null);
        Setup setup = Setup.usual().depth(8, 8);
        End left = rig.left.end(setup, rig.left.probe(rig.left.cq(attributes), "exclusive send CQ"),
                rig.left.probe(rig.left.cq(attributes), "exclusive receive CQ"));
        End right = rig.right.end(setup, rig.right.probe(rig.right.cq(attributes), "exclusive send CQ"),
                rig.right.probe(rig.right.cq(attributes), "exclusive receive CQ"));
        Pair pair = Pair.connect(left, right);
        for (int i = 0; i < Math.max(100, dut.rounds(500)); i++) {
            int size = i % 100;
            byte[] data = Pattern.bytes(i, size);
            left.put(0, data);
            right.receive(i, 4096, 100);
            pair.left().post(SendRequest.send(i, left.sge(0, size)).signalled());
            left.sentOk(i, WcOpcode.SEND);
            Wc wc = right.receivedOk(i, size);
            assertArrayEquals(
                    data, wc.inline() == null ? right.bytes(4096, size) : wc.inline());
        }
        left.post(SendRequest.send(1, new Sge(0, 8, 0)));
        left.sentFails(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void oneCqMayServeSendsAndReceivesOfBothEnds() {
        Setup setup = Setup.usual();
        Probe cq = rig.left.probe(rig.left.cq(64), "the only CQ");
        Pair pair = Pair.connect(rig.left.end(setup, cq, cq), rig.left.end(setup, cq, cq));
        for (int i = 0; i < 500; i++) {
            pair.right().receive(2L * i, 64, 8);
            pair.left().post(SendRequest.send(2L * i + 1, pair.left().sge(0, 8)).signalled());
            Map<Long, Wc> both = new HashMap<>();
            for (int k = 0; k < 2; k++) {
                Wc wc = rig.await(cq);
                both.put(wc.wrId(), wc);
            }
            assertEquals(WcOpcode.RECV, both.get(2L * i).opcode());
            assertEquals(pair.right().qp.number(), both.get(2L * i).qpNumber());
            assertEquals(WcOpcode.SEND, both.get(2L * i + 1).opcode());
            assertEquals(pair.left().qp.number(), both.get(2L * i + 1).qpNumber());
        }
    }

    @Tag("slow")
    @Test
    void aQpThatIsIdleForAnyNumberOfLapsOfASharedCqIsHeardAtOnce() {
        Setup setup = Setup.usual();
        Probe shared = rig.right.probe(rig.right.cq(4), "shared CQ");
        Probe sends = rig.right.probe(rig.right.cq(16), "send CQ");
        Pair idle = Pair.connect(rig.left.end(setup), rig.right.end(setup, sends, shared));
        Pair busy = Pair.connect(rig.left.end(setup), rig.right.end(setup, sends, shared));
        for (int laps : new int[] {1, 2, 126, 127, 128, 129, 254, 255, 256, 257, 510, 511}) {
            for (int more = 0; more < dut.rounds(8); more++) {
                idle.exercise(1);
                for (int i = 0; i < 4 * laps + more; i++) {
                    busy.right().receive(2, 64, 8);
                    busy.left().post(SendRequest.send(3, busy.left().sge(0, 8)).signalled());
                    busy.left().sentOk(3, WcOpcode.SEND);
                    busy.right().receivedOk(2, 8);
                }
            }
        }
        idle.exercise(4);
    }

    @Tag("slow")
    @ParameterizedTest(name = "producers={0} cqeBytes={1}")
    @CsvSource({"2,64", "4,64", "8,128"})
    void nothingIsLostOrDoubledOnACqThatManyThreadsFeed(int producers, int cqeBytes) {
        int count = Pace.rounds(dut.rounds(60_000)) / producers;
        int window = 32;
        Setup setup = Setup.usual().depth(window, window).rnr(7, 1000).memory(8192);
        CompletionQueueAttributes small = new CompletionQueueAttributes(
                2 * producers * window, cqeBytes, false, false, null);
        CompletionQueue shared = rig.right.cq(small);
        Probe sharedProbe = new Probe(shared, "shared CQ");
        Probe unused = new Probe(rig.right.cq(16), "unused CQ");
        Map<Integer, End> byNumber = new HashMap<>();
        List<Pair> pairs = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            Pair pair = Pair.connect(rig.left.end(setup), rig.right.end(setup, unused, sharedProbe));
            byNumber.put(pair.right().qp.number(), pair.right());
            pairs.add(pair);
        }
        List<Background<Integer>> threads = new ArrayList<>();
        Consumer consumer = new Consumer(byNumber, window);
        for (Pair pair : pairs) {
            threads.add(Background.start("producer", () -> produce(pair.left(), count)));
        }
        consumer.run(shared, producers * count, () -> threads.stream().anyMatch(Background::isDone));
        threads.forEach(thread -> assertEquals(count, thread.join(SECONDS)));
        assertFalse(shared.poll(new WorkCompletion()), "one too many");
        byNumber.keySet().forEach(qpn -> assertEquals(count, consumer.next.get(qpn)[0]));
    }

    private static int produce(End end, int count) {
        PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 8)).inline());
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        int signalled = 0;
        for (int n = 0; n < count; n++) {
            end.putLong(0, n);
            boolean last = n == count - 1;
            call.signalled(0, n % 8 == 7 || last);
            signalled += n % 8 == 7 || last ? 1 : 0;
            while (call.execute() == 0) {
                if (end.sends.cq().poll(wc)) {
                    assertTrue(wc.succeeded(), wc::toString);
                    signalled--;
                }
                deadline.turn(() -> "send queue stays full; " + wc);
            }
        }
        while (signalled > 0) {
            if (end.sends.cq().poll(wc)) {
                assertTrue(wc.succeeded(), wc::toString);
                signalled--;
            }
            deadline.turn(() -> "last completions missing; " + wc);
        }
        return count;
    }

    /** Checks that receives of each QP come in the order of posting and carry the numbers 0, 1, 2 and so on. */
    private static final class Consumer {

        final Map<Integer, int[]> next = new HashMap<>();
        private final Map<Integer, End> ends;
        private final Map<Integer, PostReceive> calls = new HashMap<>();
        private final int window;

        Consumer(Map<Integer, End> ends, int window) {
            this.ends = ends;
            this.window = window;
            ends.forEach((qpn, end) -> {
                next.put(qpn, new int[1]);
                PostReceive call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, 8)));
                calls.put(qpn, call);
                for (int i = 0; i < window; i++) {
                    assertEquals(1, call.wrId(0, i).offset(0, 0, 8L * i).execute());
                }
            });
        }

        void run(CompletionQueue cq, int total, BooleanSupplier producerEnded) {
            WorkCompletion wc = new WorkCompletion();
            Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
            for (int seen = 0; seen < total;) {
                if (cq.poll(wc)) {
                    check(wc);
                    seen++;
                } else {
                    int now = seen;
                    deadline.turn(() -> "seen " + now + " of " + total + ", some producer ended: "
                            + producerEnded.getAsBoolean());
                }
            }
        }

        private void check(WorkCompletion wc) {
            assertTrue(wc.succeeded(), wc::toString);
            int n = next.get(wc.qpNumber())[0]++;
            assertEquals(n, wc.wrId(), wc::toString);
            long at = 8L * (n % window);
            assertEquals(n, ends.get(wc.qpNumber()).getLong(at), wc::toString);
            assertEquals(1, calls.get(wc.qpNumber()).wrId(0, n + window).offset(0, 0, at).execute());
        }
    }
}
