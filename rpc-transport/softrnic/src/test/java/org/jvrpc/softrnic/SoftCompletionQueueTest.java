package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;

/** The device's side of a CQ: whom it wakes, what its polls look at, what it holds, and its end. */
final class SoftCompletionQueueTest extends PortFixture {

    private final CompletionQueue cq = cq(channel);
    private final SoftCompletionQueue soft = device.own(cq);

    private static boolean isArmed(SoftCompletionQueue cq) {
        return CqContext.isArmed(cq.slab().window(cq.address()), Slab.index(cq.address()));
    }

    private static void publish(CqWriter producer, int counter, int opcode) {
        producer.publish(producer.claim(), 0, counter, opcode, 0);
    }

    // ---- who waits

    @Test
    void aQueueThatIsArmedWakesOnceAndOneThatIsDisarmedNever() {
        CqWriter neighbour = new CqWriter(soft.slab(), soft.address(), CqContext.NOBODY, soft::wake, false);
        cq.arm();
        cq.disarm();
        publish(neighbour, 0, Cqe.RESP_SEND);
        assertFalse(channel.await(0), "it is disarmed");
        cq.arm();
        publish(neighbour, 1, Cqe.RESP_SEND);
        publish(neighbour, 2, Cqe.RESP_SEND);
        assertTrue(channel.await(0), "it is armed");
        assertFalse(channel.await(0), "for one completion");
    }

    @Test
    void whoWaitsLooksNowAndThenWhileAQueueIsArmedThatProducersWithoutASocketFeed() {
        cq.arm();
        assertFalse(tellsTime(channel), "all its producers have a socket");
        soft.lookFromNowOn();
        assertTrue(tellsTime(channel), "armed before");
        cq.disarm();
        assertFalse(tellsTime(channel), "nobody waits any more");
        soft.lookFromNowOn();
        assertFalse(tellsTime(channel), "nobody waits yet");
        cq.arm();
        assertTrue(tellsTime(channel));
        assertTrue(tellsTime(channel), "for as long as it is armed");
    }

    @Test
    void aQueueWithoutAChannelHasNobodyWhoLooks() {
        CompletionQueue silent = cq(null);
        silent.arm();
        device.own(silent).lookFromNowOn();
        silent.arm();
        assertTrue(isArmed(device.own(silent)));
        silent.disarm();
        assertFalse(isArmed(device.own(silent)));
    }

    @Test
    void whoWaitsIsWokenOnceWhenAProducerWithoutASocketTookTheArming() {
        soft.lookFromNowOn();
        cq.arm();
        assertFalse(channel.await(0), "nothing came");
        publish(producer(soft, CqContext.NOBODY), 0, Cqe.RESP_SEND);
        assertTrue(channel.await(0), "something came");
        assertFalse(channel.await(0), "that was told");
        assertFalse(tellsTime(channel), "it is not armed");
    }

    /** Makes a CQ that a QP of datagrams or another reports to. */
    private CompletionQueue fed(boolean datagrams) {
        CompletionQueue fed = cq(channel);
        QueuePairAttributes attributes = new QueuePairAttributes(fed, fed).depth(4, 4);
        pd.createQp(datagrams ? attributes.datagram(1) : attributes);
        return fed;
    }

    @ParameterizedTest(name = "datagrams={0}")
    @ValueSource(booleans = {false, true})
    void whoWaitsLooksNowAndThenWhereDatagramsComeWhoseSendersHaveNoSocket(boolean datagrams) {
        fed(datagrams).arm();
        assertEquals(datagrams, tellsTime(channel));
        assertEquals(datagrams, ports.get(0).calls.contains("recover"), "a sender may have died");
    }

    // ---- what polls look at

    @ParameterizedTest(name = "datagrams={0}")
    @ValueSource(booleans = {false, true})
    void pollsFreeQueuePairsOfDatagramsFromSendersThatDied(boolean datagrams) {
        CompletionQueue fed = fed(datagrams);
        assertFalse(ports.get(0).calls.contains("recover"));
        device.own(fed).alert();
        assertFalse(fed.poll(wc));
        assertEquals(datagrams, ports.get(0).calls.contains("recover"));
    }

