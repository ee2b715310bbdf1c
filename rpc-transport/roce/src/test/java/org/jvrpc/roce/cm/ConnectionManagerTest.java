package org.jvrpc.roce.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.jvrpc.roce.cm.CmNode.NONE;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.roce.cm.CmCounters.Drop;
import org.jvrpc.roce.cm.CmEvent.Kind;
import org.jvrpc.roce.cm.CmNode.Message;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Verdict;

/** Two managers that send each other what the test lets through. */
class ConnectionManagerTest {

    private static final long SECOND = 1_000_000_000;

    private final CmNode client = new CmNode(1);
    private final CmNode server = new CmNode(2);
    private CmConnection asked;
    private CmConnection taken;
    /** Close to the end of the clock's range, which it may pass. */
    private long nowNs = Long.MAX_VALUE - SECOND;

    @BeforeEach
    void listen() {
        server.listen();
    }

    private void request() {
        asked = client.connect(server, nowNs);
        server.receive(client.sent.peek(), nowNs);
        CmEvent event = server.event();
        assertEquals(Kind.REQUESTED, event.kind());
        taken = event.connection();
    }

    private void accept() {
        request();
        client.sent.clear();
        assertTrue(server.accept(taken, nowNs));
    }

    private void establish() {
        accept();
        client.receiveAll(server, nowNs);
        assertEquals(Kind.REPLIED, client.event().kind());
        assertTrue(client.manager.ready(asked, nowNs));
        server.receiveAll(client, nowNs);
        assertEquals(Kind.ESTABLISHED, server.event().kind());
    }

    private void pass(long ns) {
        nowNs += ns;
        client.manager.tick(nowNs);
        server.manager.tick(nowNs);
    }

    /** Lets time pass until nothing waits for it. */
    private void passAll(CmNode node) {
        for (int i = 0; node.manager.deadlineNs() != ConnectionManager.NEVER; i++) {
            assertTrue(i < 100, "it goes on for ever");
            nowNs = node.manager.deadlineNs();
            node.manager.tick(nowNs);
        }
    }

    // ---- the way it goes

    @Test
    void aRequestIsRepliedAndTheReplyConfirmed() {
        asked = client.connect(server, nowNs);
        Message req = client.sent.poll();
        assertEquals(Mad.REQ, req.attribute());
        server.receive(req, nowNs);
        CmEvent requested = server.event();
        assertEquals("listener", requested.connection().attachment());
        assertEquals(client.self, requested.connection().peer());
        assertEquals(0x123456, requested.request().startingPsn());
        assertTrue(server.accept(requested.connection(), nowNs));
        Message rep = server.sent.poll();
        assertEquals(Mad.REP, rep.attribute());
        assertEquals(Mad.tid(req.mad()), Mad.tid(rep.mad()));
        client.receive(rep, nowNs);
        CmEvent replied = client.event();
        assertEquals(asked, replied.connection());
        assertEquals(CmNode.QPN, replied.reply().qpn());
        assertTrue(client.sent.isEmpty(), "the QP is not ready yet");
        assertTrue(client.manager.ready(asked, nowNs));
        Message rtu = client.sent.poll();
        assertEquals(Mad.RTU, rtu.attribute());
        assertEquals(Mad.tid(req.mad()), Mad.tid(rtu.mad()));
        assertEquals(1, server.manager.halfOpen());
        server.receive(rtu, nowNs);
        assertEquals(Kind.ESTABLISHED, server.event().kind());
        assertEquals(0, server.manager.halfOpen());
        assertNull(server.event());
        assertNull(client.event());
    }

    @Test
    void aDisconnectIsAnsweredAndNothingStays() {
        establish();
        server.manager.disconnect(taken, nowNs);
        assertEquals(1, server.manager.disconnecting());
        client.receiveAll(server, nowNs);
        assertEquals(Kind.ENDED, client.event().kind());
        assertEquals(List.of(Mad.DREP), client.attributes());
        server.receiveAll(client, nowNs);
        assertEquals(0, server.manager.disconnecting());
        assertNull(server.event(), "who disconnects knows");
        pass(CmSettings.defaults().restNs());
        assertTrue(client.manager.isEmpty() && server.manager.isEmpty());
    }

