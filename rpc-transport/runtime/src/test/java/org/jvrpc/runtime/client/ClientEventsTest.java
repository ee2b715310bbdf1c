package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.thread.Events;

/** The rounds of an event thread, run by the test: for how long it sleeps and when it polls. */
class ClientEventsTest {

    private static final long FOREVER_NS = 3_600_000_000_000L;
    private static final long WATCH_NS = 1_000_000;
    private static final long MOMENT_NS = 20_000;

    private final StillClient client = new StillClient();
    private final Waits waits = new Waits();
    private ClientEvents events = begun();

    @AfterEach
    void close() {
        client.close();
    }

    private ClientEvents begun() {
        ClientEvents made = new ClientEvents(client.core, waits, "still");
        made.begin(client.peer);
        return made;
    }

    /** Notes waits, in which something may happen; stops the rounds at the last. */
    private final class Waits implements Events {

        private final List<Long> all = new ArrayList<>();
        private final List<Runnable> meanwhile = new ArrayList<>();
        private int wakes;
        private int most = 1;
        private RuntimeException fault;

        @Override
        public void await(long timeoutNs) {
            assertFalse(Thread.currentThread().isInterrupted(), "no sleep would be one");
            all.add(timeoutNs);
            if (!meanwhile.isEmpty()) {
                meanwhile.remove(0).run();
            }
            if (all.size() == most) {
                events.stop();
            }
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public void wakeup() {
            wakes++;
        }
    }

    private List<Long> rounds(int most) {
        waits.most = most;
        events.run();
        return waits.all;
    }

    private CompletableFuture<Integer> start() {
        return client.write(CallsService.ECHO, null, 1).invokeAsync((in, thrown) -> in.remaining());
    }

    private void answer() {
        client.peer.answers(client.peer.last().callId(), Status.OK, new byte[5]);
    }

    @Test
    void itSleepsUntilTheClientHasItsFirstSession() {
        client.peer.breakOff();
        events = new ClientEvents(client.core, waits, "still");
        waits.meanwhile.add(() -> { });
        waits.meanwhile.add(() -> events.begin(client.peer));
        assertEquals(List.of(FOREVER_NS, FOREVER_NS, 1_000_000L), rounds(3), "it looks when it has begun");
        assertEquals(2, waits.wakes, "by who begins, as the session is lost, and by who stops");
    }

    @Test
    void itSleepsOnWhenTheClientHasASessionThatNeedsNothingOfIt() {
        int[] woken = {-1};
        events = new ClientEvents(client.core, waits, "still");
        waits.meanwhile.add(() -> {
            events.begin(client.peer);
            woken[0] = waits.wakes;
        });
        assertEquals(List.of(FOREVER_NS), rounds(1));
        assertEquals(0, woken[0]);
    }

    @Test
    void itSleepsWithoutLimitWhileNothingIsInFlight() {
        Thread.currentThread().interrupt(); // as a dependent of a future may leave it
        assertEquals(List.of(FOREVER_NS), rounds(1));
        assertFalse(Thread.interrupted());
    }

    @Test
    void itPollsWhileSessionsDrain() {
        ClientSession leaving = client.newSession(new StillClient.Peer());
        ClientSlot claimed = leaving.tryClaim(); // whose caller writes its arguments
        client.core.draining().add(leaving);
        assertEquals(List.of(10 * WATCH_NS), rounds(1));
        claimed.set(SlotState.FREE);
        waits.all.clear();
        events = begun();
        assertEquals(List.of(FOREVER_NS), rounds(1));
        assertTrue(client.core.draining().isEmpty());
    }

    @Test
    void itLeavesThePollingToCallersThatPollAndTakesOverWhenTheyDoNot() {
        CompletableFuture<Integer> call = start();
        answer();
        client.time.stepNs = 1000;
        waits.meanwhile.add(() -> client.time.nowNs += WATCH_NS / 2);
        waits.meanwhile.add(() -> {
            client.session.attendance().countPoll();
            client.time.nowNs += WATCH_NS;
        });
        waits.meanwhile.add(() -> {
            assertFalse(call.isDone(), "a caller polls");
            client.time.nowNs += WATCH_NS;
        });
        assertEquals(List.of(WATCH_NS, WATCH_NS, WATCH_NS, FOREVER_NS), rounds(4));
        assertEquals(0, client.session.attendance().asyncCalls(), "its answer was not taken");
        assertEquals(5, call.join());
    }

