package org.jvrpc.offload.lookup;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A host of one client that has a table without a program: lookups wait until they are taken, and none finds anything.
 * Closed with its device.
 */
final class BareHost {

    private static final int REQUEST = 64;
    private static final int NUMBER = 32;

    private final String address = SharedMemoryFolder.freshAddress();
    private final EventChannel arrivals;
    private final Listener listener;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion data;
    private final MemoryRegion own;
    private final WorkCompletion wc = new WorkCompletion();
    private volatile LookupHello.Request hello;

    BareHost(Device device) {
        arrivals = device.createChannel();
        listener = device.listen(address, arrivals);
        ProtectionDomain pd = device.allocatePd();
        cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(16, 4));
        qp.init();
        data = pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ);
        IndexHeader.publish(data.buffer(0, IndexHeader.BYTES), 0, data.address() + 64, 4);
        own = pd.allocate(2 * REQUEST, Access.LOCAL_WRITE);
    }

    /** Connects its client. */
    OffloadClient connect(Device device, EventChannel channel, long timeoutNs) {
        CompletableFuture<Void> accepting = CompletableFuture.runAsync(() -> accept(timeoutNs));
        try {
            return OffloadClient.connect(device, address, "any", 64, channel, timeoutNs);
        } finally {
            accepting.join();
            listener.close();
        }
    }

    private void accept(long timeoutNs) {
        long startNs = System.nanoTime();
        ConnectionRequest request = listener.poll();
        while (request == null && System.nanoTime() - startNs < timeoutNs) {
            arrivals.await(timeoutNs);
            request = listener.poll();
        }
        if (request != null) {
            hello = LookupHello.Request.decode(request.privateData());
            try {
                request.accept(qp, new LookupHello.Answer(
                        LookupKind.HASH_GET.ordinal(), data.rkey(), data.address(), 1).encode());
            } catch (ConnectionException e) {
                // the client was in a hurry, which it says itself
            }
        }
    }

    /** Takes a lookup, of now or to come. */
    void take() {
        qp.prepareReceive(ReceiveRequest.of(0, new Sge(own.address(), REQUEST, own.lkey()))).execute();
    }

    /** Answers the lookup that was taken, if it is there; returns whether it was. */
    boolean answer() {
        if (!cq.poll(wc)) {
            return false;
        }
        ByteBuffer memory = own.buffer(0, 2 * REQUEST);
        memory.putLong(REQUEST, memory.getLong(NUMBER));
        qp.prepareSend(SendRequest.write(0, hello.address(), hello.rkey(),
                new Sge(own.address() + REQUEST, 8, own.lkey()))).execute();
        return true;
    }

    /** Has the table be there no more for who reads it. */
    void withdraw() {
        data.close();
    }
}