    @Test
    void bothMayDisconnectAtOnce() {
        establish();
        server.manager.disconnect(taken, nowNs);
        client.manager.disconnect(asked, nowNs);
        Message dreq = client.sent.poll();
        client.receiveAll(server, nowNs);
        server.receive(dreq, nowNs);
        assertEquals(0, server.manager.disconnecting() + client.manager.disconnecting());
        assertNull(server.event());
        assertNull(client.event());
    }

    @Test
    void aRejectionBringsItsReasonAndData() {
        request();
        assertTrue(server.manager.reject(taken, RejectReason.CONSUMER, new byte[] {9}, nowNs));
        client.receiveAll(server, nowNs);
        CmEvent refused = client.event();
        assertEquals(Kind.REFUSED, refused.kind());
        assertEquals(RejectReason.CONSUMER, refused.reason());
        assertEquals(9, refused.data()[0]);
        assertTrue(client.manager.isEmpty());
    }

    @Test
    void aServiceIdIsTakenOnceAndWithoutOneARequestIsRefusedWithoutATrace() {
        assertFalse(server.manager.listen(org.jvrpc.roce.cm.message.Req.serviceId(CmNode.PORT), "second"));
        server.manager.unlisten(org.jvrpc.roce.cm.message.Req.serviceId(CmNode.PORT));
        client.connect(server, nowNs);
        server.receiveAll(client, nowNs);
        assertTrue(server.manager.isEmpty());
        assertEquals(1, server.manager.counters().refusals(Verdict.SERVICE_ID));
        client.receiveAll(server, nowNs);
        assertEquals(RejectReason.INVALID_SERVICE_ID, client.event().reason());
    }

    // ---- what is lost

    @Test
    void theSameRequestDrawsTheSameReplyAndIsNoSecondOne() {
        accept();
        Message first = server.sent.poll();
        pass(CmSettings.defaults().firstRepeatNs());
        Message again = client.sent.poll();
        assertEquals(Mad.REQ, again.attribute());
        server.receive(again, nowNs);
        assertEquals(first.mad(), server.sent.poll().mad());
        assertNull(server.event());
        assertEquals(1, server.manager.size());
    }

    @Test
    void thePassiveSideRepeatsNothingByItselfAndForgetsWhoNeverConfirms() {
        accept();
        server.sent.clear();
        passAll(server);
        assertTrue(server.sent.isEmpty());
        assertEquals(Kind.ENDED, server.event().kind());
        assertTrue(server.manager.isEmpty());
    }

    @Test
    void aRequestIsRepeatedSoManyTimesThenGivenUp() {
        client.connect(server, nowNs);
        passAll(client);
        assertEquals(2 + CmSettings.defaults().requestRepeats(), client.sent.size());
        CmEvent refused = client.event();
        assertEquals(Kind.REFUSED, refused.kind());
        assertEquals(0, refused.reason());
        Message last = client.sent.peekLast();
        assertEquals(Mad.REJ, last.attribute());
        assertEquals(RejectReason.TIMEOUT, Rej.reason(last.mad()));
        assertTrue(client.manager.isEmpty());
    }

    @Test
    void aConfirmationIsRepeatedUntilThePeerIsHeardOf() {
        accept();
        client.receiveAll(server, nowNs);
        client.manager.ready(asked, nowNs);
        pass(SECOND / 10);
        assertEquals(List.of(Mad.RTU, Mad.RTU), client.attributes());
        client.manager.heard(asked, nowNs);
        passAll(client);
        assertEquals(2, client.sent.size());
    }

    @Test
    void aConfirmationThatNobodyAnswersIsRepeatedSoManyTimes() {
        accept();
        client.receiveAll(server, nowNs);
        client.manager.ready(asked, nowNs);
        passAll(client);
        assertEquals(1 + CmSettings.defaults().otherRepeats(), client.sent.size());
    }

    @Test
    void aPacketOfTheConnectionConfirmsAsWell() {
        accept();
        server.manager.heard(taken, nowNs);
        assertEquals(Kind.ESTABLISHED, server.event().kind());
        assertEquals(0, server.manager.halfOpen());
    }

