package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Versions;

/** How a client's session gets more slots, from a server that the test is. */
class SlotGrowthTest {

    private static final int FIRST = 4;
    private static final int MOST = 20;

    private final StillClient client = new StillClient();
    private final StillClient.Peer server = new StillClient.Peer();
    private final ClientSession session = new ClientSession(client.core, server, client.bodies, new Hello(
            Protocol.CALLS, new Versions(RpcHeader.VERSION, RpcHeader.VERSION),
            MOST, FIRST, StillClient.SLOT_BYTES, StillClient.CREDITS, FuzzBodyPool.BODY_BYTES, 1, false), "still");

    @AfterEach
    void close() {
        client.close();
    }

    /** Under the session's lock, under which the server is asked: it is done with that then, and polls take answers. */
    private List<String> asked() {
        session.lock();
        try {
            return server.sent.stream().filter(sent -> sent.kind() == RpcHeader.GROW)
                    .map(sent -> "slots=" + sent.method()).toList();
        } finally {
            session.unlock();
        }
    }

    private void awaitAsked(int... slots) {
        Await.until("the server to be asked: " + asked(), () -> asked().size() == slots.length);
        assertEquals("slots=" + slots[slots.length - 1], asked().get(slots.length - 1));
    }

    private void grants(int slots, int credits) {
        server.add(RpcHeader.first(RpcHeader.GROWN, 0, slots, 0), RpcHeader.second(0, credits, 0), new byte[0]);
        session.tryPoll();
    }

    private int claimAll() {
        int claimed = 0;
        while (session.tryClaim() != null) {
            claimed++;
        }
        return claimed;
    }

    @Test
    void itHasFourTimesAsManyEachTimeUpToTheMost() {
        assertEquals(FIRST, claimAll());
        session.growth().begin();
        awaitAsked(16);
        assertNull(session.tryClaim(), "the server has not answered");
        grants(16, 4);
        assertEquals(16 - FIRST, claimAll());
        session.growth().begin();
        awaitAsked(16, MOST);
        grants(MOST, 4);
        assertEquals(MOST - 16, claimAll());
        session.growth().begin();
        assertEquals(List.of("prepare 16 " + Protocol.CALLS.answers(16), "grow",
                "prepare 20 " + Protocol.CALLS.answers(MOST), "grow"), server.growths);
        assertFalse(session.isLost());
    }

    @Test
    void whileTheServerHasNotAnsweredItIsNotAskedAgain() {
        session.growth().begin();
        session.growth().begin();
        awaitAsked(16);
        session.growth().begin();
        grants(16, 0);
        session.growth().begin();
        awaitAsked(16, MOST);
    }

    @Test
    void aCallThatFindsNoSlotHasMoreMade() {
        claimAll();
        RpcException e = assertThrows(RpcException.class, () -> session.claim(client.time.nowNs));
        assertEquals(Status.DEADLINE_EXCEEDED, e.status());
        awaitAsked(16);
        grants(16, 0);
        assertNotNull(session.claim(client.time.nowNs));
    }

    @Test
    void aOneWayCallThatFindsNoCreditHasMoreMadeForWhichNoneIsNeeded() {
        for (int i = 0; i < StillClient.CREDITS; i++) {
            session.credits().take();
        }
        ClientSlot call = session.tryClaim();
        call.begin(StillClient.CALLS, CallsService.TICK, 0, null, client.time.nowNs);
        assertThrows(RpcException.class, () -> session.credits().lockWithCredit(session, call));
        awaitAsked(16);
        grants(16, 1);
        session.credits().lockWithCredit(session, call);
        session.unlock();
    }

    @Test
    void aServerWithoutMemoryIsNotAskedAgain() {
        session.growth().begin();
        awaitAsked(16);
        grants(FIRST, 0);
        assertEquals(FIRST, claimAll());
        assertFalse(session.attendance().slots().mayGrow());
        session.growth().begin();
        assertEquals(1, server.growths.stream().filter(did -> did.startsWith("prepare")).count());
        assertFalse(session.isLost());
    }

    @Test
    void aClientWithoutMemoryAsksNobody() {
        server.noMemory = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        session.growth().begin();
        SlotTable slots = session.attendance().slots();
        Await.until("it to stay as it is", () -> !slots.mayGrow());
        assertEquals(List.of(), asked());
        assertEquals(FIRST, claimAll());
        assertFalse(session.isLost());
    }

    @Test
    void memoryForASessionThatIsLostMeanwhileIsGivenBackAndItsLinkLeftAlone() {
        server.holdGrowth();
        session.growth().begin();
        session.end(); // behind which the link's queues are closed, before its memory is
        server.letGrowth();
        Await.until("the memory", () -> server.growths.size() == 2);
        assertEquals(List.of("prepare 16 " + Protocol.CALLS.answers(16), "give back"), server.growths);
        assertEquals(List.of(), asked());
    }