    @Test
    void itArmsTheQueueWhenNothingCameForAMoment() {
        CompletableFuture<Integer> call = start();
        client.time.stepNs = 1000;
        client.time.nowNs += WATCH_NS;
        waits.meanwhile.add(this::answer);
        assertEquals(List.of(WATCH_NS, FOREVER_NS), rounds(2));
        assertEquals(List.of("arm", "disarm"), client.peer.arming);
        assertEquals(0, client.session.attendance().asyncCalls(), "its answer was not taken");
        assertEquals(5, call.join());
    }

    /** A synchronous caller sleeps until the first wait. */
    private void callerSleeps() {
        client.session.attendance().sleeps(true);
        waits.meanwhile.add(() -> client.session.attendance().sleeps(false));
        client.time.stepNs = 1000;
    }

    @Test
    void itLendsTheChannelForTenMillisecondsAfterACallerSlept() {
        callerSleeps();
        assertEquals(List.of(WATCH_NS, FOREVER_NS), rounds(2));
        assertEquals(List.of(10 * WATCH_NS), client.time.parks);
    }

    @Test
    void itLendsTheChannelOnWhileCallersLead() {
        callerSleeps();
        client.time.whenParked = () -> {
            if (client.time.parks.size() < 3) {
                assertTrue(events.turn().tryLead());
                events.turn().endLead();
            }
        };
        assertEquals(List.of(WATCH_NS, FOREVER_NS), rounds(2));
        assertEquals(List.of(10 * WATCH_NS, 10 * WATCH_NS, 10 * WATCH_NS), client.time.parks);
    }

    @Test
    void itLendsTheChannelToNobodyForATimeWhenAnotherSleptBesideWhoLed() {
        callerSleeps();
        client.time.whenParked = () -> {
            if (client.time.parks.size() == 1) {
                assertTrue(events.turn().tryLead());
                client.session.attendance().sleeps(true);
            } else if (events.turn().isLed()) {
                events.turn().endLead(); // it was woken
            }
        };
        waits.meanwhile.add(() -> client.session.attendance().sleeps(false));
        assertEquals(List.of(WATCH_NS, WATCH_NS, FOREVER_NS), rounds(3));
        assertEquals(List.of(10 * WATCH_NS, WATCH_NS), client.time.parks);
        assertEquals(1, waits.wakes - 1, "who led, and the end of the rounds");
    }

    @Test
    void whenItEndsNobodyLeadsAnyMore() {
        callerSleeps();
        client.time.whenParked = () -> events.stop();
        assertEquals(List.of(WATCH_NS), rounds(10));
        assertFalse(events.turn().tryLead(), "the channel is closed behind it");
    }

    @Test
    void itDoesNotLendTheChannelWhileSessionsDrain() {
        ClientSession leaving = client.newSession(new StillClient.Peer());
        leaving.tryClaim(); // whose caller writes its arguments
        client.core.draining().add(leaving);
        callerSleeps();
        rounds(2);
        assertEquals(List.of(), client.time.parks);
    }

    @Test
    void itPollsForAMomentBeforeItArmsTheQueue() {
        start();
        client.time.nowNs += WATCH_NS;
        List<Integer> looks = new ArrayList<>();
        client.peer.whenLooked = () -> {
            looks.add(client.peer.arming.size());
            client.time.nowNs += MOMENT_NS / 4;
        };
        waits.meanwhile.add(() -> assertEquals(List.of(0, 0, 0, 0, 1), looks));
        assertEquals(List.of(WATCH_NS), rounds(1));
        assertEquals(List.of("arm", "disarm"), client.peer.arming);
    }

    @Test
    void itDoesNotSleepForThoseWhoAreAwakeWhenTheQueueIsArmed() {
        client.session.attendance().sleeps(true);
        client.peer.whenLooked = () -> {
            client.time.nowNs += MOMENT_NS;
            if (!client.peer.arming.isEmpty()) {
                client.peer.whenLooked = () -> { };
                client.session.attendance().sleeps(false);
            }
        };
        assertEquals(List.of(FOREVER_NS), rounds(1));
        assertEquals(List.of("arm", "disarm"), client.peer.arming);
    }

    @Test
    void itEndsCallsWhoseTimeIsOverWhenItWakesFromALongSleep() {
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        waits.meanwhile.add(() -> {
            calls.add(start());
            client.time.nowNs += StillClient.DEADLINE_NS + 1;
        });
        assertEquals(List.of(FOREVER_NS), rounds(1));
        client.core.events().publishWaiting();
        assertTrue(calls.get(0).isCompletedExceptionally());
    }

    @Test
    void itEndsCallsWhoseTimeIsOver() {
        CompletableFuture<Integer> call = start();
        client.time.stepNs = 1000;
        client.time.nowNs += StillClient.DEADLINE_NS + 1;
        rounds(1);
        assertTrue(call.isCompletedExceptionally());
    }

