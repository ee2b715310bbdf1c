package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Idler;

/** How callers and those who have futures wait, look by look. */
class AnswerWaitsTest {

    /** What a look for messages takes while time passes. */
    private static final long LOOK_NS = 1000;
    /** Of who waits for a future, by default: 400 us, and what is begun of the last looks at the clock. */
    private static final int FUTURE_LOOKS = 408;
    /** The same where messages of others come all the time: 5 ms. */
    private static final int MOST_LOOKS = 5000;
    private static final String ECHO_NAME = CallsService.ECHO.fullName();

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final StillClient.Peer peer = client.peer;
    private final Attendance attendance = session.attendance();
    private int unattended;

    @AfterEach
    void close() {
        client.close();
    }

    private ClientSlot write() {
        return client.write(CallsService.ECHO, null, 1);
    }

    private CompletableFuture<Integer> start() {
        return write().invokeAsync((in, thrown) -> in.remaining());
    }

    private void answerAt(int look, ClientSlot slot) {
        peer.whenLooked = () -> {
            if (peer.looks == look) {
                peer.answers(slot.callId(), Status.OK, new byte[4]);
            }
        };
    }

    /** Has each look take some time from now on, beside what happens before it. */
    private void timePasses() {
        Runnable others = peer.whenLooked;
        peer.whenLooked = () -> {
            client.time.nowNs += LOOK_NS;
            others.run();
        };
    }

    // ---- callers

    private int pollsForAnswerAt(int look) {
        ClientSlot slot = write();
        answerAt(look, slot);
        assertEquals(4, slot.invoke().remaining());
        slot.close();
        return attendance.polls();
    }

    @Test
    void aCallerLooksSoManyTimesInEachHoldOfTheLock() {
        assertEquals(1, pollsForAnswerAt(2 * Idler.SPINS_PER_LOOK));
        assertFalse(session.hasWaiters());
    }

    @Test
    void aCallerLetsTheLockGoBetween() {
        assertEquals(2, pollsForAnswerAt(2 * Idler.SPINS_PER_LOOK + 1));
    }

    @Test
    void aCallerWhoseAnswerIsLateSleepsAndIsWoken() {
        ClientSlot slot = write();
        client.time.stepNs = 100_000;
        client.time.whenParked = () -> {
            unattended = session.unattended();
            assertSame(Thread.currentThread(), slot.waiter);
            peer.answers(slot.callId(), Status.OK, new byte[4]);
            session.tryPoll();
        };
        assertEquals(4, slot.invoke().remaining());
        assertEquals(List.of(5_000_000L), client.time.parks);
        assertEquals(1, unattended);
        assertEquals(0, session.unattended());
        assertNull(slot.waiter);
        assertFalse(slot.holdsLock());
        slot.close();
    }

    @Test
    void aCallerSleepsUntilItsTimeIsOver() {
        ClientSlot slot = write();
        client.time.stepNs = 100_000;
        assertEquals("no answer in 10000 us: " + ECHO_NAME,
                assertThrows(RpcException.class, slot::invoke).getMessage());
        assertEquals(2, client.time.parks.size());
        assertTrue(client.time.parks.get(1) < 5_000_000, client.time.parks::toString);
        slot.close();
    }

    @Test
    void aCallerSleepsWhenAllOfItsTimeIsGoneAndNotOver() {
        ClientSlot slot = write();
        long endNs = client.time.nowNs + StillClient.DEADLINE_NS;
        peer.whenLooked = () -> client.time.nowNs += peer.looks == 3 * Idler.SPINS_PER_LOOK
                ? endNs - client.time.nowNs : 0;
        client.time.whenParked = () -> client.time.nowNs++;
        assertEquals(Status.DEADLINE_EXCEEDED, assertThrows(RpcException.class, slot::invoke).status());
        assertEquals(List.of(0L), client.time.parks);
        slot.close();
    }

    @Test
    void aCallerThatIsInterruptedWaitsNoMoreAndStaysInterrupted() {
        ClientSlot slot = write();
        peer.whenLooked = () -> {
            if (peer.looks == 1) {
                Thread.currentThread().interrupt();
            }
        };
        RpcException e = assertThrows(RpcException.class, slot::invoke);
        assertTrue(Thread.interrupted());
        assertEquals(Status.CANCELLED, e.status());
        assertEquals("interrupted while waiting for the answer of " + ECHO_NAME, e.getMessage());
        assertEquals(List.of(), client.time.parks);
        slot.close();
    }

    @Test
    void aCallerThatSleepsLeavesTheSessionToOthersAndWaitsOnWhileTheyHaveIt() {
        ClientSlot slot = write();
        client.time.stepNs = 100_000;
        List<Boolean> free = new ArrayList<>();
        client.time.whenParked = () -> {
            if (free.isEmpty()) {
                free.add(Await.join(Await.start(session::tryLock)));
            } else {
                session.unlock();
                client.time.whenParked = () -> { };
                peer.answers(slot.callId(), Status.OK, new byte[4]);
            }
        };
        assertEquals(4, slot.invoke().remaining());
        assertEquals(List.of(true), free);
        assertEquals(2, client.time.parks.size());
        slot.close();
    }

