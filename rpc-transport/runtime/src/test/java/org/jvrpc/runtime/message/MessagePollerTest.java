package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.runtime.thread.Wakes;

/** The rounds of a message server's poller, step by step. */
class MessagePollerTest {

    private static final long KEEP_ALIVE_NS = 4_000;

    private final Wakes wakes = new Wakes();
    private final List<FrameSession> buried = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 500; // clocks may overflow
    private int failures;
    private final MessagePoller poller = poller(IdleStrategy.SPIN);

    private MessagePoller poller(IdleStrategy idle) {
        return new MessagePoller(new Environment(() -> nowNs, Threads.DAEMONS), wakes,
                Idler.ofPoller(idle, () -> nowNs), "still",
                KEEP_ALIVE_NS, buried::add, () -> failures++, null);
    }

    private StillFrames add() {
        StillFrames side = new StillFrames();
        poller.add(side.session);
        return side;
    }

    /** Adds sessions that are polled from now on. */
    private List<StillFrames> add(int count) {
        List<StillFrames> sides = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sides.add(add());
        }
        poller.pollAll();
        sides.forEach(StillFrames::told);
        return sides;
    }

    // ---- who arrives

    @Test
    void whoArrivesIsToldAndPolledFromTheNextRoundOn() {
        StillFrames one = add();
        StillFrames two = add();
        assertEquals(2, wakes.count);
        assertEquals(2, poller.pollAll(), "there was something to do");
        assertEquals(List.of("opened"), one.told());
        assertEquals(List.of("opened"), two.told());
        assertEquals(0, one.peer.polls);
        assertEquals(0, poller.pollAll());
        assertEquals(1, one.peer.polls);
        assertEquals(1, two.peer.polls);
        one.peer.frame("a");
        one.peer.frame("b");
        two.peer.frame("c");
        assertEquals(3, poller.pollAll());
        StillFrames three = add();
        two.peer.frame("d");
        assertEquals(2, poller.pollAll(), "a message, and an arrival");
        assertEquals(List.of("opened"), three.told());
    }

    @Test
    void whoIsEndedByItsHandlerWhenItArrivesIsGivenBackAlone() {
        StillFrames bad = new StillFrames();
        bad.does = what -> {
            if (what.equals("opened")) {
                throw new IllegalStateException("planted");
            }
        };
        poller.add(bad.session);
        StillFrames good = add();
        assertEquals(2, poller.pollAll());
        assertEquals(List.of("opened", "closed: planted"), bad.told());
        assertEquals(List.of(), buried);
        poller.pollAll();
        assertEquals(List.of(bad.session), buried);
        assertEquals(1, good.peer.polls);
    }

    // ---- rounds

    @Test
    void oneSessionTakesNoMoreThanItsTurn() {
        StillFrames one = add(1).get(0);
        for (int i = 0; i < 40; i++) {
            one.peer.frame("a");
        }
        assertEquals(32, poller.pollAll());
        assertEquals(8, poller.pollAll());
    }

    @Test
    void sessionsThatAreOverAreGivenBackAndTheOthersGoOn() {
        List<StillFrames> sides = add(3);
        sides.get(0).peer.bye();
        sides.get(2).peer.bye();
        poller.pollAll();
        assertEquals(List.of(sides.get(0).session, sides.get(2).session), buried);
        assertEquals(List.of("closed"), sides.get(0).told());
        sides.forEach(side -> side.peer.polls = 0);
        assertEquals(0, poller.pollAll());
        assertEquals(List.of(0, 1, 0), sides.stream().map(side -> side.peer.polls).toList());
        assertEquals(2, buried.size(), "they are given back once");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    @Test
    void whateverAHandlerThrowsEndsItsSessionAlone() {
        List<StillFrames> sides = add(2);
        StillFrames bad = sides.get(0);
        bad.does = what -> {
            if (what.startsWith("frame")) {
                MessagePollerTest.<RuntimeException>sneak(new java.io.IOException("planted"));
            }
        };
        bad.peer.frame("a");
        sides.get(1).peer.frame("b");
        assertEquals(1, poller.pollAll());
        assertEquals(List.of("frame a", "closed: planted"), bad.told());
        assertEquals(List.of("frame b"), sides.get(1).told());
        assertEquals(List.of(bad.session), buried);
    }

    // ---- sleep

    @Test
    void allAreArmedAndDisarmedAndOneThatCannotBeEndsAlone() {
        List<StillFrames> sides = add(2);
        FramePeer bad = sides.get(0).peer;
        FramePeer good = sides.get(1).peer;
        poller.arm();
        poller.disarm();
        assertEquals(List.of("arm", "disarm"), good.did);
        bad.armFault = new IllegalStateException("planted");
        poller.arm();
        assertEquals(List.of("arm", "disarm", "arm"), good.did);
        assertEquals(List.of("closed: planted"), sides.get(0).told());
        assertFalse(sides.get(1).session.isOver());
    }

    @Test
    void oneThatCannotBeDisarmedEndsAlone() {
        List<StillFrames> sides = add(2);
        sides.get(0).peer.armFault = new IllegalStateException("planted");
        poller.disarm();
        assertEquals(List.of("disarm"), sides.get(1).peer.did);
        assertEquals(List.of("closed: planted"), sides.get(0).told());
        assertFalse(sides.get(1).session.isOver());
    }

    @Test
    void somethingIsUnfinishedWhileAMessageWaitsInALink() {
        List<StillFrames> sides = add(2);
        assertFalse(poller.isUnfinished());
        sides.get(1).peer.behind = true;
        assertTrue(poller.isUnfinished());
    }

    @Test
    void itSleepsForHalfASecondAtMost() {
        MessagePoller sleeper = poller(IdleStrategy.BLOCK);
        wakes.whenAsleep = sleeper::stop;
        sleeper.run();
        assertEquals(List.of(500_000_000L), wakes.sleeps);
    }

    @Test
    void peersAreLookedAtFourTimesInTheirIdleTime() {
        FramePeer peer = add(1).get(0).peer;
        poller.housekeeping();
        assertEquals(1, peer.looks);
        nowNs += KEEP_ALIVE_NS / 4 - 1;
        poller.housekeeping();
        assertEquals(1, peer.looks);
        nowNs += 1;
        poller.housekeeping();
        assertEquals(2, peer.looks);
    }

    // ---- the end

    @Test
    void allSessionsEndWithItThoseThatHaveArrivedToo() {
        StillFrames polled = add(1).get(0);
        StillFrames arrived = add();
        poller.stop();
        poller.run();
        assertEquals(List.of("closed"), polled.told());
        assertEquals(List.of("opened", "closed"), arrived.told());
        assertEquals(List.of(polled.session, arrived.session), buried);
    }

    @Test
    void aSessionThatArrivesBehindTheEndIsGivenBack() {
        poller.stop();
        poller.run();
        StillFrames late = add();
        assertEquals(List.of(late.session), buried);
        assertEquals(List.of(), late.told());
    }

    @Test
    void aSessionWhoseHandlerFailsAtTheEndKeepsNoOther() {
        List<StillFrames> sides = add(2);
        sides.get(0).does = what -> {
            throw new IllegalStateException("planted");
        };
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {
            throw new IllegalStateException("planted, too");
        });
        try {
            poller.end();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        assertEquals(List.of("closed"), sides.get(1).told());
        assertEquals(2, buried.size());
    }

    @Test
    void whoeverHasItIsToldThatItFails() {
        poller.failed();
        assertEquals(1, failures);
    }
}
