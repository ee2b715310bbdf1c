package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Wakes;

/** The rounds of a server's poller, step by step. */
class ServerPollerTest {

    private static final long NOTICE_NS = 500_000_000;

    private final StillServer server = new StillServer();
    private final Wakes wakes = new Wakes();
    private final ServerPoller poller = new ServerPoller(server.core, wakes, IdleStrategy.SPIN, "still");

    @AfterEach
    void close() {
        server.close();
    }

    private SilentClient add() {
        SilentClient link = new SilentClient();
        poller.add(new ServerSession(server.core, poller, 1, link, server.bodies,
                Hello.request(Protocol.CALLS, 4, 64, 1 << 20), Protocol.CALLS.oneWayCredits(4)));
        return link;
    }

    @Test
    void whoArrivesIsPolledFromTheNextRoundOn() {
        SilentClient one = add();
        SilentClient two = add();
        assertEquals(2, wakes.count);
        assertEquals(1, poller.pollAll(), "there was something to do");
        assertEquals(0, one.polls);
        assertEquals(0, poller.pollAll());
        assertEquals(0, poller.pollAll());
        assertEquals(2, one.polls);
        assertEquals(2, two.polls);
    }

    @Test
    void messagesAreWorkAndOneSessionHasItsTurn() {
        poller.add(server.session);
        poller.pollAll();
        for (int i = 0; i < 40; i++) {
            server.comes(RpcHeader.CANCEL, 0, StillServer.callId(0), new byte[0]);
        }
        assertEquals(32, poller.pollAll());
        assertEquals(8, poller.pollAll());
        assertEquals(0, poller.pollAll());
    }

    @Test
    void aSessionThatFailsEndsAloneAndGoesWithTheHousekeeping() {
        SilentClient bad = add();
        SilentClient good = add();
        poller.pollAll();
        bad.fault = new IllegalStateException("planted");
        poller.pollAll();
        assertFalse(bad.connected);
        assertTrue(poller.isUnfinished());
        assertEquals(1, good.polls);
        poller.housekeeping();
        poller.pollAll();
        assertEquals(1, bad.polls, "it is gone");
        assertEquals(2, good.polls);
        assertFalse(poller.isUnfinished());
    }

