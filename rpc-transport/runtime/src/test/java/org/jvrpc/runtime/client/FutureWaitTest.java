package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** How a thread waits for a future that is not the event thread: for how long it polls, and when it sleeps. */
class FutureWaitTest {

    /** What a look for messages takes. */
    private static final long LOOK_NS = 1000;
    /** For so long a caller polls by default. */
    private static final int LOOKS_OF_BUDGET = 400;
    /** Looks between two looks at the clock. */
    private static final int LOOKS_PER_ROUND = 8;

    private final StillClient client = new StillClient();
    private final StillClient.Peer peer = client.peer;
    private final ClientSlot slot = client.write(CallsService.ECHO, null, 1);
    private final CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());

    FutureWaitTest() {
        peer.whenLooked = () -> client.time.nowNs += LOOK_NS;
        client.wakes(); // of the call itself
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Has something happen before each look of a number that is a multiple. */
    private void eachLook(int multiple, Runnable what) {
        Runnable others = peer.whenLooked;
        peer.whenLooked = () -> {
            others.run();
            if (peer.looks % multiple == 0) {
                what.run();
            }
        };
    }

    private void timesOut() {
        assertThrows(TimeoutException.class, () -> call.get(1, TimeUnit.MILLISECONDS));
    }

    private void polled(int least) {
        assertTrue(peer.looks >= least && peer.looks <= least + 2 * LOOKS_PER_ROUND,
                "looks=" + peer.looks + " least=" + least);
    }

    @Test
    void itPollsForACallersBudgetAndSleepsThen() {
        timesOut();
        polled(LOOKS_OF_BUDGET);
        assertTrue(client.wakes() > 0, "the event thread was not told to poll in its place");
    }

    @Test
    void aMessageBeginsTheWaitAnew() {
        eachLook(LOOKS_OF_BUDGET - LOOKS_PER_ROUND, () -> {
            if (peer.looks < LOOKS_OF_BUDGET) {
                peer.controls(RpcHeader.CREDIT, 0);
            }
        });
        timesOut();
        polled(2 * LOOKS_OF_BUDGET - LOOKS_PER_ROUND);
    }

    @Test
    void itPollsForNoLongerThanItMayWaitWhateverComes() {
        eachLook(100, () -> peer.controls(RpcHeader.CREDIT, 0));
        timesOut();
        polled(1000);
    }

    @Test
    void anAnswerWithinTheBudgetPutsNobodyToSleep() {
        eachLook(LOOKS_OF_BUDGET - 1, () -> peer.answers(slot.callId(), Status.OK, new byte[4]));
        assertEquals(4, call.join());
        assertEquals(0, client.wakes());
    }

    @Test
    void anInterruptEndsTheWaitWhereItMay() {
        eachLook(100, () -> Thread.currentThread().interrupt());
        assertThrows(InterruptedException.class, call::get);
        polled(100);
    }

    @Test
    void anInterruptDoesNotEndAJoin() {
        eachLook(50, () -> Thread.currentThread().interrupt());
        eachLook(200, () -> peer.answers(slot.callId(), Status.OK, new byte[4]));
        assertEquals(4, call.join());
        assertTrue(Thread.interrupted());
    }
}
