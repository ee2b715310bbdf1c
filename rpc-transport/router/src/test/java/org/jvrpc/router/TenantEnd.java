package org.jvrpc.router;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A device of a tenant with one QP. One thread. */
final class TenantEnd implements AutoCloseable {

    final Device device;
    final EventChannel channel;
    final ProtectionDomain pd;
    final QueuePair qp;
    final MemoryRegion mr;
    private final CompletionQueue cq;
    private final WorkCompletion wc = new WorkCompletion();
    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    TenantEnd(Device device) {
        this.device = keep(device);
        this.channel = keep(device.createChannel());
        this.pd = keep(device.allocatePd());
        this.cq = keep(device.createCq(CompletionQueueAttributes.ofDepth(16)));
        this.qp = keep(pd.createQp(new QueuePairAttributes(cq, cq)));
        this.mr = keep(pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE));
        qp.init();
    }

    private <T extends AutoCloseable> T keep(T child) {
        made.push(child);
        return child;
    }

    Listener listen(String address) {
        return keep(device.listen(address, channel));
    }

    Connection connect(String address) {
        return keep(device.connect(address, qp, new byte[0], channel, Waits.limitNs()));
    }

    Connection accept(Listener listener) {
        ConnectionRequest[] found = new ConnectionRequest[1];
        Waits.until("somebody to connect", () -> (found[0] = listener.poll()) != null);
        return accept(found[0]);
    }

    Connection accept(ConnectionRequest request) {
        return keep(request.accept(qp, new byte[0]));
    }

    void receive(int offset, int length) {
        PostReceive call = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(mr, offset, length)));
        call.execute();
        call.free();
    }

    void send(int offset, int length) {
        PostSend call = qp.prepareSend(SendRequest.send(2, Sge.of(mr, offset, length)).signalled());
        call.execute();
        call.free();
    }

    /** Waits for a completion. */
    WcStatus completion() {
        Waits.until("a completion", () -> cq.poll(wc));
        return wc.status();
    }

    @Override
    public void close() {
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