    @Test
    void pollsLookAtAQueuePairForAsLongAsItIsStalled() {
        qp(cq, cq);
        ports.get(0).stalled.addAll(List.of(true, true, true, false)); // before and after two looks
        soft.alert();
        for (int i = 0; i < 4; i++) {
            assertFalse(cq.poll(wc));
        }
        assertEquals(2, ports.get(0).progresses);
    }

    @Test
    void pollsOfNeitherQueueLookAtAQueuePairThatIsClosed() {
        CompletionQueue receives = cq(channel);
        Mlx5QueuePair qp = qp(cq, receives);
        ports.get(0).acknowledge(1);
        qp.close();
        for (CompletionQueue each : List.of(cq, receives)) {
            device.own(each).alert();
            assertFalse(each.poll(wc));
            assertEquals(0, ports.get(0).progresses, each == cq ? "sends" : "receives");
        }
    }

    @Test
    void anAttentionIsLookedAtOnce() {
        Mlx5QueuePair qp = qp(cq, cq);
        assertFalse(soft.alerted());
        producer(soft, qp.number()).attention();
        assertTrue(soft.alerted());
        assertFalse(cq.poll(wc));
        assertFalse(soft.alerted(), "it is answered");
    }

    @Test
    void anOverrunEndsEveryQueuePairAndEachPollSaysSo() {
        Mlx5QueuePair qp = qp(cq, cq);
        Mlx5QueuePair receiver = qp(cq(channel), cq);
        CqWriter producer = producer(soft, CqContext.NOBODY);
        for (int i = 0; i < DEPTH; i++) {
            publish(producer, i, Cqe.RESP_SEND);
        }
        assertEquals(-1, producer.claim());
        assertEquals(QueuePairState.INIT, qp.state());
        for (int i = 0; i < 2; i++) {
            refused("completion queue overran: number=" + cq.number() + " depth=16", () -> cq.poll(wc));
            assertEquals(QueuePairState.ERR, qp.state());
            assertEquals(QueuePairState.ERR, receiver.state());
        }
    }

    // ---- what it holds

    @Test
    void itHoldsTheCompletionsOfAReceiveThatNobodyPolled() {
        CqWriter producer = producer(soft, 77);
        for (int lap = 0; lap < 3; lap++) {
            publish(producer, 4, Cqe.REQ);
            publish(producer, 5, Cqe.RESP_SEND);
            publish(producer, 6, Cqe.REQ_ERR);
            publish(producer, 7, Cqe.RESP_ERR);
            assertTrue(soft.holds(77, 5) && soft.holds(77, 7), "lap " + lap);
            assertFalse(soft.holds(77, 4) || soft.holds(77, 6), "sends, lap " + lap);
            assertFalse(soft.holds(78, 5) || soft.holds(77, 8), "another's, lap " + lap);
            for (int i = 4; i < DEPTH; i++) {
                publish(producer, 100, Cqe.REQ);
            }
            assertFalse(cq.poll(wc), "no QP has that number");
            assertFalse(soft.holds(77, 5) || soft.holds(77, 7), "polled, lap " + lap);
        }
    }

    // ---- the end

    @Test
    void theMemoryOfAQueueThatIsClosedIsAnothersAndItLeavesItAlone() {
        cq.close();
        CompletionQueue next = cq(channel);
        assertEquals(soft.address(), device.own(next).address(), "its memory is free");
        cq.arm();
        assertFalse(isArmed(device.own(next)));
        next.arm();
        cq.disarm();
        assertTrue(isArmed(device.own(next)));
    }

    @Test
    void theMemoryOfAQueueWaitsForThePeersOfItsQueuePairs() {
        qp(cq, cq).close();
        Quarantine.Visit visit = ((SoftProtectionDomain) pd).quarantine().begin();
        cq.close();
        CompletionQueue next = cq(channel);
        assertNotEquals(soft.address(), device.own(next).address(), "a peer may write to it");
        visit.end(true);
        assertEquals(soft.address(), device.own(cq(channel)).address(), "its memory is free");
    }
}