    @Test
    void theNextWaitOfACallerBeginsAnew() {
        pollsForAnswerAt(3 * Idler.SPINS_PER_LOOK);
        assertFalse(client.core.idlerOfThread().idle(client.time.nowNs + Long.MAX_VALUE / 4));
    }

    @Test
    void whoeverEndsACallWakesWhoSleeps() {
        ClientSlot slot = write();
        slot.set(SlotState.SENT);
        CompletableFuture<Boolean> sleeper = Await.start(() -> {
            slot.waiter = Thread.currentThread();
            while (slot.isPending()) {
                LockSupport.park();
            }
            return true;
        });
        Await.until("the sleeper", () -> slot.waiter != null && slot.waiter.getState() == Thread.State.WAITING);
        slot.finish();
        assertTrue(Await.<Boolean>join(sleeper));
        slot.set(SlotState.FREE);
    }

    // ---- who is there

    @Test
    void eachThatNobodyPollsForCounts() {
        assertTrue(attendance.asyncStarts(1));
        assertFalse(attendance.asyncStarts(1), "another is in flight");
        assertEquals(2, session.unattended());
        attendance.sleeps(true);
        assertEquals(3, session.unattended());
        client.write(CallsService.TELL, null, 1).send();
        client.write(CallsService.TELL, null, 1).send();
        session.sendControl(RpcHeader.CANCEL, 1);
        assertEquals(4, session.unattended());
        attendance.asyncEnds();
        attendance.asyncEnds();
        assertEquals(2, session.unattended());
        attendance.countPoll();
        attendance.countPoll();
        assertEquals(2, attendance.polls());
    }

    // ---- those who wait for futures

    @Test
    void whoeverWaitsForAFuturePollsForIt() throws Exception {
        for (int how = 0; how < 3; how++) {
            ClientSlot slot = write();
            CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
            client.wakes();
            peer.looks = 0;
            answerAt(FUTURE_LOOKS - 1, slot);
            timePasses();
            assertEquals(4, how == 0 ? call.join() : how == 1 ? call.get() : call.get(1, TimeUnit.HOURS));
            assertEquals(0, client.wakes(), "nobody slept");
            assertEquals((how + 1) * (FUTURE_LOOKS - 1), attendance.polls());
        }
    }

    /** The event thread, which is woken, finds the answer. */
    private void answerWhileAsleep(ClientSlot slot) {
        int[] wakes = new int[1];
        client.device.whenWoken = () -> {
            if (wakes[0]++ == 0) {
                unattended = session.unattended();
                peer.answers(slot.callId(), Status.OK, new byte[4]);
                client.poll();
            }
        };
    }

    @Test
    void whoeverWaitsForLongSleepsAndWakesTheEventThread() throws Exception {
        timePasses();
        for (int how = 0; how < 3; how++) {
            ClientSlot slot = write();
            CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
            answerWhileAsleep(slot);
            int before = attendance.polls();
            assertEquals(4, how == 0 ? call.join() : how == 1 ? call.get() : call.get(1, TimeUnit.HOURS));
            assertEquals(FUTURE_LOOKS, attendance.polls() - before);
            assertEquals(2, unattended, "a call, and one who sleeps");
            assertEquals(0, session.unattended());
        }
    }

    @Test
    void whoeverHasNoTimeDoesNotPoll() {
        timePasses();
        CompletableFuture<Integer> call = start();
        client.wakes();
        assertThrows(TimeoutException.class, () -> call.get(999, TimeUnit.MICROSECONDS));
        assertEquals(0, peer.looks);
        assertEquals(1, client.wakes());
        assertThrows(TimeoutException.class, () -> call.get(1, TimeUnit.MILLISECONDS));
        assertEquals(FUTURE_LOOKS, peer.looks);
        assertEquals(1, session.unattended(), "it is awake again");
    }

    @Test
    void aMessageIsAReasonToGoOnPolling() {
        ClientSlot slot = write();
        CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
        answerWhileAsleep(slot);
        peer.whenLooked = () -> {
            if (peer.looks == 300) {
                peer.controls(RpcHeader.CREDIT, 0);
            }
        };
        timePasses();
        assertEquals(4, call.join());
        assertEquals(304 + FUTURE_LOOKS, attendance.polls(), "from the look at the clock behind it");
    }

    @Test
    void messagesOfOthersAreNoReasonToPollForEver() {
        ClientSlot slot = write();
        CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
        answerWhileAsleep(slot);
        peer.whenLooked = () -> {
            if (peer.looks % 2 == 1) {
                peer.controls(RpcHeader.CREDIT, 0);
            }
        };
        timePasses();
        assertEquals(4, call.join());
        assertTrue(peer.looks >= MOST_LOOKS && peer.looks < MOST_LOOKS + 2 * FUTURE_LOOKS, "looks=" + peer.looks);
    }
}