    @Test
    void aLinkThatThrowsWhenItGrowsEnds() {
        server.growthFault = new IllegalStateException("planted");
        session.growth().begin();
        Await.until("the session to end", session::isLost);
        assertTrue(session.lost().getMessage().contains("planted"), session.lost().getMessage());
        assertEquals(FIRST, session.attendance().slots().count());
    }

    @Test
    void aLinkThatCannotGrowEnds() {
        server.growthFailure = "planted";
        session.growth().begin();
        Await.until("the link to fail", () -> {
            session.tryPoll();
            return session.isLost();
        });
        assertTrue(session.lost().getMessage().contains("planted"), session.lost().getMessage());
        assertEquals(FIRST, session.attendance().slots().count());
    }

    @Test
    void aGrantThatNobodyAskedForEndsTheSession() {
        grants(16, 0);
        session.tryPoll();
        assertTrue(session.isLost());
        assertTrue(session.lost().getMessage().contains("grant of slots=16 that nobody asked for"),
                session.lost().getMessage());
    }

    @Test
    void aGrantOfAnotherNumberEndsTheSession() {
        session.growth().begin();
        awaitAsked(16);
        grants(17, 0);
        session.tryPoll();
        assertTrue(session.isLost());
        assertEquals(FIRST, session.attendance().slots().count());
    }

    /** Where the server answers nothing, not even that. */
    @Test
    void allSlotsThatThereAreChokeItWhileMoreDoNotCome() {
        SlotTable slots = session.attendance().slots();
        for (int i = 0; i < FIRST; i++) {
            slots.abandon();
        }
        assertFalse(session.abandonment().isChoked());
        client.wakes();
        session.growth().begin();
        assertTrue(session.abandonment().isChoked());
        assertEquals(1, client.wakes(), "the event thread sleeps for as long as it is not");
        awaitAsked(16);
        assertTrue(session.abandonment().isChoked());
        grants(16, 0);
        for (int i = FIRST; i < MOST / 2; i++) {
            assertFalse(session.abandonment().isChoked(), "abandoned=" + i);
            slots.abandon();
        }
        assertTrue(session.abandonment().isChoked());
    }

    @Test
    void aSlotThatIsLeftIsEnoughToWaitForMore() {
        for (int i = 1; i < FIRST; i++) {
            session.attendance().slots().abandon();
        }
        client.wakes();
        session.growth().begin();
        awaitAsked(16);
        assertFalse(session.abandonment().isChoked());
        assertEquals(0, client.wakes());
    }

    @Test
    void aControlMessageWithoutACreditHasMoreMade() {
        for (int i = 0; i < StillClient.CREDITS; i++) {
            session.credits().take();
        }
        session.lock();
        session.sendControl(RpcHeader.CANCEL, 7);
        session.unlock();
        awaitAsked(16);
        grants(16, 1);
        assertEquals(RpcHeader.CANCEL, server.last().kind());
    }

    /** As where a router has no time. Whoever needs the session's lock would wait for it. */
    @Test
    void whileControlMessagesAreUnderWayTheServerIsAskedLaterAndNobodyWaits() {
        server.holdsControls = true;
        claimAll();
        session.growth().begin();
        Await.until("memory", () -> session.credits().mayWait());
        session.tryPoll();
        assertEquals(List.of(), asked());
        assertEquals(1, session.unattended(), "the event thread looks for it");
        server.holdsControls = false;
        session.tryPoll();
        awaitAsked(16);
        assertEquals(StillClient.CREDITS, session.credits().count());
        grants(16, 4);
        assertEquals(16 - FIRST, claimAll());
        assertEquals(0, session.unattended());
    }

    @Test
    void controlMessagesThatWaitForTheirSlotsAloneHaveNoMoreMade() {
        server.holdsControls = true;
        session.lock();
        session.sendControl(RpcHeader.CANCEL, 7);
        session.unlock();
        session.tryPoll();
        assertTrue(session.attendance().slots().mayGrow());
        assertEquals(List.of(), server.growths);
        assertEquals(1, session.unattended());
        server.holdsControls = false;
        session.tryPoll();
        assertEquals(RpcHeader.CANCEL, server.last().kind());
    }

    @Test
    void aClientThatIsClosedHasNoneMade() {
        client.core.close();
        session.growth().begin();
        session.growth().begin();
        assertFalse(session.attendance().slots().all().length > FIRST);
        assertEquals(List.of(), server.growths);
    }

    @Test
    void halfOfTheSlotsThatThereMayBeChokeIt() {
        for (int i = 1; i < MOST / 2; i++) {
            assertFalse(session.attendance().slots().abandon());
        }
        assertFalse(session.abandonment().isChoked());
        assertTrue(session.attendance().slots().abandon());
        assertTrue(session.abandonment().isChoked());
    }
}
