package org.jvrpc.benchmarks.router;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;

/** Memory that others WRITE to: takes all who connect, tells them where it is, and has no work with them then. */
final class Sink implements AutoCloseable {

    private static final int BYTES = 1 << 20;
    private static final int DEPTH = 16;
    private static final long LOOK_NS = 100_000_000;

    private final Device device;
    private final EventChannel channel;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final Listener listener;
    private final byte[] where;
    private volatile boolean running = true;

    /** @param address where it listens, with its tenant's folder */
    Sink(String address) {
        device = Devices.open(address);
        channel = device.createChannel();
        pd = device.allocatePd();
        cq = device.createCq(CompletionQueueAttributes.ofDepth(DEPTH));
        MemoryRegion region = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        where = ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(region.address()).putInt(region.rkey()).array();
        listener = device.listen(address, channel);
        Thread thread = new Thread(this::accept, "sink");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (running) {
            ConnectionRequest request = listener.poll();
            if (request == null) {
                channel.await(LOOK_NS);
                continue;
            }
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(DEPTH, DEPTH).sges(1, 1));
            qp.init();
            try {
                request.accept(qp, where);
            } catch (RuntimeException e) {
                e.printStackTrace(); // whoever asked hears of it, too
                qp.close();
            }
        }
    }

    @Override
    public void close() {
        running = false;
        channel.wakeup();
        device.close();
    }
}