    @Test
    void thoseThatAreConnectedStay() {
        List<SilentClient> links = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            links.add(add());
        }
        poller.pollAll();
        poller.housekeeping();
        links.get(0).connected = false;
        links.get(2).connected = false;
        links.get(4).connected = false;
        poller.housekeeping();
        poller.pollAll(); // the link is broken off
        poller.pollAll(); // and nothing is left of what the client has sent
        poller.housekeeping();
        links.forEach(link -> link.polls = 0);
        poller.pollAll();
        assertEquals(List.of(0, 1, 0, 1, 0), links.stream().map(link -> link.polls).toList());
    }

    @Test
    void allAreArmedAndDisarmedAndOneThatCannotBeEndsAlone() {
        SilentClient bad = add();
        SilentClient good = add();
        poller.pollAll();
        poller.arm();
        assertEquals(1, good.arms);
        poller.disarm();
        assertEquals(0, good.arms);
        assertTrue(bad.connected);
        bad.armFault = new IllegalStateException("planted");
        poller.arm();
        assertEquals(1, good.arms);
        assertFalse(bad.connected);
        bad.connected = true;
        poller.disarm();
        assertEquals(0, good.arms);
        assertFalse(bad.connected);
    }

    // ---- the silent ones

    /** Adds so many that have been silent for a while. */
    private List<SilentClient> silent(int count) {
        List<SilentClient> links = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            links.add(add());
        }
        poller.pollAll();
        for (int i = 0; i < 3; i++) {
            poller.housekeeping();
        }
        return links;
    }

    private static List<Integer> polls(List<SilentClient> links) {
        return links.stream().map(link -> link.polls).toList();
    }

    @Test
    void besideABusySessionTheSilentOnesTakeTurns() {
        List<SilentClient> links = silent(10);
        poller.add(server.session);
        poller.pollAll();
        links.forEach(link -> link.polls = 0);
        for (int i = 0; i < 16 * 10 / 2; i++) {
            poller.pollSome();
        }
        assertEquals(Collections.nCopies(10, 1), polls(links));
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(0), new byte[0]);
        assertEquals(1, poller.pollSome(), "the busy one is polled in each round");
    }

    @Test
    void afterAPauseAllAreLookedAt() {
        List<SilentClient> links = silent(10);
        poller.add(server.session);
        poller.pollAll();
        links.forEach(link -> link.polls = 0);
        server.nowNs += 10_000_001;
        poller.looked(server.nowNs);
        poller.pollSome();
        poller.pollSome();
        assertEquals(Collections.nCopies(10, 2), polls(links));
    }

    /** Returns true when it is quiet once clients have had the time to notice that the server goes. */
    private boolean isQuietAfterNotice() {
        assertFalse(poller.isQuiet(), "clients have had no time to notice");
        return isQuietAfter(NOTICE_NS);
    }

    @Test
    void beforeTheEndAllAreLookedAt() {
        List<SilentClient> links = silent(10);
        poller.goAway();
        poller.housekeeping();
        poller.add(server.session);
        poller.pollAll();
        links.forEach(link -> link.polls = 0);
        poller.pollSome();
        assertEquals(Collections.nCopies(10, 1), polls(links));
        assertTrue(isQuietAfterNotice());
    }

    @Test
    void whoseCallIsUnderWayIsNotSilent() {
        poller.add(server.session);
        poller.pollAll();
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, StillServer.bytes(writer -> writer.writeBytes(new byte[] {1})));
        for (int i = 0; i < 3; i++) {
            poller.housekeeping();
        }
        silent(100);
        server.executor.run();
        assertEquals(1, poller.pollSome(), "its answer is sent in the next round");
    }

    @Test
    void peersAreLookedAtFourTimesInTheirIdleTime() {
        SilentClient link = add();
        poller.pollAll();
        poller.housekeeping();
        assertEquals(1, link.looks);
        long everyNs = server.core.settings().keepAliveNs() / 4;
        server.nowNs += everyNs - 1;
        poller.housekeeping();
        assertEquals(1, link.looks);
        server.nowNs += 1;
        poller.housekeeping();
        assertEquals(2, link.looks);
    }

    @Test
    void allAreToldToGoAwayAndThoseWhoComeLater() {
        SilentClient first = add();
        poller.pollAll();
        assertFalse(poller.isQuiet());
        wakes.count = 0;
        poller.goAway();
        assertEquals(1, wakes.count);
        poller.housekeeping();
        poller.housekeeping();
        assertFalse(poller.isQuiet(), "they were not told yet");
        SilentClient second = add();
        for (int i = 0; i < 5; i++) {
            poller.pollAll();
        }
        List<Integer> twice = List.of(RpcHeader.GO_AWAY, RpcHeader.GO_AWAY);
        assertEquals(twice, first.controls);
        assertEquals(twice, second.controls);
        assertTrue(isQuietAfterNotice());
    }

    @Test
    void itIsNotQuietWhileACallIsUnderWay() {
        poller.add(server.session);
        poller.pollAll();
        server.open();
        byte[] bytes = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1}));
        server.call(1, CallsService.ECHO_HEAVY, bytes);
        poller.goAway();
        poller.housekeeping();
        poller.pollAll();
        poller.pollAll();
        assertFalse(poller.isQuiet());
        server.executor.run();
        poller.pollAll();
        poller.pollAll();
        assertTrue(isQuietAfterNotice());
    }

    @Test
    void aPauseIsWhatIsLongerThanTenMillisecondsAndCountsForTwoRounds() {
        assertFalse(poller.hasPaused());
        server.nowNs += 10_000_000;
        assertFalse(poller.hasPaused());
        server.nowNs += 10_000_001;
        assertTrue(poller.hasPaused());
        poller.pollAll();
        assertTrue(poller.hasPaused());
        poller.pollAll();
        assertFalse(poller.hasPaused());
        poller.woken(server.nowNs);
        assertTrue(poller.hasPaused(), "while it slept, nothing told of a pause");
        poller.pollAll();
        poller.pollAll();
        assertFalse(poller.hasPaused());
        server.nowNs += 10_000_001;
        poller.looked(server.nowNs);
        assertTrue(poller.hasPaused());
    }

    @Test
    void aPauseIsSeenHoweverManyRoundsWereBefore() {
        for (int i = 0; i < 5; i++) {
            poller.pollAll();
        }
        assertFalse(poller.hasPaused());
        server.nowNs += 10_000_001;
        assertTrue(poller.hasPaused());
    }

    @Test
    void aSessionThatCannotEvenBeBrokenOffIsTheFailureOfNoOther() {
        SilentClient bad = add();
        SilentClient good = add();
        poller.pollAll();
        bad.fault = new IllegalStateException("planted");
        bad.breakFault = new IllegalStateException("planted, too");
        poller.pollAll();
        assertEquals(List.of(bad.breakFault), List.of(bad.fault.getSuppressed()));
        assertEquals(1, good.polls);
    }

    @Test
    void itIsNotQuietInTheRoundThatACallComesIn() {
        poller.add(server.session);
        poller.pollAll();
        server.open();
        poller.goAway();
        poller.housekeeping();
        poller.pollAll();
        poller.pollAll();
        assertTrue(isQuietAfterNotice());
        byte[] bytes = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1}));
        server.comes(RpcHeader.REQUEST, CallsService.ECHO_HEAVY.index(), StillServer.callId(1), bytes);
        poller.pollAll();
        assertFalse(poller.isQuiet());
    }

    /** The sessions that were given back once the server has ended. */
    private List<Long> ended() {
        server.core.start();
        server.core.shutdownNow();
        return server.ended;
    }

    @Test
    void aSessionThatIsOverIsGivenBackAndNoOther() {
        poller.add(server.session);
        add();
        poller.pollAll();
        server.peer.fail("planted");
        poller.pollAll();
        poller.pollAll();
        poller.housekeeping();
        assertEquals(List.of(1L), ended());
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void allSessionsAreGivenBackAtTheEndAndThoseThatArriveThen() {
        add();
        add();
        poller.pollAll();
        add();
        poller.stop();
        poller.run();
        add();
        assertEquals(List.of(1L, 1L, 1L, 1L), ended());
    }

    @Test
    void aPollerThatFailsEndsItsServer() throws InterruptedException {
        poller.failed();
        assertTrue(server.core.awaitTermination(Duration.ofNanos(Await.BOUND_NS)));
    }

    private List<Long> sleeps(StillServer of) {
        ServerPoller sleeper = new ServerPoller(of.core, wakes, IdleStrategy.BLOCK, "sleeper");
        wakes.whenAsleep = sleeper::stop;
        sleeper.run();
        return wakes.sleeps;
    }

    @Test
    void itSleepsNoLongerThanAQuarterOfTheIdleTimeOfALink() {
        assertEquals(List.of(server.core.settings().keepAliveNs() / 4), sleeps(server));
    }

    @Test
    void itSleepsNoLongerThanAnHour() {
        try (StillServer patient = new StillServer(options -> options.settings().keepAlive(Duration.ofDays(1)))) {
            assertEquals(List.of(3_600_000_000_000L), sleeps(patient));
        }
    }

    @Test
    void aSessionThatArrivesBeforeTheEndIsGivenBack() {
        add();
        poller.stop();
        poller.run();
        assertEquals(List.of(1L), ended());
    }

    // ---- the departure

    @Test
    void itSleepsShortFromTheWordThatNoCallsAreTakenUntilItIsQuiet() {
        assertFalse(poller.isUnfinished());
        poller.goAway();
        poller.housekeeping();
        assertTrue(poller.isUnfinished());
        poller.pollAll();
        assertFalse(poller.isUnfinished());
    }

    /** Adds a client that does not take its answer, and to which somebody may be for so long; all are told to go. */
    private SilentClient depart(long fetchLimitNs) {
        SilentClient slow = add();
        slow.left = false;
        slow.fetchLimitNs = fetchLimitNs;
        poller.pollAll();
        poller.goAway();
        poller.housekeeping();
        for (int i = 0; i < 3; i++) { // tells it, and rests
            poller.pollAll();
        }
        return slow;
    }

    private boolean isQuietAfter(long ns) {
        server.nowNs += ns;
        poller.pollAll();
        return poller.isQuiet();
    }

    @Test
    void aClientThatDoesNotTakeItsAnswerIsWaitedForAsLongAsThatMayTake() {
        depart(NOTICE_NS + 100);
        assertFalse(isQuietAfter(0));
        assertFalse(isQuietAfter(NOTICE_NS + 100));
        assertTrue(isQuietAfter(1));
    }

    @Test
    void thatTimeBeginsAnewWhereThereWasSomethingElseToDo() {
        depart(NOTICE_NS + 100);
        SilentClient second = add();
        second.full = true;
        isQuietAfter(NOTICE_NS);
        isQuietAfter(0);
        second.full = false;
        assertFalse(isQuietAfter(0));
        assertFalse(isQuietAfter(NOTICE_NS + 100));
        assertTrue(isQuietAfter(1));
    }

    @Test
    void aClientThatIsGoneIsNotWaitedFor() {
        depart(100).connected = false;
        assertTrue(isQuietAfter(0));
    }

    @Test
    void aClientOfWhichNobodyCanTellWhetherItHasItsAnswerIsBrokenOff() {
        SilentClient bad = depart(100);
        bad.leftFault = new IllegalStateException("planted");
        isQuietAfter(0);
        isQuietAfter(NOTICE_NS);
        assertFalse(bad.connected);
    }
}
