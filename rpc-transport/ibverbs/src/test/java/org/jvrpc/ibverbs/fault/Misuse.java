package org.jvrpc.ibverbs.fault;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/**
 * What a new user does wrong, each by name. A misuse may be refused by an exception that says so, or do nothing; it may
 * not crash, hang, or throw what speaks of a defect.
 */
final class Misuse {

    private static final int SECONDS = 20;
    private static final int MANY_POLLS = 10_000;

    private interface Act {
        void run(Device device, String driver) throws Exception;
    }

    private Misuse() {
    }

    private static Map<String, Act> all() {
        Map<String, Act> all = new LinkedHashMap<>();
        all.put("close everything twice, the device first", Misuse::closeDeviceFirst);
        all.put("use a buffer after its region is closed", Misuse::useBufferLate);
        all.put("poll and arm a closed CQ", Misuse::useClosedCq);
        all.put("post to a closed QP", Misuse::postToClosedQp);
        all.put("post, poll and connect on a closed device", Misuse::useQueuesOfClosedDevice);
        all.put("make things on a closed device", Misuse::makeOnClosedDevice);
        all.put("make things in a closed domain", Misuse::makeInClosedDomain);
        all.put("wait on a closed channel", Misuse::waitOnClosedChannel);
        all.put("close a channel that is waited on", (device, driver) -> Races.closeWhileAwaited(device, false));
        all.put("close a device whose channel is waited on", (device, driver) -> Races.closeWhileAwaited(device, true));
        all.put("close a channel before its CQ", Misuse::closeChannelBeforeCq);
        all.put("close a CQ that is polled", Races::closeWhilePolled);
        all.put("close a QP that is posted to", Races::closeWhilePosted);
        all.put("close a device that is in use", Races::closeDeviceInUse);
        all.put("close a QP before its connection, and all twice", Misuse::closeQpBeforeConnection);
        all.put("forget regions of 256 KiB", Misuse::makeGarbage);
        all.put("forget a buffer that is registered", Misuse::forgetRegisteredBuffer);
        return all;
    }

    /** Does all, one after the other, each on a device of its own; says what it begins and how it ended. */
    static void runAll(String driver) {
        int wrong = 0;
        for (Map.Entry<String, Act> act : all().entrySet()) {
            Parent.say("DOING " + act.getKey());
            try (Device device = Devices.open("rdma://10.9.0.1:0?device=rxe0&driver=" + driver)) {
                act.getValue().run(device, driver);
                Parent.say("DONE " + act.getKey());
            } catch (Throwable t) {
                wrong++;
                Parent.say("WRONG " + act.getKey() + ": " + t + " at " + List.of(t.getStackTrace()));
            }
        }
        Parent.say("ALL wrong=" + wrong);
    }

    interface Step {
        void run() throws Exception;
    }

    /** Does what may be refused, by an exception that a user can understand. */
    static void mayRefuse(Step step) {
        try {
            step.run();
        } catch (VerbsException | IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            if (e.getMessage() == null || e.getMessage().isBlank()) {
                throw new AssertionError("a refusal without a word", e);
            }
        } catch (Exception e) {
            throw new AssertionError("not a refusal: " + e, e);
        }
    }

    /** Does what has to be refused. */
    private static void mustRefuse(String what, Step step) {
        try {
            step.run();
        } catch (VerbsException | IllegalStateException e) {
            return;
        } catch (Exception e) {
            throw new AssertionError(what + ": not a refusal: " + e, e);
        }
        throw new AssertionError(what + " is not refused");
    }

    static void collect() {
        for (int i = 0; i < 2; i++) {
            System.gc();
        }
    }

    static Node connectedToItself(Device device) {
        Node node = new Node(device, 4096);
        node.qp.connect(node.qp.endpoint());
        return node;
    }

    static PostSend send(Node node) {
        return node.qp.prepareSend(SendRequest.send(1, Sge.of(node.mr, 0, 64)).signalled());
    }

    static PostReceive receive(Node node) {
        return node.qp.prepareReceive(ReceiveRequest.of(1, Sge.of(node.mr, 64, 64)));
    }

