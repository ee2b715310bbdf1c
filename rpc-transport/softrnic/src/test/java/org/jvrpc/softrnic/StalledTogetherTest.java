package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.rc.Engine;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** A stalled send that two threads look at: one that polls, and one that waits on the channel or closes the QP. */
final class StalledTogetherTest {

    private static final long TIMER_NS = 1000;
    private static final int SECONDS = 30;

    private final AtomicLong clock = new AtomicLong(7);
    /** What the poller does when it looks at the clock, which it does in the middle of its look at the send. */
    private volatile Runnable inTheMiddle = () -> { };
    private final AtomicReference<Thread> other = new AtomicReference<>();
    private final AtomicInteger reads = new AtomicInteger();
    private SoftDevice device;
    private ShmEnd sender;
    private ShmEnd receiver;
    private volatile Thread poller;

    @BeforeEach
    void stallASend() {
        ShmUnderTest.open().close();
        device = SoftDevice.open(() -> {
            reads.incrementAndGet();
            if (Thread.currentThread() == poller) {
                inTheMiddle.run();
            }
            return clock.get();
        });
        sender = end();
        receiver = end();
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        assertEquals(1, sender.qp.prepareSend(SendRequest.send(1, sender.sge(0, 8))).execute());
        assertTrue(control().engine().isStalled());
        poller = Thread.currentThread();
    }

    @AfterEach
    void close() {
        Background.start("close", () -> { // a lock that nobody lets go of is met here, too
            receiver.close();
            sender.close();
            device.close();
            return 0;
        }).join(SECONDS);
    }

    private ShmEnd end() {
        return new ShmEnd(device, 4, null, device.createChannel(), attributes -> attributes.rnr(1, TIMER_NS));
    }

    private SoftQueuePair control() {
        return (SoftQueuePair) ((Mlx5QueuePair) sender.qp).control();
    }

    /** Starts what another thread does and waits until it waits for the poller. */
    private Background<Integer> meanwhile(Runnable what) {
        inTheMiddle = () -> { };
        Background<Integer> started = Background.start("the other", () -> {
            other.set(Thread.currentThread());
            what.run();
            return 0;
        });
        Deadline.until("the other to wait for the poller", () -> other.get() != null && waitsForAnEngine(other.get()));
        return started;
    }

    private static boolean waitsForAnEngine(Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info != null && info.getThreadState() == Thread.State.BLOCKED
                && info.getLockName().startsWith(Engine.class.getName() + "@");
    }

    @Test
    void aSendThatFailsAsItIsPolledForHoldsUpNobodyWhoWaitsForEvents() {
        AtomicReference<Background<Integer>> waiter = new AtomicReference<>();
        WorkCompletion wc = new WorkCompletion();
        inTheMiddle = () -> waiter.set(meanwhile(() -> control().tick(clock.get())));
        clock.addAndGet(TIMER_NS);
        Background<Boolean> poll = Background.start("poller", () -> {
            poller = Thread.currentThread();
            return sender.sendCq.poll(wc);
        });
        boolean polled = poll.join(SECONDS);
        waiter.get().join(SECONDS);
        assertTrue(polled || sender.sendCq.poll(wc), "the send ended");
        assertEquals(WcStatus.RNR_RETRY_EXC_ERR, wc.status());
        assertEquals(QueuePairState.ERR, sender.qp.state());
        assertFalse(control().engine().isStalled());
    }

    @Test
    void aQueuePairIsClosedBehindAPollThatLooksAtIt() {
        AtomicReference<Background<Integer>> closer = new AtomicReference<>();
        inTheMiddle = () -> closer.set(meanwhile(sender.qp::close));
        assertFalse(sender.sendCq.poll(new WorkCompletion()), "its timer runs");
        closer.get().join(SECONDS);
        assertFalse(control().progress(), "there is nothing of it to look at");
        assertTrue(control().engine().isStalled(), "and nobody did: its memory may be another's");
        int before = reads.get();
        assertFalse(sender.channel.await(0));
        assertEquals(before, reads.get(), "whoever waits tells it the time no more");
    }
}
