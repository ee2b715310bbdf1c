package org.jvrpc.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.verbs.LinkSize;
import org.jvrpc.runtime.verbs.SessionDomain;
import org.jvrpc.runtime.verbs.VerbsLink;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/** Accepts each client, takes what it sends, and never answers. */
public final class SilentServer implements AutoCloseable {

    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = 4096;

    private final String address;
    private final Device device;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean accepted = new AtomicBoolean();
    private final CompletableFuture<Boolean> thread;

    public SilentServer(String address) {
        this.address = address;
        device = Devices.open(address);
        EventChannel channel = device.createChannel();
        Listener listener = device.listen(address, channel);
        thread = Await.start(() -> {
            while (!closed.get()) {
                channel.await(20_000_000);
                ConnectionRequest request = listener.poll();
                if (request != null) {
                    accept(request, channel);
                }
            }
            return true;
        });
    }

    private void accept(ConnectionRequest request, EventChannel channel) {
        VerbsLink link = new VerbsLink(Clock.SYSTEM, device, new SessionDomain(device, null), channel,
                LinkSize.fixed(SLOTS, SLOT_BYTES, Protocol.CALLS.requests(SLOTS)));
        Connection connection = request.accept(link.qp(),
                Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, 1 << 30).grant(1 << 30, 1).encode());
        accepted.set(connection.qp() != null);
    }

    public String address() {
        return address;
    }

    boolean accepted() {
        return accepted.get();
    }

    @Override
    public void close() {
        closed.set(true);
        Await.join(thread);
        device.close();
    }
}
