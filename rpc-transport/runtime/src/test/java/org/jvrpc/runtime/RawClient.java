package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Versions;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.verbs.BodyPool;
import org.jvrpc.runtime.verbs.LinkSize;
import org.jvrpc.runtime.verbs.RegionBody;
import org.jvrpc.runtime.verbs.SessionDomain;
import org.jvrpc.runtime.verbs.VerbsLink;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** Speaks the protocol by hand, or something else. One thread. */
public final class RawClient implements AutoCloseable {

    static final int SLOTS = 8;
    static final int SLOT_BYTES = 1024;
    private final Device device;
    private final EventChannel channel;
    private VerbsLink link;
    private BodyPool bodies;
    private Connection connection;

    public RawClient(String address) {
        device = Devices.open(address);
        channel = device.createChannel();
    }

    public static Hello hello(int version, int slots, int slotBytes) {
        return new Hello(Protocol.CALLS, new Versions(version, version), slots, slotBytes, 0, 1 << 30, 0);
    }

    /** Connects, in place of the last connection. */
    public RawClient connect(String address, byte[] privateData) {
        return connect(address, privateData, 10_000_000_000L);
    }

    /** As {@link #connect(String, byte[])}, in so many nanoseconds. */
    RawClient connect(String address, byte[] privateData, long timeoutNs) {
        disconnect();
        SessionDomain domain = new SessionDomain(device, null);
        link = new VerbsLink(Clock.SYSTEM, device, domain, channel,
                LinkSize.fixed(SLOTS, SLOT_BYTES, 2 * SLOTS + Protocol.CONTROLS));
        bodies = new BodyPool(domain);
        try {
            connection = device.connect(address, link.qp(), privateData, channel, timeoutNs);
        } catch (ConnectionException e) {
            disconnect();
            e.addSuppressed(new AssertionError("the server said: " + e.privateText()));
            throw e;
        }
        return this;
    }

    public RawClient connect(String address) {
        return connect(address, hello(RpcHeader.VERSION, SLOTS, SLOT_BYTES).encode());
    }

    void disconnect() {
        if (connection != null) {
            connection.close();
            connection = null;
            channel.await(0); // where closed sockets are let go
        }
        if (link != null) {
            link.close();
            bodies.close();
            link = null;
        }
    }

    VerbsLink link() {
        return link;
    }

    BodyPool bodies() {
        return bodies;
    }

    EventChannel channel() {
        return channel;
    }

    public boolean isConnected() {
        channel.await(0);
        return connection.isConnected() && link.failure() == null;
    }

    /** Sends a message of a slot, its memory up to {@code length} as it is; false when the link is broken. */
    boolean send(int slot, long first, long second, int length) {
        return link.send(slot, first, second, length);
    }

    /** Sends a well-formed request. */
    boolean request(int slot, int generation, int method, int length) {
        return send(slot, RpcHeader.first(RpcHeader.REQUEST, 0, method, RpcHeader.callId(slot, generation)),
                RpcHeader.second(length, 0, 0), length);
    }

    /** Opens a service by slot 0 and returns the number of its first method. */
    int open(ServiceDescriptor<?> service, int generation) {
        return open(link, service, generation);
    }

    /** As {@link #open(ServiceDescriptor, int)}, by any link. */
    static int open(VerbsLink link, ServiceDescriptor<?> service, int generation) {
        sendOpen(link, service, generation);
        awaitMessage(link);
        return link.payload().order(ByteOrder.LITTLE_ENDIAN).getInt(link.payloadOffset() + RpcHeader.BYTES);
    }

    /** Asks for a service to be opened, by slot 0. */
    void sendOpen(ServiceDescriptor<?> service, int generation) {
        sendOpen(link, service, generation);
    }

    private static void sendOpen(VerbsLink link, ServiceDescriptor<?> service, int generation) {
        WireWriter writer = new WireWriter();
        ByteBuffer body = link.body(0);
        writer.reset(body, 0, body.capacity(), (full, needed) -> {
            throw new AssertionError("the opening of " + service.name() + " does not fit in a slot");
        }, null);
        writer.writeString(service.name());
        writer.writeLong(service.fingerprint());
        writer.writeCount(0);
        link.send(0, RpcHeader.first(RpcHeader.REQUEST, 0, RpcHeader.OPEN, RpcHeader.callId(0, generation)),
                RpcHeader.second(writer.length(), 0, 0), writer.length());
    }

    /** Fetches what the peer describes; false when it is refused. */
    boolean fetch(RegionBody into, int length, long source, int key) {
        long number = link.beginFetch(into, 0, length, source, key);
        while (number == 0 && link.failure() == null) {
            number = link.beginFetch(into, 0, length, source, key);
        }
        while (link.failure() == null && !link.isSent(number)) {
            link.reap();
        }
        return link.failure() == null;
    }

    /** Waits for the next message, whose bytes lie in the link. */
    void awaitMessage() {
        awaitMessage(link);
    }

    /** As {@link #awaitMessage()}, of any link. */
    static void awaitMessage(VerbsLink link) {
        long startNs = System.nanoTime();
        while (!link.poll()) {
            if (link.failure() != null || System.nanoTime() - startNs > 10_000_000_000L) {
                throw new AssertionError("no message: " + link.failure());
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        disconnect();
        device.close();
    }
}
