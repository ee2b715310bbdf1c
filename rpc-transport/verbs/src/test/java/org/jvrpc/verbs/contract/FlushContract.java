package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** A QP in ERR: everything posted comes back, once, in order, and other QPs do not notice. */
public abstract class FlushContract extends DeviceContract {

    protected FlushContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Test
    void stalledSendsAreFlushedInOrderSignalledOrNot() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        for (int i = 0; i < 10; i++) {
            SendRequest send = SendRequest.send(i, pair.left().sge(0, 8));
            pair.left().post(i % 3 == 0 ? send.signalled() : send);
        }
        pair.left().qp.error();
        for (int i = 0; i < 10; i++) {
            pair.left().sentFails(i, WcStatus.WR_FLUSH_ERR);
        }
        rig.assertQuiet();
    }

    @Test
    void receivesAreFlushedInOrder() {
        Pair pair = rig.pair();
        pair.exercise(100);
        for (int i = 0; i < 10; i++) {
            pair.right().receive(i, 0, 8);
        }
        pair.right().qp.error();
        for (int i = 0; i < 10; i++) {
            pair.right().receivedFails(i, WcStatus.WR_FLUSH_ERR);
        }
        rig.assertQuiet();
    }

    @Test
    void whatArrivedBeforeTheErrorIsReportedBeforeTheFlush() {
        Pair pair = rig.pair();
        for (int i = 0; i < 5; i++) {
            pair.right().receive(i, 0, 8);
        }
        for (int i = 0; i < 3; i++) {
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
        }
        pair.right().qp.error();
        for (int i = 0; i < 3; i++) {
            pair.right().receivedOk(i, 8);
        }
        pair.right().receivedFails(3, WcStatus.WR_FLUSH_ERR);
        pair.right().receivedFails(4, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
    }

    @Test
    void whatIsPostedInErrIsFlushedAfterWhatWasPostedBefore() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        End left = pair.left();
        left.receive(1, 0, 8);
        left.post(SendRequest.send(2, left.sge(0, 8)));
        left.qp.error();
        for (int i = 0; i < 100; i++) {
            left.receive(10 + i, 0, 8);
            left.post(SendRequest.send(10 + i, left.sge(0, 8)));
            left.receivedFails(i == 0 ? 1 : 9 + i, WcStatus.WR_FLUSH_ERR);
            left.sentFails(i == 0 ? 2 : 9 + i, WcStatus.WR_FLUSH_ERR);
        }
        left.receivedFails(109, WcStatus.WR_FLUSH_ERR);
        left.sentFails(109, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
        assertEquals(QueuePairState.ERR, left.qp.state());
    }

    @Tag("slow")
    @Test
    void eachRequestCompletesOnceWhenAnotherThreadMovesTheQpToErr() {
        for (int round = 0; round < dut.rounds(200); round++) {
            Pair pair = rig.pair(Setup.usual().memory(4096));
            int limit = round; // of many laps at the end, and the rounds are what counts
            AtomicInteger posted = new AtomicInteger();
            Background<Boolean> killer = Background.start("killer", () -> {
                Deadline.until("posts", () -> posted.get() >= limit);
                pair.left().qp.error();
                return true;
            });
            boolean failed = false;
            for (int n = 0; n < limit + 50; n++) {
                SendRequest write = SendRequest.write(
                        n, pair.right().address(0), pair.right().mr.rkey(), pair.left().sge(0, 8));
                pair.left().post(write.signalled());
                posted.set(n + 1);
                Wc wc = pair.left().sent();
                assertEquals(n, wc.wrId(), wc::toString);
                assertTrue(failed ? wc.status() == WcStatus.WR_FLUSH_ERR
                        : wc.status() == WcStatus.SUCCESS || wc.status() == WcStatus.WR_FLUSH_ERR, wc::toString);
                failed = wc.status() != WcStatus.SUCCESS;
            }
            killer.join(60);
            rig.pump();
            assertTrue(pair.left().sends.isEmpty(), () -> "completed twice: " + pair.left());
            pair.left().qp.close();
            pair.right().qp.close();
        }
    }

    @Test
    void oneSidedVerbsPostedInErrHaveNoEffect() {
        Pair pair = rig.pair();
        End left = pair.left();
        left.putLong(0, 99);
        left.qp.error();
        left.post(SendRequest.write(1, pair.right().address(0), pair.right().mr.rkey(), left.sge(0, 8)).signalled(),
                SendRequest.fetchAndAdd(2, pair.right().address(0), pair.right().mr.rkey(), 1, left.sge(8, 8)));
        left.sentFails(1, WcStatus.WR_FLUSH_ERR);
        left.sentFails(2, WcStatus.WR_FLUSH_ERR);
        assertEquals(0, pair.right().getLong(0));
    }

    @Test
    void aLocalErrorFlushesTheReceivesOfTheSameQp() {
        Pair pair = rig.pair();
        pair.left().receive(1, 0, 8);
        pair.left().receive(2, 0, 8);
        pair.left().post(SendRequest.send(3, new Sge(pair.left().address(0), 8, 0)));
        pair.left().sentFails(3, WcStatus.LOC_PROT_ERR);
        pair.left().receivedFails(1, WcStatus.WR_FLUSH_ERR);
        pair.left().receivedFails(2, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
    }

    @Test
    void unsignalledSendsThatSucceededBeforeTheErrorAreNotReported() {
        Pair pair = rig.pair();
        End left = pair.left();
        pair.right().receive(1, 0, 8);
        pair.right().receive(2, 0, 8);
        left.post(SendRequest.send(1, left.sge(0, 8)), SendRequest.send(2, left.sge(0, 8)),
                SendRequest.send(3, new Sge(left.address(0), 8, 0)), SendRequest.send(4, left.sge(0, 8)));
        left.sentFails(3, WcStatus.LOC_PROT_ERR);
        left.sentFails(4, WcStatus.WR_FLUSH_ERR);
        pair.right().receivedOk(1, 8);
        pair.right().receivedOk(2, 8);
        rig.assertQuiet();
    }

    @Test
    void anErrorOnOneQpOfASharedCqLeavesTheOthersRunning() {
        Setup setup = Setup.usual();
        Probe leftCq = rig.left.probe(rig.left.cq(setup.cqAttributes()), "shared CQ");
        Probe rightCq = rig.right.probe(rig.right.cq(setup.cqAttributes()), "shared CQ");
        Pair[] pairs = new Pair[4];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = Pair.connect(rig.left.end(setup, leftCq, leftCq), rig.right.end(setup, rightCq, rightCq));
            pairs[i].exercise(i);
        }
        for (int bad = 0; bad < 3; bad++) {
            End left = pairs[bad].left();
            pairs[bad].right().receive(5, 0, 4);
            if (bad == 0) {
                left.post(SendRequest.send(6, left.sge(0, 8)));
                left.sentFails(6, dut.tooLong());
                pairs[bad].right().receivedFails(5, WcStatus.LOC_LEN_ERR);
            } else if (bad == 1) {
                left.post(SendRequest.send(6, new Sge(0, 8, 0)));
                left.sentFails(6, WcStatus.LOC_PROT_ERR);
            } else {
                left.post(SendRequest.write(6, 0, 0, left.sge(0, 8)));
                left.sentFails(6, WcStatus.REM_ACCESS_ERR);
                pairs[bad].right().receivedFails(5, WcStatus.WR_FLUSH_ERR);
            }
            for (int i = bad + 1; i < pairs.length; i++) {
                pairs[i].exercise(10 + i);
                pairs[i].reversed().exercise(20 + i);
            }
        }
        rig.assertQuiet();
    }

    @Test
    void closingOneQpOfASharedCqLeavesTheOthersRunning() {
        Setup setup = Setup.usual();
        Probe leftCq = rig.left.probe(rig.left.cq(setup.cqAttributes()), "shared CQ");
        Pair first = Pair.connect(rig.left.end(setup, leftCq, leftCq), rig.right.end(setup));
        Pair second = Pair.connect(rig.left.end(setup, leftCq, leftCq), rig.right.end(setup));
        first.exercise(1);
        first.left().receive(2, 0, 8);
        first.left().qp.close();
        second.exercise(3);
        second.reversed().exercise(4);
        rig.assertQuiet();
    }

    @Test
    void completionsOfAQpThatWasClosedDoNotComeInTheNameOfAnother() {
        Setup setup = Setup.usual();
        Probe leftCq = rig.left.probe(rig.left.cq(setup.cqAttributes()), "shared CQ");
        for (int i = 0; i < 50; i++) {
            Pair pair = Pair.connect(rig.left.end(setup, leftCq, leftCq), rig.right.end(setup));
            pair.right().receive(1, 0, 8);
            pair.left().post(SendRequest.send(1000 + i, pair.left().sge(0, 8)).signalled());
            pair.right().receivedOk(1, 8);
            pair.left().qp.close();
            pair.right().qp.close();
        }
        Pair last = Pair.connect(rig.left.end(setup, leftCq, leftCq), rig.right.end(setup));
        rig.pump();
        while (!leftCq.isEmpty()) {
            Wc wc = leftCq.take();
            assertEquals(WcStatus.SUCCESS, wc.status(), wc::toString);
        }
        last.exercise(7);
    }
}
