package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.WorkCompletion;

/** Polls that find nothing. */
final class IdlePollTest {

    /** Of which each 4096th looks at the queue pairs. */
    private static final int POLLS = 64 * 4096;
    private static final int ROUNDS = 5;

    @Test
    void ofASharedQueueAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
            CompletionQueue shared = device.createCq(CompletionQueueAttributes.ofDepth(16));
            ShmEnd sender = new ShmEnd(device, 4);
            ShmEnd receiver = new ShmEnd(device, 4, shared, sender.channel);
            byte[] endpoint = sender.qp.endpoint();
            sender.qp.connect(receiver.qp.endpoint());
            receiver.qp.connect(endpoint);
            WorkCompletion wc = new WorkCompletion();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) { // the first load classes, and the JVM itself may allocate
                long before = threads.getCurrentThreadAllocatedBytes();
                boolean found = false;
                for (int i = 0; i < POLLS; i++) {
                    found |= shared.poll(wc);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                assertFalse(found);
            }
            assertEquals(0, least, "bytes of " + POLLS + " polls");
        }
    }
}
