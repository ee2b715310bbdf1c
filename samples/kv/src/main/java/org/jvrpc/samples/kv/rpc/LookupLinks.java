package org.jvrpc.samples.kv.rpc;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;

/**
 * Keeps a client connected to the host of lookups. A thread of its own waits for the end of the connection and makes
 * the next one; the client's thread uses what is there, and hands back what is broken.
 */
final class LookupLinks implements AutoCloseable {

    private static final long CONNECT_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 20_000_000;
    private static final long OWN_PROGRAM_NS = 200_000;
    /** A packet that was lost is sent again far later: a call, whose packets are others, is sooner. */
    private static final long PROGRAM_NS = 5_000_000;
    private static final long LOOK_NS = 1_000_000_000;
    private static final System.Logger LOG = System.getLogger(LookupLinks.class.getName());

    private final KvClient.Settings settings;
    private final Supplier<KvInfo> source;
    private final Device device;
    private final EventChannel channel;
    private final AtomicReference<LookupLink> broken = new AtomicReference<>();
    private final Thread thread;
    private KvInfo info;
    private volatile LookupLink current;
    private volatile boolean stopped;

    /**
     * Connects.
     *
     * @param source asks the server where lookups are; may throw RpcException
     * @throws RpcException UNAVAILABLE when it cannot be connected
     */
    LookupLinks(String address, KvClient.Settings settings, Supplier<KvInfo> source) {
        this.settings = settings;
        this.source = source;
        this.info = source.get();
        if (info.lookups().isEmpty()) {
            throw new RpcException(Status.UNAVAILABLE, address + " has no host of lookups");
        }
        this.device = Devices.open(info.lookups());
        this.channel = device.createChannel();
        try {
            current = connect();
        } catch (VerbsException e) {
            device.close();
            throw new RpcException(Status.UNAVAILABLE, "lookups of " + address + ": " + e.getMessage(), e);
        }
        this.thread = new Thread(this::run, "kv-lookups-" + address.substring(address.indexOf("://") + 3));
        thread.setDaemon(true);
        thread.start();
    }

    private LookupLink connect() {
        int longest = Math.max(info.longestIndexed(), settings.longestRead());
        OffloadClient client = OffloadClient.connect(
                device, info.lookups(), info.lookup(), longest, channel, CONNECT_NS);
        Keys keys = new Keys(info.hashFirst(), info.hashSecond());
        LookupLink link = new LookupLink(client, keys, longest, settings.chained(), programNs());
        link.refresh();
        return link;
    }

    private long programNs() {
        if (settings.programNs() > 0) {
            return settings.programNs();
        }
        return info.lookups().startsWith("shm://") ? OWN_PROGRAM_NS : PROGRAM_NS;
    }

    /** Returns the connection, or null while there is none. */
    LookupLink link() {
        return current;
    }

    /** Hands back a connection that does not work any more. */
    void giveBack(LookupLink link) {
        if (current == link) {
            current = null;
            broken.set(link);
            channel.wakeup();
        }
    }

    private void run() {
        while (!stopped) {
            channel.await(current == null ? PAUSE_NS : LOOK_NS);
            LookupLink old = broken.getAndSet(null);
            if (old != null) {
                old.close();
            }
            if (current == null && !stopped) {
                reconnect();
            }
        }
    }

    private void reconnect() {
        try {
            info = source.get();
        } catch (RpcException e) {
            LOG.log(System.Logger.Level.DEBUG, "no call tells where lookups are now: " + e.getMessage());
        }
        try {
            current = connect();
        } catch (VerbsException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot connect to " + info.lookups() + ": " + e.getMessage());
        }
    }

    /** Disconnects. Idempotent; after it no get may be under way. */
    @Override
    public void close() {
        stopped = true;
        channel.wakeup();
        try {
            thread.join(CONNECT_NS / 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        device.close();
    }
}
