package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** The Java side: a device with a CQ and memory with all rights; ends with all that it keeps. One thread. */
final class Local implements AutoCloseable {

    final Device device;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final MemoryRegion mr;
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private final WorkCompletion wc = new WorkCompletion();

    Local(String driver, int bytes) {
        device = keep(Ends.open(driver));
        pd = keep(device.allocatePd());
        cq = keep(device.createCq(CompletionQueueAttributes.ofDepth(1024)));
        mr = keep(pd.allocate(bytes,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC));
    }

    <T extends AutoCloseable> T keep(T resource) {
        kept.push(resource);
        return resource;
    }

    /** What the tools set: retry for ever when no receive is posted, after 0.64 ms. */
    QueuePairAttributes attributes() {
        return new QueuePairAttributes(cq, cq).depth(64, 512)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 640_000);
    }

    /** Waits for the next completion, which has to succeed. Holds until the next one. */
    WorkCompletion await(Tool tool) {
        next(tool);
        assertTrue(wc.succeeded(), () -> wc + "; " + tool);
        return wc;
    }

    /**
     * Waits for the next completion; null when it is that of a send whose acknowledgement was lost, and the tool, which
     * has all that it wants, went meanwhile: nobody answers to what is sent again.
     */
    WorkCompletion awaitUnlessGone(Tool tool) {
        next(tool);
        if (wc.status() == WcStatus.RETRY_EXC_ERR && tool.endedWell()) {
            return null;
        }
        assertTrue(wc.succeeded(), () -> wc + "; " + tool);
        return wc;
    }

    private void next(Tool tool) {
        Deadline deadline = Deadline.usual();
        while (!cq.poll(wc)) {
            deadline.turn(() -> "no completion; " + tool);
        }
    }

    byte[] bytes(long offset, int length) {
        byte[] bytes = new byte[length];
        mr.buffer(offset, length).get(0, bytes);
        return bytes;
    }

    void put(long offset, byte[] bytes) {
        mr.buffer(offset, bytes.length).put(0, bytes);
    }

    @Override
    public void close() {
        RuntimeException first = null;
        while (!kept.isEmpty()) {
            try {
                kept.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                first = first == null ? new IllegalStateException(e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
