package org.jvrpc.softrnic.crash;

import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
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
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** Operations of a child that receives, connects, or makes and closes things. */
final class Acceptors {

    private static final long CONNECT_NS = 30_000_000_000L;

    private Acceptors() {
    }

    static Runnable receive(Device device, List<String> peer) {
        ShmEnd end = Initiators.connected(device, peer.get(0), new long[0]);
        PostReceive call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, Initiators.SHORT)));
        return () -> take(call, end.receiveCq, end.mr);
    }

    static Runnable sharedReceive(Device device, List<String> peer) {
        ProtectionDomain pd = device.allocatePd();
        EventChannel channel = device.createChannel();
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(8, 1));
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(64).withChannel(channel));
        MemoryRegion mr = pd.allocate(4096, Access.LOCAL_WRITE);
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).sharedReceive(srq));
        qp.init();
        device.connect(peer.get(0), qp, new byte[0], channel, CONNECT_NS);
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(0, Sge.of(mr, 0, Initiators.SHORT)));
        return () -> take(call, cq, mr);
    }

    /** Takes {@link SendScene#MESSAGES} messages, four posted at a time. */
    private static void take(PostReceive call, CompletionQueue cq, MemoryRegion mr) {
        WorkCompletion wc = new WorkCompletion();
        for (int slot = 0; slot < 4; slot++) {
            call.wrId(0, slot).offset(0, 0, 64 * slot).execute();
        }
        for (int taken = 0; taken < SendScene.MESSAGES; taken++) {
            int number = taken;
            Deadline.until("message " + taken, () -> cq.poll(wc));
            if (!wc.succeeded()) {
                throw new IllegalStateException(wc.toString());
            }
            Message.check(mr.buffer(64 * wc.wrId(), Initiators.SHORT), number);
            call.wrId(0, wc.wrId()).offset(0, 0, 64 * wc.wrId()).execute();
        }
    }

    static Runnable connect(Device device, List<String> peer) {
        ShmEnd end = new ShmEnd(device, 4);
        return () -> device.connect(peer.get(0), end.qp, new byte[8], end.channel, CONNECT_NS);
    }

    static Runnable accept(Device device, List<String> peer) {
        EventChannel channel = device.createChannel();
        Listener listener = device.listen(peer.get(0), channel);
        return () -> {
            QueuePair qp = small(device);
            ConnectionRequest[] request = new ConnectionRequest[1];
            Deadline.until("a request", () -> {
                channel.await(1_000_000);
                request[0] = listener.poll();
                return request[0] != null;
            });
            request[0].accept(qp, new byte[0]);
            listener.close();
        };
    }

    static Runnable close(Device device, List<String> peer) {
        ShmEnd end = new ShmEnd(device, 4);
        Connection connection = device.connect(peer.get(0), end.qp, new byte[0], end.channel, CONNECT_NS);
        PostReceive call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, Initiators.SHORT)));
        call.execute();
        return () -> {
            connection.close();
            end.close();
            device.close();
        };
    }

    static Runnable device(Device first, List<String> peer) {
        return () -> {
            Device device = ShmUnderTest.open();
            QueuePair qp = small(device);
            qp.close();
            SharedReceiveQueue srq = device.allocatePd().createSrq(new SharedReceiveQueueAttributes(2, 1));
            srq.prepareReceive(ReceiveRequest.of(1)).execute();
            srq.close();
            device.listen(peer.get(0), device.createChannel()).close();
            device.close();
        };
    }

    /** Makes a QP in INIT with what it needs, in few stores: each entry of a ring takes one. */
    private static QueuePair small(Device device) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(4));
        pd.allocate(64, Access.LOCAL_WRITE).close();
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(4, 4));
        qp.init();
        return qp;
    }
}
