package org.jvrpc.ibverbs.cm;

import java.lang.ref.Reference;
import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.ibverbs.binding.LibRdmacm;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one device for its removal, by an id that is bound to it and does nothing else: rdma_cm tells ids, and the
 * kernel then waits until no process has the device open. librdmacm is one who has: it opens a device that it has found
 * once and keeps it, also when nothing of it is in use. Lives as long as the device. Any thread.
 */
final class RemovalWatch implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(RemovalWatch.class);
    private static final ConcurrentHashMap<String, RemovalWatch> WATCHES = new ConcurrentHashMap<>();
    private static final int LOOKS = 150;
    private static final int LOOKS_PER_COLLECTION = 3;
    private static final long LOOK_NS = 100_000_000;

    private final String device;
    private final LibRdmacm cm = Libraries.rdmacm();
    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
    private final Object identity;
    private long channel;
    private long id;

    private RemovalWatch(String device) {
        this.device = device;
        this.identity = RxeLink.identity(device);
    }

    /**
     * Has something run when a device is removed, by a thread of the watch. Where librdmacm or its module is missing
     * nothing is watched, and verbs work as well.
     *
     * @param host an address of the device
     */
    static void add(String device, InetAddress host, Runnable listener) {
        try {
            WATCHES.compute(device, (name, old) -> {
                RemovalWatch watch = old != null ? old : new RemovalWatch(name).start(host);
                if (watch != null) {
                    watch.listeners.add(listener);
                }
                return watch;
            });
        } catch (VerbsException e) {
            LOG.debug("device {} is not watched for its removal: {}", device, e.getMessage());
        }
    }

    /** Ends what {@link #add} began. */
    static void remove(String device, Runnable listener) {
        RemovalWatch watch = WATCHES.get(device);
        if (watch != null) {
            watch.listeners.remove(listener);
        }
    }

    /**
     * Watches all devices: librdmacm opens them all when it is asked which there are.
     *
     * @return false when one has no address yet, by which it could be watched
     */
    private static boolean addAll() {
        boolean all = true;
        for (String name : RdmaContext.names()) {
            if (!WATCHES.containsKey(name)) {
                try (RdmaContext context = RdmaContext.open(name, 1, -1)) {
                    if (context.port().gid().isIpv4()) {
                        add(name, context.port().gid().ipv4(), () -> { });
                    } else {
                        all = false;
                    }
                } catch (VerbsException e) {
                    LOG.debug("device {} cannot be watched: {}", name, e.getMessage());
                }
            }
        }
        return all;
    }

    /** Returns null when there is nothing to watch with: then connections alone tell. */
    private RemovalWatch start(InetAddress host) {
        channel = cm.rdma_create_event_channel();
        if (channel == 0) {
            return null;
        }
        Native out = Native.allocate(8);
        boolean bound = false;
        if (cm.rdma_create_id(channel, out.address(), 0, LibRdmacm.RDMA_PS_TCP) == 0) {
            id = out.getLong(0);
            Native address = SocketAddress.of(host, 0);
            bound = cm.rdma_bind_addr(id, address.address()) == 0;
            Reference.reachabilityFence(address);
        }
        if (!bound) {
            LOG.debug("device {} cannot be watched for its removal: errno={}", device, Libraries.errno());
            release();
            return null;
        }
        Thread thread = new Thread(this, "jvrpc-rdma-removal-" + device);
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void release() {
        if (id != 0) {
            cm.rdma_destroy_id(id);
        }
        cm.rdma_destroy_event_channel(channel);
    }

    @Override
    public void run() {
        Native pointer = Native.allocate(8);
        int type = -1;
        while (type != CmEvent.DEVICE_REMOVAL && cm.rdma_get_cm_event(channel, pointer.address()) == 0) {
            type = CmEvent.at(pointer.getLong(0)).type();
            cm.rdma_ack_cm_event(pointer.getLong(0));
        }
        WATCHES.remove(device, this);
        release();
        if (type == CmEvent.DEVICE_REMOVAL) {
            LOG.warn("device {} is being removed", device);
            listeners.forEach(Runnable::run);
            letGo();
        }
    }

    /**
     * Lets the kernel go on, which waits for this process. librdmacm closes what is gone when it is asked for its
     * devices; rings are mapped until the collector has found that nobody holds them. When the kernel tells ids, others
     * can open the device still: that it can be opened does not say that it stays. The next one of its name is another.
     */
    private void letGo() {
        int looks = 0;
        while (looks++ < LOOKS && identity != null && identity.equals(RxeLink.identity(device))) {
            LockSupport.parkNanos(LOOK_NS);
            if (RxeLink.isLeaving(device)) {
                long list = cm.rdma_get_devices(0);
                if (list != 0) {
                    cm.rdma_free_devices(list);
                }
            }
            if (looks % LOOKS_PER_COLLECTION == 0) {
                System.gc();
            }
        }
        while (!addAll() && looks++ < LOOKS) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
