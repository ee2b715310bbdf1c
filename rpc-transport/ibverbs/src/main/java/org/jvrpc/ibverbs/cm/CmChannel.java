package org.jvrpc.ibverbs.cm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.ibverbs.binding.CmLayouts;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.LibRdmacm;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.EventSource;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code struct rdma_event_channel}: the events of the ids of one {@link RdmaEventChannel}. Any thread. */
final class CmChannel implements EventSource {

    private static final Logger LOG = LoggerFactory.getLogger(CmChannel.class);

    private final LibRdmacm cm = Libraries.rdmacm();
    private final Map<Long, CmHandler> handlers = new ConcurrentHashMap<>();
    private final Native pointer = Native.allocate(8);
    private final int fd;
    private long address;
    private int ids;
    private boolean ended;

    private CmChannel() {
        address = cm.rdma_create_event_channel();
        if (address == 0) {
            throw NativeException.of("create_event_channel", Libraries.errno(), "rdma_cm",
                    "is the module rdma_ucm loaded (modprobe rdma_ucm), and may this user open"
                            + " /dev/infiniband/rdma_cm?");
        }
        fd = Native.intAt(address + CmLayouts.CmChannel.FD);
        LibC c = Libraries.c();
        c.fcntl(fd, LibC.F_SETFL, c.fcntl(fd, LibC.F_GETFL, 0) | LibC.O_NONBLOCK);
    }

    /** Returns the one that belongs to a channel. @throws VerbsException when it is closed, or rdma_cm is not there */
    static CmChannel of(RdmaEventChannel channel) {
        return (CmChannel) channel.connections(CmChannel::new);
    }

    /** Returns librdmacm. */
    LibRdmacm cm() {
        return cm;
    }

    /** Returns the address of the struct, for an id that {@link #adopt} counts. */
    synchronized long address() {
        return address;
    }

    /** Counts an id: the struct lives as long as one does. */
    synchronized void adopt() {
        if (ended) {
            throw new VerbsException("create_id", "event channel is closed");
        }
        ids++;
    }

    /** Names the handler of an id. */
    void handler(long id, CmHandler handler) {
        handlers.put(id, handler);
    }

    /** Forgets the handler of an id. */
    void forget(long id) {
        handlers.remove(id);
    }

    /** Ends what {@link #adopt} began. */
    synchronized void abandon() {
        ids--;
        destroyIfUnused();
    }

    @Override
    public synchronized void channelClosed() {
        ended = true;
        destroyIfUnused();
    }

    private void destroyIfUnused() {
        if (ended && ids == 0 && address != 0) {
            cm.rdma_destroy_event_channel(address);
            address = 0;
        }
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public boolean handle() {
        boolean awaited = false;
        for (Found found = next(); found != null; found = next()) {
            try {
                awaited |= found.deliver();
            } catch (RuntimeException e) {
                LOG.warn("event type={} of a connection: {}", found.event.type(), e.toString());
            }
        }
        return awaited;
    }

    /** An event, and whom it is for. */
    private record Found(CmEvent event, CmHandler handler, LibRdmacm cm) {

        boolean deliver() {
            if (handler != null) {
                return handler.event(event);
            }
            if (event.type() == CmEvent.CONNECT_REQUEST) {
                cm.rdma_destroy_id(event.id()); // the listener is gone: the kernel refuses for it
            }
            return false;
        }
    }

    /** Takes an event. The id cannot be freed, nor its address be another's, before the event is acknowledged. */
    private synchronized Found next() {
        if (address == 0 || cm.rdma_get_cm_event(address, pointer.address()) != 0) {
            return null;
        }
        long at = pointer.getLong(0);
        CmEvent event = CmEvent.at(at);
        long owner = event.type() == CmEvent.CONNECT_REQUEST
                ? Native.pointerAt(at + CmLayouts.CmEvent.LISTEN_ID) : event.id();
        CmHandler handler = handlers.get(owner);
        cm.rdma_ack_cm_event(at);
        return new Found(event, handler, cm);
    }
}
