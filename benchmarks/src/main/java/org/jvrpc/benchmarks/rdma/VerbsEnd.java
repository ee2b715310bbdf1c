package org.jvrpc.benchmarks.rdma;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/**
 * One end: a QP with 32 receives, a CQ for sends and one for receives, and memory. The C loop has the same.
 *
 * <pre>
 * 0        slots of receives, 64 bytes each
 * 2048     what is sent, or where a READ or an atomic puts its result
 * 2112     what the peer writes, reads and swaps
 * 4096     more
 * </pre>
 */
final class VerbsEnd implements AutoCloseable {

    static final int DEPTH = 32;
    static final int SLOT = 64;
    static final int OUT = DEPTH * SLOT;
    static final int PEERS = OUT + SLOT;

    private static final int BYTES = 4096;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    final MemoryRegion region;
    final ByteBuffer memory;
    final QueuePair qp;
    /** Where {@link #PEERS} is in the peer's memory, once connected. */
    long remoteAddress;
    int rkey;

    private final Device device;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final PostReceive receive;
    private final WorkCompletion wc = new WorkCompletion();
    private int spare = DEPTH - 1;

    /** @param more bytes of memory, behind those of all */
    VerbsEnd(String address, int more) {
        device = Devices.open(address);
        ProtectionDomain pd = device.allocatePd();
        sendCq = device.createCq(CompletionQueueAttributes.ofDepth(DEPTH));
        receiveCq = device.createCq(CompletionQueueAttributes.ofDepth(2 * DEPTH));
        region = pd.allocate(BYTES + more, ALL);
        memory = region.buffer(0, BYTES + more);
        qp = pd.createQp(new QueuePairAttributes(sendCq, receiveCq).depth(DEPTH, DEPTH).sges(1, 1)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 10_000));
        qp.init();
        receive = qp.prepareReceive(ReceiveRequest.of(0, Sge.of(region, 0, SLOT)));
        for (int slot = 0; slot < DEPTH - 1; slot++) {
            postReceive(slot);
        }
    }

    /** Tells the peer where this end is and connects to where it is. Both are ready when it returns. */
    void connect(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] own = qp.endpoint();
        out.writeInt(own.length);
        out.write(own);
        out.writeLong(region.address() + PEERS);
        out.writeInt(region.rkey());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] peer = in.readNBytes(in.readInt());
        remoteAddress = in.readLong();
        rkey = in.readInt();
        qp.connect(peer);
        out.writeByte(1);
        in.readByte();
    }

    Sge out(int length) {
        return Sge.of(region, OUT, length);
    }

    private void postReceive(int slot) {
        accepted(receive.wrId(0, slot).offset(0, 0, (long) slot * SLOT).execute());
    }

    /** Posts the receive that was taken last anew. */
    void postReceive() {
        postReceive(spare);
    }

    static void accepted(int count) {
        if (count != 1) {
            throw new IllegalStateException("the queue is full");
        }
    }

    /** Polls until a message has come, and returns where it lies in {@link #memory}. */
    int receive() {
        await(receiveCq);
        if (wc.byteLength() != Verb.SIZE) {
            throw new IllegalStateException("message of bytes=" + wc.byteLength());
        }
        spare = (int) wc.wrId();
        return spare * SLOT;
    }

    /** Polls until the send that was posted is complete. */
    void reap() {
        await(sendCq);
    }

    /** Looks for a message once, and so has a device go on that needs calls for it. */
    void look() {
        receiveCq.poll(wc);
    }

    /** Returns true when a send that was posted is found complete. */
    boolean isReaped() {
        boolean found = sendCq.poll(wc);
        if (found) {
            checkSuccess();
        }
        return found;
    }

    private void await(CompletionQueue cq) {
        while (!cq.poll(wc)) {
            // Without a pause, as perftest and the C loop: an emulated processor takes long over one.
        }
        checkSuccess();
    }

    private void checkSuccess() {
        if (!wc.succeeded()) {
            throw new IllegalStateException("completion failed: " + wc);
        }
    }

    /** Makes a message of what lies at {@link #OUT}. */
    SendRequest message() {
        return SendRequest.send(0, out(Verb.SIZE));
    }

    @Override
    public void close() {
        device.close();
    }
}
