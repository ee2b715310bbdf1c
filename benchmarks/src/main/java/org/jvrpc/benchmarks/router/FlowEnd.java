package org.jvrpc.benchmarks.router;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/** A tenant's device with one QP that WRITEs to a {@link Sink}, over and over the same bytes. One thread. */
final class FlowEnd implements AutoCloseable {

    private static final long PATIENCE_NS = 30_000_000_000L;
    private static final int LEAST_DEPTH = 16;

    private final Device device;
    private final CompletionQueue cq;
    private final PostSend chain;
    private final int length;
    private final WorkCompletion wc = new WorkCompletion();
    private int free;

    /**
     * Connects.
     *
     * @param address of the sink, with the folder of the tenant that this is
     * @param bytes of each WRITE
     * @param depth WRITEs that may be under way, a multiple of {@code length}
     * @param length WRITEs that are posted at once; the last of them is signalled
     */
    FlowEnd(String address, int bytes, int depth, int length) {
        this.length = length;
        this.free = depth;
        device = Devices.open(address);
        EventChannel channel = device.createChannel();
        ProtectionDomain pd = device.allocatePd();
        cq = device.createCq(CompletionQueueAttributes.ofDepth(Math.max(LEAST_DEPTH, depth / length)));
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(Math.max(LEAST_DEPTH, depth), LEAST_DEPTH)
                .sges(1, 1));
        MemoryRegion region = pd.allocate(bytes, Access.LOCAL_WRITE);
        qp.init();
        ByteBuffer where = ByteBuffer.wrap(
                device.connect(address, qp, new byte[0], channel, PATIENCE_NS).privateData());
        SendRequest write = SendRequest.write(0, where.getLong(), where.getInt(), Sge.of(region, 0, bytes));
        SendRequest[] all = new SendRequest[length];
        Arrays.fill(all, write);
        all[length - 1] = write.signalled();
        chain = qp.prepareSend(all);
    }

    /** Posts WRITEs; false when as many are under way as may be. */
    boolean post() {
        if (free < length) {
            return false;
        }
        if (chain.execute() != length) {
            throw new IllegalStateException("the queue is full");
        }
        free -= length;
        return true;
    }

    /** Returns how many WRITEs are found complete, 0 for none. */
    int reap() {
        if (!cq.poll(wc)) {
            return 0;
        }
        if (!wc.succeeded()) {
            throw new IllegalStateException("completion failed: " + wc);
        }
        free += length;
        return length;
    }

    /** Waits until as many as were posted at once are complete: the router may have this processor, too. */
    void await() {
        while (reap() == 0) {
            Thread.yield();
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
