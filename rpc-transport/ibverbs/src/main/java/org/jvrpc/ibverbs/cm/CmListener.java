package org.jvrpc.ibverbs.cm;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An id that listens. Any thread. */
final class CmListener implements Listener, CmHandler {

    private static final Logger LOG = LoggerFactory.getLogger(CmListener.class);
    private static final int BACKLOG = 512;

    private final ConnectionManager manager;
    private final RdmaEventChannel channel;
    private final CmChannel events;
    private final CmId id;
    private final String address;
    private final Queue<CmRequest> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @throws VerbsException when the address is in use, or none of the device */
    CmListener(ConnectionManager manager, Remote local, RdmaEventChannel channel) {
        this.manager = manager;
        this.channel = channel;
        this.events = CmChannel.of(channel);
        this.id = CmId.create(events, this);
        try {
            id.bind(local.host(), local.port());
            String device = id.device();
            if (device != null && !device.equals(manager.device())) {
                throw new VerbsException("bind_addr", "the address is of device " + device + ", this one is "
                        + manager.device());
            }
            id.listen(BACKLOG);
            this.address = local.port() != 0 ? local.text()
                    : local.text().replaceFirst(":0(\\?|$)", ":" + id.port() + "$1");
        } catch (VerbsException e) {
            id.destroy();
            boolean elsewhere = e instanceof NativeException refused
                    && (refused.errno() == Errno.ENODEV || refused.errno() == Errno.EADDRNOTAVAIL);
            throw new VerbsException("listen", local.text() + ": " + e.getMessage() + (elsewhere
                    ? "; " + local.host().getHostAddress() + " is of no RDMA device here: device " + manager.device()
                            + " is at " + manager.gid() : ""), e);
        }
        manager.keep(this);
    }

    @Override
    public boolean event(CmEvent event) {
        if (event.type() == CmEvent.DEVICE_REMOVAL) {
            LOG.warn("{}: device {} is gone, nobody can connect any more", address, manager.device());
            manager.removed();
            return true;
        }
        if (event.type() != CmEvent.CONNECT_REQUEST) {
            return false;
        }
        CmId peer = CmId.ofRequest(events, event.id());
        CmRequest request = new CmRequest(manager, peer, PrivateBytes.orEmpty(event.privateData()), channel);
        String device = peer.device();
        if (!manager.device().equals(device)) {
            request.reject(("came in by device " + device + ", the server's is " + manager.device())
                    .getBytes(StandardCharsets.UTF_8));
            return false;
        }
        requests.add(request);
        if (closed.get()) {
            dropAll();
        }
        return true;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public ConnectionRequest poll() {
        return requests.poll();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            manager.forget(this);
            events.handle(); // requests that nobody has seen yet: those that come later the kernel refuses
            id.destroy();
            dropAll();
        }
    }

    /** Nobody listens to them any more, which is what they are told: a rejection would be an answer. */
    private void dropAll() {
        for (CmRequest request = requests.poll(); request != null; request = requests.poll()) {
            request.drop();
        }
    }
}