    @Test
    void aReplyThatComesAgainIsConfirmedAgain() {
        accept();
        Message rep = server.sent.poll();
        client.receive(rep, nowNs);
        client.receive(rep, nowNs);
        assertEquals(Kind.REPLIED, client.event().kind());
        assertNull(client.event());
        client.manager.ready(asked, nowNs);
        client.receive(rep, nowNs);
        assertEquals(List.of(Mad.RTU, Mad.RTU), client.attributes());
    }

    @Test
    void aDisconnectIsRepeatedUntilItIsAnsweredAndAnsweredAgainWhileItsIdsRest() {
        establish();
        client.manager.disconnect(asked, nowNs);
        client.sent.clear();
        pass(CmSettings.defaults().firstRepeatNs());
        Message dreq = client.sent.poll();
        server.receive(dreq, nowNs);
        server.sent.clear();
        server.receive(dreq, nowNs);
        assertEquals(List.of(Mad.DREP), server.attributes());
        assertEquals(Kind.ENDED, server.event().kind());
        assertNull(server.event());
        client.receiveAll(server, nowNs);
        assertEquals(0, client.manager.disconnecting());
    }

    @Test
    void aDisconnectThatNobodyAnswersEnds() {
        establish();
        client.manager.disconnect(asked, nowNs);
        passAll(client);
        assertEquals(1 + CmSettings.defaults().otherRepeats(), client.sent.size());
        assertTrue(client.manager.isEmpty());
    }

    @Test
    void aRejectionThatIsLostTwiceIsSentAgainAndTheRequestIsNoNewOne() {
        request();
        Message req = client.sent.poll();
        server.manager.reject(taken, RejectReason.CONSUMER, NONE, nowNs);
        nowNs += 2 * CmSettings.defaults().longestRepeatNs();
        server.manager.tick(nowNs);
        server.receive(req, nowNs);
        assertNull(server.event());
        assertEquals(List.of(Mad.REJ, Mad.REJ), server.attributes());
    }

    // ---- who is late, or gives up

    @Test
    void aConsumerThatIsLateHasTheRequestWait() {
        request();
        server.receive(client.sent.peek(), nowNs);
        assertEquals(List.of(Mad.MRA), server.attributes());
        client.sent.clear();
        client.receiveAll(server, nowNs);
        pass(SECOND);
        assertTrue(client.sent.isEmpty());
        pass(2 * SECOND);
        assertEquals(List.of(Mad.REQ), client.attributes());
        assertTrue(server.accept(taken, nowNs));
        assertEquals(List.of(Mad.REP), server.attributes());
    }

    @Test
    void whoGaveUpItsRequestCannotBeAccepted() {
        request();
        client.sent.clear();
        client.manager.disconnect(asked, nowNs);
        Message req = client.sent.peek();
        server.receiveAll(client, nowNs);
        assertEquals(Mad.REJ, req.attribute());
        assertEquals(Kind.ENDED, server.event().kind());
        assertFalse(server.accept(taken, nowNs));
        assertFalse(server.manager.reject(taken, RejectReason.CONSUMER, NONE, nowNs));
        assertTrue(server.sent.isEmpty());
    }

    @Test
    void aLateRequestOfAnEndedConnectionIsNoNewOne() {
        request();
        Message req = client.sent.poll();
        client.manager.disconnect(asked, nowNs);
        server.receiveAll(client, nowNs);
        server.event();
        server.receive(req, nowNs);
        assertNull(server.event());
        assertEquals(1, server.manager.counters().drops(Drop.OUT_OF_PLACE));
    }

    @Test
    void aReplyToOneWhoGaveUpIsRefused() {
        accept();
        client.manager.disconnect(asked, nowNs);
        client.sent.clear(); // is lost
        client.receiveAll(server, nowNs);
        server.receiveAll(client, nowNs);
        assertEquals(Kind.ENDED, server.event().kind());
        assertEquals(0, server.manager.halfOpen());
    }