    private static void closeDeviceFirst(Device device, String driver) {
        Node node = connectedToItself(device);
        EventChannel channel = device.createChannel();
        Listener listener = device.listen("rdma://10.9.0.1:23300", channel);
        receive(node).execute();
        send(node).execute();
        device.close();
        for (int i = 0; i < 2; i++) {
            mayRefuse(node.mr::close);
            mayRefuse(node.pd::close);
            mayRefuse(node.receives::close);
            mayRefuse(node.sends::close);
            mayRefuse(node.qp::close);
            mayRefuse(channel::close);
            mayRefuse(listener::close);
            mayRefuse(device::close);
            collect();
        }
    }

    private static void useBufferLate(Device device, String driver) {
        ProtectionDomain pd = device.allocatePd();
        MemoryRegion mr = pd.allocate(1 << 16, Node.ALL);
        ByteBuffer buffer = mr.buffer(0, 1 << 16);
        mr.close();
        for (int i = 0; i < 3; i++) {
            collect();
            for (int at = 0; at < buffer.capacity(); at += 4096) {
                buffer.putLong(at, buffer.getLong(at) + 1);
            }
        }
        mayRefuse(() -> mr.buffer(0, 8).putLong(0, 1));
        mr.close();
        pd.close();
    }

    private static void useClosedCq(Device device, String driver) {
        WorkCompletion wc = new WorkCompletion();
        EventChannel channel = device.createChannel();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(channel));
        cq.close();
        collect();
        for (int i = 0; i < MANY_POLLS; i++) {
            mayRefuse(() -> cq.poll(wc));
        }
        mayRefuse(cq::arm);
        mayRefuse(cq::disarm);
        cq.close();
        ProtectionDomain pd = device.allocatePd();
        mustRefuse("a QP on a closed CQ", () -> pd.createQp(new QueuePairAttributes(cq, cq)));
        channel.close();
        pd.close();
    }

    private static void postToClosedQp(Device device, String driver) {
        Node node = connectedToItself(device);
        PostSend send = send(node);
        PostReceive receive = receive(node);
        receive.execute();
        node.qp.close();
        collect();
        mustRefuse("a send to a closed QP", send::execute);
        mustRefuse("a receive to a closed QP", receive::execute);
        mayRefuse(() -> send(node).execute());
        mayRefuse(node.qp::error);
        mayRefuse(node.qp::init);
        mayRefuse(node.qp::endpoint);
        mayRefuse(() -> node.qp.connect(new byte[36]));
        mayRefuse(node.qp::state);
        node.sends.poll(node.wc);
        node.receives.poll(node.wc);
        node.close();
    }

    private static void useQueuesOfClosedDevice(Device device, String driver) {
        Node node = connectedToItself(device);
        Node fresh = new Node(device, 4096);
        PostSend send = send(node);
        PostReceive receive = receive(node);
        receive.execute();
        device.close();
        collect();
        mustRefuse("a send on a closed device", send::execute);
        mustRefuse("a receive on a closed device", receive::execute);
        for (int i = 0; i < MANY_POLLS; i++) {
            mayRefuse(() -> node.receives.poll(node.wc));
        }
        mayRefuse(node.qp::error);
        mayRefuse(node.qp::state);
        mayRefuse(() -> fresh.qp.connect(fresh.qp.endpoint()));
        mayRefuse(() -> node.mr.buffer(0, 8).putLong(0, 1));
        node.close();
        fresh.close();
    }

    private static void makeOnClosedDevice(Device device, String driver) {
        Node node = new Node(device, 4096);
        EventChannel channel = device.createChannel();
        device.close();
        collect();
        mustRefuse("a domain", device::allocatePd);
        mustRefuse("a CQ", () -> device.createCq(CompletionQueueAttributes.ofDepth(8)));
        mustRefuse("a channel", device::createChannel);
        mustRefuse("a listener", () -> device.listen("rdma://10.9.0.1:23301", channel));
        mustRefuse("a connection", () -> device.connect(
                "rdma://10.9.0.2:23302", node.qp, new byte[0], channel, 1_000_000_000L));
        mustRefuse("a region", () -> node.pd.allocate(4096, 0));
        mustRefuse("a QP", () -> node.pd.createQp(new QueuePairAttributes(node.sends, node.receives)));
        mustRefuse("an SRQ", () -> node.pd.createSrq(new SharedReceiveQueueAttributes(8, 1)));
        node.close();
    }

    private static void makeInClosedDomain(Device device, String driver) {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8));
        ProtectionDomain pd = device.allocatePd();
        pd.close();
        collect();
        mustRefuse("a region", () -> pd.allocate(4096, 0));
        mustRefuse("a buffer", () -> pd.register(ByteBuffer.allocateDirect(4096), Access.LOCAL_WRITE));
        mustRefuse("a QP", () -> pd.createQp(new QueuePairAttributes(cq, cq)));
        mustRefuse("an SRQ", () -> pd.createSrq(new SharedReceiveQueueAttributes(8, 1)));
        pd.close();
        cq.close();
    }

    private static void waitOnClosedChannel(Device device, String driver) {
        EventChannel channel = device.createChannel();
        channel.close();
        mayRefuse(() -> channel.await(0));
        mayRefuse(() -> channel.await(50_000_000));
        mayRefuse(channel::wakeup);
        mustRefuse("a CQ on a closed channel",
                () -> device.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(channel)));
        mustRefuse("a listener on a closed channel", () -> device.listen("rdma://10.9.0.1:23303", channel));
        channel.close();
    }

    private static void closeChannelBeforeCq(Device device, String driver) {
        EventChannel channel = device.createChannel();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8).withChannel(channel));
        cq.arm();
        channel.close();
        mayRefuse(cq::arm);
        mayRefuse(() -> cq.poll(new WorkCompletion()));
        cq.close();
        channel.close();
    }

    private static void closeQpBeforeConnection(Device device, String driver) throws Exception {
        Device peer = Devices.open("rdma://10.9.0.2:0?device=rxe1&driver=" + driver);
        EventChannel left = device.createChannel();
        EventChannel right = peer.createChannel();
        Listener listener = peer.listen("rdma://10.9.0.2:23305", right);
        Node client = new Node(device, 4096);
        Node server = new Node(peer, 4096);
        Node spare = new Node(peer, 4096);
        Background<Connection> accepting = Background.start("server", () -> {
            ConnectionRequest request = FaultMain.awaitRequest(listener, right);
            spare.qp.close();
            mustRefuse("accepting with a closed QP", () -> request.accept(spare.qp, new byte[0]));
            return request.accept(server.qp, new byte[0]);
        });
        Connection connection = device.connect(listener.address(), client.qp, new byte[0], left, 10_000_000_000L);
        Connection accepted = accepting.join(SECONDS);
        client.qp.close();
        left.await(0);
        Background<?> other = Background.start("closing", () -> {
            connection.close();
            return null;
        });
        connection.close();
        other.join(SECONDS);
        Deadline deadline = Deadline.usual();
        while (accepted.isConnected()) {
            right.await(10_000_000);
            deadline.turn(() -> "the peer does not notice");
        }
        right.close();
        for (int i = 0; i < 2; i++) {
            for (AutoCloseable closed : new AutoCloseable[] {
                accepted, listener, server.qp, client, server, spare, left, right, peer}) {
                closed.close();
            }
        }
    }

    private static void makeGarbage(Device device, String driver) {
        ProtectionDomain pd = device.allocatePd();
        ByteBuffer[] late = new ByteBuffer[16];
        for (int i = 0; i < 300; i++) {
            MemoryRegion mr = pd.allocate(256 << 10, Access.LOCAL_WRITE);
            late[i % late.length] = mr.buffer(0, 256 << 10);
            late[i % late.length].putLong(0, i);
            mr.close();
            if (i % 100 == 0) {
                collect();
            }
        }
        for (ByteBuffer buffer : late) {
            buffer.putLong(128 << 10, 1);
        }
        pd.close();
    }

    /** Memory that a peer may still write must not become somebody else's. */
    private static void forgetRegisteredBuffer(Device ignored, String driver) {
        Device device = Devices.open("rdma://10.9.0.1:0?device=rxe0&driver=" + driver);
        WeakReference<ByteBuffer> buffer = register(device.allocatePd());
        device = null;
        collect();
        if (buffer.get() == null) {
            throw new AssertionError("a buffer was freed that the device may still write");
        }
    }

    private static WeakReference<ByteBuffer> register(ProtectionDomain pd) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        pd.register(buffer, Node.ALL);
        return new WeakReference<>(buffer);
    }
}
