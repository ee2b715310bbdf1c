package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Arming a CQ and waiting on its channel: one event when asked for, never a lost one. Connected by endpoints. */
public abstract class EventContract extends DeviceContract {

    private static final long SHORT_NS = 1_000_000;
    private static final long LONG_NS = 60_000_000_000L;
    private static final long SOON_NS = 15_000_000_000L;

    private EventChannel channel;
    private CompletionQueue receiveCq;
    private CompletionQueue sendCq;
    private Pair pair;

    EventContract(DeviceUnderTest dut) {
        super(dut);
    }

    @BeforeEach
    void makePairWithChannel() {
        channel = rig.right.channel();
        CompletionQueueAttributes attributes = CompletionQueueAttributes.ofDepth(256).withChannel(channel);
        receiveCq = rig.right.cq(attributes);
        sendCq = rig.right.cq(attributes);
        Setup setup = Setup.usual().depth(64, 64).rnr(7, 10_000);
        pair = connect(setup);
    }

    /** How the two ends get to know each other; what wakes a sleeping peer may depend on it. */
    Pair connect(Setup setup) {
        End right = rig.right.end(setup, rig.right.probe(sendCq, "send CQ"), rig.right.probe(receiveCq, "receive CQ"));
        return Pair.connect(rig.left.end(setup), right);
    }

    private void deliver(long wrId) {
        pair.right().receive(wrId, 0, 8);
        pair.left().post(SendRequest.send(wrId, pair.left().sge(0, 8)));
    }

    /** Waits until a send has completed, without a poll of the receiver's CQs. */
    private void awaitSent() {
        Probe sends = pair.left().sends;
        Deadline deadline = Deadline.usual();
        for (sends.pump(); sends.isEmpty(); sends.pump()) {
            deadline.turn(() -> "the send does not complete");
        }
    }

    private boolean awaitSoon() {
        long startNs = System.nanoTime();
        boolean event = channel.await(LONG_NS);
        long elapsedNs = System.nanoTime() - startNs;
        assertTrue(elapsedNs < SOON_NS, "waited elapsedNs=" + elapsedNs);
        return event;
    }

    @Test
    void thereIsNoEventWithoutArming() {
        deliver(1);
        assertFalse(channel.await(0));
        assertFalse(channel.await(SHORT_NS));
        pair.right().receivedOk(1, 8);
    }

    @Test
    void aWaitThatNothingEndsLastsItsTime() {
        long startNs = System.nanoTime();
        receiveCq.arm();
        assertFalse(channel.await(20_000_000));
        long elapsedNs = System.nanoTime() - startNs;
        assertTrue(elapsedNs >= 19_000_000 && elapsedNs < SOON_NS, "elapsedNs=" + elapsedNs);
    }

    @Test
    void anArmedCqMakesOneEventAtItsNextCompletion() {
        receiveCq.arm();
        assertFalse(channel.await(0));
        deliver(1);
        assertTrue(awaitSoon());
        deliver(2);
        assertFalse(channel.await(SHORT_NS), "one event for one arming");
        pair.right().receivedOk(1, 8);
        pair.right().receivedOk(2, 8);
        receiveCq.arm();
        deliver(3);
        assertTrue(awaitSoon());
        pair.right().receivedOk(3, 8);
    }

    @Test
    void theEventIsThereWhenTheCompletionCameBeforeTheWait() {
        receiveCq.arm();
        deliver(1);
        pair.right().receivedOk(1, 8);
        assertTrue(awaitSoon());
    }

