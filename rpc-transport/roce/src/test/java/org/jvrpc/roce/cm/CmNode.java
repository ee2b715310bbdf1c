package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Req;

/** A manager, and what it sent. */
final class CmNode {

    static final int PORT = 7471;
    static final int QPN = 0x4711;
    static final byte[] NONE = {};

    /** A message on its way. */
    record Message(ByteBuffer mad, CmPeer from, CmPeer to) {

        int attribute() {
            return Mad.attribute(mad);
        }
    }

    final CmPeer self;
    final ConnectionManager manager;
    final ArrayDeque<Message> sent = new ArrayDeque<>();
    long sentCount;

    CmNode(int host, IntSupplier random, CmSettings settings) {
        self = new CmPeer(Gid.of(new byte[] {10, 0, (byte) (host >> 8), (byte) host}), 4791);
        manager = new ConnectionManager(this::send, settings, random, host);
    }

    CmNode(int host) {
        this(host, new Random(host)::nextInt, CmSettings.defaults());
    }

    private void send(ByteBuffer mad, CmPeer to) {
        sentCount++;
        sent.add(new Message(ByteBuffer.allocate(Mad.BYTES).put(0, mad, 0, Mad.BYTES), self, to));
    }

    void listen() {
        manager.listen(Req.serviceId(PORT), "listener");
    }

    CmConnection connect(CmNode to, long nowNs) {
        return manager.connect(request(to, PORT), to.self, "client", nowNs);
    }

    ConnectRequest request(CmNode to, int port) {
        return new ConnectRequest(0, 0, Req.serviceId(port), 0, QPN + (int) self.gid().low() % 256, 0x123456, 16, 16, 5,
                7, 7, 14, false, 1234, self.gid(), to.self.gid(), new byte[] {1, 2});
    }

    boolean accept(CmConnection c, long nowNs) {
        return manager.accept(c, new ConnectReply(0, 0, 0, 0, QPN, 0x654321, 16, 16, 7, false, new byte[] {3}), nowNs);
    }

    /** Hands a message over. */
    void receive(Message message, long nowNs) {
        manager.receive(message.mad(), message.from(), nowNs);
    }

    /** Hands all over that another sent. */
    void receiveAll(CmNode from, long nowNs) {
        for (Message m = from.sent.poll(); m != null; m = from.sent.poll()) {
            receive(m, nowNs);
        }
    }

    CmEvent event() {
        return manager.poll();
    }

    List<Integer> attributes() {
        List<Integer> found = new ArrayList<>();
        sent.forEach(m -> found.add(m.attribute()));
        return found;
    }
}
