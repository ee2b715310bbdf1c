package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** Send queues that wait, or whose peer goes away, and what their owner is told of it. */
final class StalledEngineTest extends RcFixture {

    /** Chains of the peer that say what a test has them say. */
    private static final class Chains implements MessageChains {

        boolean busy;
        boolean held;
        boolean holdsWhenRun;
        int runs;
        int resumed;
        int claims;

        @Override
        public boolean claim() {
            claims += busy ? 0 : 1;
            return !busy;
        }

        @Override
        public void run() {
            runs++;
            held = holdsWhenRun;
        }

        @Override
        public void release() {
            claims--;
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public void resume() {
            resumed++;
            held = false;
        }
    }

    private Engine makeWith(Chains chains) {
        Engine engine = make(false, QueuePairAttributes.RNR_RETRY_FOREVER, 1000);
        Responder peer = peer();
        peer.chains(chains);
        engine.connect(peer);
        pieces(receiveWqe(0), to, 64);
        return engine;
    }

    /** A page of the peer's file is gone, as the machine reports it: only what is looked up is hit here. */
    private void truncatePeer() {
        space.whenLookedAt = () -> {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        };
    }

    @Test
    void aPeerWhoseMemoryIsGoneEndsTheQpAndFlushesWhatIsPosted() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 64);
        posted(1);
        truncatePeer();
        load(0, send(33, 0));
        load(1, send(8, 0));
        engine.ring(2);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectNothingMore();
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told once");
    }

    @Test
    void aPushToAPeerWhoseMemoryIsGoneEndsTheQpAndIsLeftToTheRing() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 64);
        posted(1);
        truncatePeer();
        assertFalse(engine.push(0, send(33, 0)), "it is not executed");
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told");
        load(0, send(33, 0));
        engine.ring(1);
        expectSent(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aStalledSendToAPeerWhoseMemoryIsGoneIsFlushedByTheNextPoll() {
        Engine engine = make();
        load(0, send(33, 0));
        engine.ring(1);
        assertTrue(engine.isStalled());
        pieces(receiveWqe(0), to, 64);
        posted(1);
        truncatePeer();
        nowNs += 1000;
        engine.progress();
        expectSent(WcStatus.WR_FLUSH_ERR);
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told");
        assertFalse(engine.isStalled(), "nothing waits any more");
    }

    @Test
    void aSendThatWaitsForItsTimerAsksForPollsEachTime() {
        Engine engine = make();
        load(0, send(8, 0));
        engine.ring(1);
        assertEquals(1, own.stalls);
        nowNs += 999;
        engine.progress();
        assertEquals(2, own.stalls, "it asks again, as a poll that has looked forgets");
        posted(1);
        pieces(receiveWqe(0), to, 64);
        load(1, send(8, 0));
        engine.ring(2);
        expectNothingMore();
        assertTrue(engine.isStalled(), "a doorbell does not make the timer end sooner");
        nowNs++;
        engine.ring(2);
        expectReceived(WcStatus.SUCCESS);
        expectNothingMore();
    }

    @Test
    void aStalledQueueInErrorIsFlushedWithoutWaitingForTheTimer() {
        Engine engine = make();
        load(0, send(8, 0));
        engine.ring(1);
        state(QP, QueuePairState.ERR);
        engine.progress();
        expectSent(WcStatus.WR_FLUSH_ERR);
        assertFalse(engine.isStalled());
    }

    @Test
    void aDoorbellThatMeetsAPollWhichGetsTheQueueGoingSendsWhatItRangFor() {
        Engine engine = make();
        load(0, send(8, 0));
        load(1, send(8, 0));
        engine.ring(1);
        pieces(receiveWqe(0), to, 64);
        pieces(receiveWqe(1), to, 64);
        posted(2);
        nowNs += 1000;
        Background<Integer> poster;
        synchronized (engine) { // as a poll has it
            AtomicReference<Thread> thread = new AtomicReference<>();
            poster = Background.start("poster", () -> {
                thread.set(Thread.currentThread());
                engine.ring(2);
                return 0;
            });
            Deadline.until("the doorbell to wait for the poll",
                    () -> thread.get() != null && thread.get().getState() == Thread.State.BLOCKED);
            engine.progress();
            expectReceived(WcStatus.SUCCESS);
        }
        poster.join(60);
        expectReceived(WcStatus.SUCCESS);
        expectNothingMore();
    }

    @Test
    void aSendThatFillsItsCqBeyondItsEndEndsTheQp() {
        Engine engine = make();
        for (int i = 0; i < CQES; i++) {
            load(i, control(0, Wqe.NOP, 1), signalled());
        }
        engine.ring(CQES);
        assertEquals(QueuePairState.RTS, state(QP));
        load(0, control(0, Wqe.NOP, 1), signalled());
        engine.ring(CQES + 1);
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told");
        assertTrue((CqContext.flags(memory, SEND_CQ) & CqContext.OVERRAN) != 0);
    }

    @Test
    void aSendThatFailsEndsTheQpAndTellsItsOwner() {
        Engine engine = make();
        load(0, control(0, 127, 1), 0);
        engine.ring(1);
        expectSent(WcStatus.LOC_QP_OP_ERR);
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures);
    }

    @Test
    void whatALazyDeliveryLeavesAsleepIsWokenWhenAsked() {
        Engine engine = make(false, 0, 0);
        engine.wakePeer(); // there is none
        engine.connect(peer());
        engine.wakePeer();
        assertEquals(0, woken, "nobody sleeps");
        CqContext.arm(memory, RECEIVE_CQ);
        engine.wakePeer();
        assertEquals(1, woken);
        engine.wakePeer();
        assertEquals(1, woken, "the arming is taken");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void chainsThatAMessageLeavesHeldAreResumedByPolls(boolean fromDoorbell) {
        Chains chains = new Chains();
        Engine engine = makeWith(chains);
        posted(1);
        chains.holdsWhenRun = true;
        long[] words = send(8, 0);
        load(0, words);
        if (fromDoorbell) {
            assertTrue(engine.push(0, words));
        } else {
            engine.ring(1);
        }
        expectReceived(WcStatus.SUCCESS);
        assertEquals(1, chains.runs);
        assertEquals(0, chains.claims, "the claim is let go");
        assertEquals(1, own.stalls, "polls are asked for");
        assertTrue(engine.isStalled());
        engine.progress();
        assertEquals(1, chains.resumed);
        assertFalse(engine.isStalled());
        engine.progress();
        assertEquals(1, chains.resumed, "they are not held any more");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void chainsThatAreNotHeldAskForNoPolls(boolean fromDoorbell) {
        Chains chains = new Chains();
        Engine engine = makeWith(chains);
        posted(1);
        long[] words = send(8, 0);
        load(0, words);
        if (fromDoorbell) {
            assertTrue(engine.push(0, words));
        } else {
            engine.ring(1);
        }
        assertEquals(0, own.stalls);
        assertFalse(engine.isStalled());
    }

    @Test
    void aMessageWaitsWhileAnotherRunsThePeersChains() {
        Chains chains = new Chains();
        Engine engine = makeWith(chains);
        posted(1);
        chains.busy = true;
        assertFalse(engine.push(0, send(8, 0)));
        load(0, send(8, 0));
        engine.ring(1);
        expectNothingMore();
        assertTrue(engine.isStalled());
        assertEquals(0, chains.runs);
        chains.busy = false;
        nowNs += 1000;
        engine.progress();
        expectReceived(WcStatus.SUCCESS);
        assertEquals(1, chains.runs);
        assertEquals(0, chains.claims, "the claim is let go");
    }

    @Test
    void aPushedTriggerThatThePeersCqHasNoRoomForIsNotExecuted() {
        Chains chains = new Chains();
        Engine engine = makeWith(chains);
        posted(1);
        Responder other = peer();
        for (int i = 0; i < CQES; i++) {
            int at = other.completions().claim();
            other.completions().publish(at, 0, 0, Cqe.RESP_SEND, 0);
        }
        assertFalse(engine.push(0, send(8, 0)));
        assertEquals(0, chains.runs);
        assertEquals(0, chains.claims, "the claim is let go");
    }

    @Test
    void aWqeBehindOthersThatIsLongerThanTheDoorbellSaysIsNotExecuted() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 64);
        pieces(receiveWqe(1), to, 64);
        posted(2);
        load(0, send(8, 0));
        load(1, send(8, 0));
        engine.ring(2);
        expectReceived(WcStatus.SUCCESS);
        expectReceived(WcStatus.SUCCESS);
        load(2, control(0, Wqe.SEND, 5), 0, sge(8), from.address(), sge(8), from.address(), sge(8), from.address());
        load(3, sge(8), from.address());
        engine.ring(3);
        expectSent(WcStatus.LOC_QP_OP_ERR);
        load(3, send(8, 0));
        engine.ring(4);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectNothingMore();
    }
}