    @Test
    void aSessionWhosePeerIsGoneEndsAndIsMadeAgainAfterLongerAndLongerPauses() {
        CompletableFuture<Integer> call = start();
        client.peer.breakOff();
        assertEquals(List.of(1_000_000L, 1_000_000L, 1_000_000L), rounds(3), "the time does not pass");
        client.core.events().publishWaiting();
        assertTrue(call.isCompletedExceptionally());
        assertNull(client.core.session());
        assertTrue(client.peer.isClosed(), "nobody has a slot of it");
        waits.all.clear();
        events = begun();
        for (int i = 0; i < 4; i++) {
            waits.meanwhile.add(() -> client.time.nowNs += waits.all.get(waits.all.size() - 1));
        }
        assertEquals(List.of(1_000_000L, 2_000_000L, 4_000_000L), rounds(3));
    }

    @Test
    void whateverIsThrownDoesNotEndIt() {
        waits.fault = new IllegalStateException("planted");
        long fromNs = client.time.nowNs;
        assertEquals(3, rounds(3).size());
        assertEquals(3 * WATCH_NS, client.time.nowNs - fromNs, "a pause after each");
    }

    // ---- while something on the thread waits for a future

    @Test
    void itLooksAfterDeadlinesMeanwhile() {
        CompletableFuture<Integer> call = start();
        client.time.nowNs += StillClient.DEADLINE_NS + 1;
        events.lookAfter(client.session);
        assertTrue(call.isCompletedExceptionally());
        assertEquals(List.of(0L), waits.all);
        assertFalse(client.session.isLost());
    }

    @Test
    void itNoticesTheEndMeanwhile() {
        client.peer.breakOff();
        events.lookAfter(client.session);
        assertTrue(client.session.isLost());
    }

    // ---- futures that others answered

    /** Two that are answered, as a list; nothing has completed them. */
    private RpcFuture<Integer> answered(RpcFuture<Integer> first, RpcFuture<Integer> second) {
        first.next = second;
        second.next = null;
        return first;
    }

    private RpcFuture<Integer> future() {
        return new RpcFuture<>(client.session, null, null);
    }

    @Test
    void whoMayRunOthersCodeCompletesThemAtOnce() {
        RpcFuture<Integer> first = future();
        RpcFuture<Integer> second = future();
        CompletableFuture<Integer> made = second.thenApply(number -> 7);
        events.complete(answered(first, second), ClientEvents.Where.HERE);
        assertTrue(first.isDone() && second.isDone() && made.isDone());
        assertEquals(0, waits.wakes);
    }

    @Test
    void whoMayNotLeavesThemToTheThreadWhichIsWokenOnce() {
        RpcFuture<Integer> first = future();
        RpcFuture<Integer> second = future();
        RpcFuture<Integer> third = future();
        events.complete(answered(first, second), ClientEvents.Where.ELSEWHERE);
        events.complete(third, ClientEvents.Where.ELSEWHERE);
        assertFalse(first.isDone() || second.isDone() || third.isDone());
        assertEquals(1, waits.wakes);
        events.publishOwn();
        assertFalse(first.isDone(), "this is another thread");
        RpcFuture<Integer> fourth = future();
        waits.meanwhile.add(() -> {
            assertTrue(first.isDone() && second.isDone() && third.isDone());
            events.complete(fourth, ClientEvents.Where.ELSEWHERE);
            assertEquals(2, waits.wakes, "it has looked since");
        });
        rounds(1);
        assertEquals(3, waits.wakes, "its end is one, too");
        assertTrue(fourth.isDone());
        waits.wakes = 0;
        RpcFuture<Integer> late = future();
        events.complete(late, ClientEvents.Where.ELSEWHERE);
        assertTrue(late.isDone(), "the thread has ended");
    }

    @Test
    void whoHasACallOfItsOwnCompletesThoseThatNobodysCodeDependsOn() {
        RpcFuture<Integer> plain = future();
        RpcFuture<Integer> other = future();
        CompletableFuture<Integer> made = other.thenApply(number -> 7);
        events.complete(answered(plain, other), ClientEvents.Where.HERE_IF_NONE);
        assertTrue(plain.isDone());
        assertFalse(other.isDone() || made.isDone());
        assertEquals(1, waits.wakes);
        events.publishWaiting();
        assertTrue(other.isDone() && made.isDone());
        RpcFuture<Integer> alone = future();
        events.complete(alone, ClientEvents.Where.HERE_IF_NONE);
        assertTrue(alone.isDone());
        assertEquals(1, waits.wakes);
    }
}