    @Test
    void aQueuePairThatCannotBeMadeReadyHasTheReplyRefused() {
        accept();
        client.receiveAll(server, nowNs);
        client.manager.disconnect(asked, nowNs);
        assertFalse(client.manager.ready(asked, nowNs));
        server.receiveAll(client, nowNs);
        assertEquals(Kind.ENDED, server.event().kind());
    }

    @Test
    void whoDisconnectsBeforeTheConfirmationSaysSoAfterIt() {
        accept();
        server.manager.disconnect(taken, nowNs);
        assertEquals(List.of(Mad.REP), server.attributes());
        client.receiveAll(server, nowNs);
        client.manager.ready(asked, nowNs);
        server.receiveAll(client, nowNs);
        assertNull(server.event());
        assertEquals(List.of(Mad.DREQ), server.attributes());
        client.receiveAll(server, nowNs);
        assertEquals(Kind.REPLIED, client.event().kind());
        assertEquals(Kind.ENDED, client.event().kind());
    }

    @Test
    void whoDisconnectsBeforeTheConfirmationIsWaitedForUntilItHasSaidSo() {
        accept();
        server.manager.disconnect(taken, nowNs);
        server.manager.disconnect(taken, nowNs); // once is as good as twice
        assertEquals(1, server.manager.disconnecting());
        client.receiveAll(server, nowNs);
        client.manager.ready(asked, nowNs);
        server.receiveAll(client, nowNs);
        assertEquals(1, server.manager.disconnecting(), "the disconnect is under way");
        client.receiveAll(server, nowNs);
        server.receiveAll(client, nowNs);
        assertEquals(0, server.manager.disconnecting());
    }

    @Test
    void whoDisconnectsFromAPeerThatIsNotThereIsWaitedForAsLongAsThatIsKept() {
        accept();
        server.manager.disconnect(taken, nowNs);
        passAll(server);
        assertEquals(0, server.manager.disconnecting());
        assertTrue(server.manager.isEmpty());
    }

    @Test
    void aNodeThatEndsRejectsWhatIsNotAnsweredAndDisconnectsTheRest() {
        request();
        server.manager.farewell(nowNs);
        assertEquals(List.of(Mad.REJ), server.attributes());
        client.receiveAll(server, nowNs);
        assertEquals(Kind.REFUSED, client.event().kind());
        server.sent.clear();
        client.sent.clear();
        establish();
        server.sent.clear();
        server.manager.farewell(nowNs);
        assertEquals(List.of(Mad.DREQ), server.attributes());
    }

    @Test
    void aNodeThatEndsSaysNoMoreToAPeerThatHasNotShownThatItIsThereThanItWasAsked() {
        accept();
        assertEquals(List.of(Mad.REP), server.attributes());
        server.manager.farewell(nowNs);
        assertEquals(List.of(Mad.REP), server.attributes());
    }

    // ---- ids

    @Test
    void idsAndTidsAreRandomAndNever0() {
        int[] next = {0, 7, 7, 8};
        int[] at = {0};
        CmNode node = new CmNode(3, () -> next[at[0]++ % next.length], CmSettings.defaults());
        CmConnection first = node.connect(server, nowNs); // TID 0, 7
        assertEquals(7, first.localId);
        CmConnection second = node.connect(server, nowNs); // TID 8, 0
        assertEquals(8, second.localId);
        assertNotEquals(first.tid, second.tid);
    }

    @Test
    void aRequestWithTheIdOfAnotherIsDropped() {
        request();
        Message req = client.sent.poll();
        Message other = new Message(req.mad().duplicate(), req.from(), req.to());
        other.mad().put(Mad.BYTES - 1, (byte) 1); // of the private data
        server.receive(other, nowNs);
        assertEquals(1, server.manager.counters().drops(Drop.OUT_OF_PLACE));
        assertNull(server.event());
        assertTrue(server.sent.isEmpty());
    }

    @Test
    void theSameIdOfAnotherHostIsAnotherConnection() {
        CmNode twin = new CmNode(3, new java.util.Random(1)::nextInt, CmSettings.defaults());
        request();
        CmConnection twins = twin.connect(server, nowNs);
        assertEquals(asked.localId, twins.localId);
        server.receiveAll(twin, nowNs);
        assertNotNull(server.event());
        assertEquals(2, server.manager.halfOpen());
    }
}
