package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/** A device whose ports do what a test says, and whose clock stands still and is counted. One thread. */
abstract class PortFixture {

    static final int DEPTH = 16;

    final List<WindowedPort> ports = new ArrayList<>();
    final WorkCompletion wc = new WorkCompletion();
    private final AtomicInteger reads = new AtomicInteger();
    final SoftDevice device = open();
    final ProtectionDomain pd = device.allocatePd();
    final EventChannel channel = device.createChannel();

    private SoftDevice open() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        return SoftDevice.open(reads::getAndIncrement, this::makePort);
    }

    WindowedPort makePort(PortQueuePair qp) {
        WindowedPort made = new WindowedPort(qp);
        ports.add(made);
        return made;
    }

    @AfterEach
    void close() {
        device.close();
    }

    static void refused(String why, Executable what) {
        String message = assertThrows(VerbsException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    CompletionQueue cq(EventChannel channel) {
        return device.createCq(CompletionQueueAttributes.ofDepth(DEPTH).withChannel(channel));
    }

    Mlx5QueuePair qp(CompletionQueue sendCq, CompletionQueue receiveCq) {
        Mlx5QueuePair qp =
                (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(sendCq, receiveCq).depth(4, 4));
        qp.init();
        return qp;
    }

    static SoftQueuePair control(Mlx5QueuePair qp) {
        return (SoftQueuePair) qp.control();
    }

    /** Returns a producer that can wake nobody. */
    static CqWriter producer(SoftCompletionQueue cq, int qpn) {
        return new CqWriter(cq.slab(), cq.address(), qpn, () -> { }, false);
    }

    /** Returns true when a wait on a channel tells somebody the time: nobody else has it read the clock. */
    boolean tellsTime(EventChannel channel) {
        int before = reads.get();
        channel.await(0);
        return reads.get() != before;
    }
}