    @Test
    void aCompletionFromBeforeArmingMakesNoEvent() {
        assumeTrue(dut.armsFromNow(), "the device tells of what came before, too");
        pair.right().receive(1, 0, 8);
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 8)).signalled());
        awaitSent();
        receiveCq.arm();
        assertFalse(channel.await(SHORT_NS));
        pair.right().receivedOk(1, 8);
        deliver(2);
        assertTrue(awaitSoon(), "it is still armed");
    }

    @Test
    void aDisarmedCqMakesNoEvent() {
        assumeTrue(dut.disarms(), "the device does not take the request of an event back");
        receiveCq.arm();
        receiveCq.disarm();
        deliver(1);
        assertFalse(channel.await(SHORT_NS));
        pair.right().receivedOk(1, 8);
        receiveCq.disarm();
        receiveCq.arm();
        deliver(2);
        assertTrue(awaitSoon());
    }

    @Test
    void armingTwiceMakesOneEvent() {
        receiveCq.arm();
        receiveCq.arm();
        deliver(1);
        assertTrue(awaitSoon());
        assertFalse(channel.await(SHORT_NS));
    }

    @Test
    void eachOfTwoCqsOnAChannelWakesIt() {
        receiveCq.arm();
        sendCq.arm();
        deliver(1);
        assertTrue(awaitSoon());
        pair.left().receive(2, 0, 8);
        pair.right().post(SendRequest.send(3, pair.right().sge(0, 8)).signalled());
        assertTrue(awaitSoon());
        pair.right().sentOk(3, WcOpcode.SEND);
    }

    @Test
    void anErrorCompletionMakesAnEvent() {
        pair.right().receive(1, 0, 8);
        receiveCq.arm();
        pair.right().qp.error();
        assertTrue(awaitSoon());
        pair.right().receivedFails(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void anErrorThatThePeerCausedMakesAnEvent() {
        pair.right().receive(1, 0, 4);
        receiveCq.arm();
        pair.left().post(SendRequest.send(2, pair.left().sge(0, 8)));
        assertTrue(awaitSoon());
        pair.right().receivedFails(1, WcStatus.LOC_LEN_ERR);
        assertEquals(QueuePairState.ERR, pair.right().qp.state());
    }

    @Test
    void wakeupEndsTheWaitOfNow() {
        AtomicInteger begun = new AtomicInteger();
        Background<Boolean> waiter = Background.start("waiter", () -> {
            begun.set(1);
            return awaitSoon();
        });
        Deadline.until("begin", () -> begun.get() == 1);
        channel.wakeup();
        waiter.join(60);
    }

    @Test
    void wakeupEndsTheNextWaitAndNotTheOneAfter() {
        channel.wakeup();
        awaitSoon();
        long startNs = System.nanoTime();
        channel.await(10_000_000);
        assertTrue(System.nanoTime() - startNs >= 9_000_000, "the wake-up was used twice");
    }

    @Test
    void wakeupsFromManyThreadsDoNotBlockAndDoNotPileUp() {
        List<Background<Integer>> wakers = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            wakers.add(Background.start("waker-" + thread, () -> {
                for (int i = 0; i < 25_000; i++) {
                    channel.wakeup();
                }
                return 0;
            }));
        }
        wakers.forEach(waker -> waker.join(60));
        awaitSoon();
        int early = 0;
        long startNs = System.nanoTime();
        while (channel.await(2_000_000) || System.nanoTime() - startNs < 1_900_000) {
            early++;
            assertTrue(early < 10, "100000 wake-ups ended many waits");
            startNs = System.nanoTime();
        }
    }

    @Test
    void aStalledSendGoesOnWhileItsOwnerWaits() {
        sendCq.arm();
        pair.right().post(SendRequest.send(1, pair.right().sge(0, 8)).signalled());
        assertFalse(sendCq.poll(new WorkCompletion()), "there is no receive yet");
        Background<Boolean> waiter = Background.start("waiter", this::awaitSoon);
        pair.left().receive(2, 0, 8);
        assertTrue(waiter.join(60));
        pair.right().sentOk(1, WcOpcode.SEND);
    }

    @Tag("slow")
    @Test
    void noWakeUpIsLostInThousandsOfRounds() {
        int rounds = Pace.rounds(dut.rounds(5_000));
        long seed = Pattern.seed("noWakeUpIsLostInThousandsOfRounds");
        AtomicInteger taken = new AtomicInteger();
        PostReceive receive = pair.right().qp.prepareReceive(ReceiveRequest.of(0, pair.right().sge(0, 8)));
        for (int i = 0; i < 32; i++) {
            assertEquals(1, receive.wrId(0, i).execute());
        }
        Background<Integer> consumer = Background.start("consumer", () -> consume(receive, rounds, taken));
        SplittableRandom random = new SplittableRandom(seed);
        End left = pair.left();
        PostSend call = left.qp.prepareSend(SendRequest.send(0, left.sge(0, 8)));
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(60_000);
        for (int n = 0; n < rounds && !consumer.isDone(); n++) {
            call.wrId(0, n).signalled(0, n % 16 == 15);
            assertEquals(1, call.execute());
            if (n % 16 == 15) {
                while (!left.sends.cq().poll(wc)) {
                    deadline.turn(wc::toString);
                }
            }
            while (taken.get() <= n && !consumer.isDone()) {
                deadline.turn(() -> "the consumer stopped at " + taken);
            }
            for (int spin = random.nextInt(400); spin > 0; spin--) {
                Thread.onSpinWait();
            }
        }
        assertEquals(rounds, consumer.join(60));
    }

    /** Poll, arm, poll again, wait: the loop of every consumer that sleeps. */
    private int consume(PostReceive call, int rounds, AtomicInteger taken) {
        WorkCompletion wc = new WorkCompletion();
        for (int n = 0; n < rounds; n++) {
            while (!receiveCq.poll(wc)) {
                receiveCq.arm();
                if (receiveCq.poll(wc)) {
                    receiveCq.disarm();
                    break;
                }
                long startNs = System.nanoTime();
                channel.await(LONG_NS);
                assertTrue(System.nanoTime() - startNs < SOON_NS, "lost wake-up in round " + n);
            }
            assertTrue(wc.succeeded() && wc.wrId() == n, wc + " in round " + n);
            assertEquals(1, call.wrId(0, n + 32).execute());
            taken.set(n + 1);
        }
        return rounds;
    }

    @Test
    void aClosedChannelMayBeClosedAgain() {
        EventChannel other = rig.left.device.createChannel();
        other.close();
        other.close();
    }
}
