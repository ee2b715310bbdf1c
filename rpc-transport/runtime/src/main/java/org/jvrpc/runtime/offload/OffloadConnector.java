package org.jvrpc.runtime.offload;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a client to the programs that its server offers, and notices when their hosts are gone. Has a thread, from
 * the first offer on, so that no call waits for a connection. Many threads.
 */
public final class OffloadConnector implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OffloadConnector.class);
    private static final long FOREVER_NS = 3_600_000_000_000L;
    private static final long PAUSE_NS = 1_000_000;
    /** Pauses that calls are given to end in. */
    private static final int LAST_PAUSES = 200;

    private final String server;
    private final Device device;
    private final Settings settings;
    private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
    private final List<MethodLookups> lookups = new CopyOnWriteArrayList<>();
    private EventChannel channel;
    private Thread thread;
    private volatile boolean stopped;

    /** @param server its address */
    public OffloadConnector(String server, Device device, Settings settings) {
        this.server = server;
        this.device = device;
        this.settings = settings;
    }

    /** Returns the lookups of a service's methods by their indices; null when there are none. */
    public MethodLookups[] lookups(MethodOffer[] offers, int methods) {
        int connections = settings.offloadConnections();
        if (offers == null || connections == 0) {
            return null;
        }
        MethodLookups[] found = new MethodLookups[methods];
        synchronized (this) {
            if (stopped) {
                return null;
            }
            start();
            for (MethodOffer offer : offers) {
                found[offer.index()] = lookups(offer, connections);
            }
        }
        return found;
    }

    private MethodLookups lookups(MethodOffer offer, int connections) {
        for (MethodLookups known : lookups) {
            if (known.isFor(offer)) {
                return known;
            }
        }
        MethodLookups made = new MethodLookups(this, offer, connections, settings.offloadWaitNs());
        lookups.add(made);
        return made;
    }

    private void start() {
        if (thread == null) {
            channel = device.createChannel();
            thread = settings.environment().threads()
                    .make(this, "jvrpc-offloads-" + server.replaceFirst("^.*://", ""));
            thread.start();
        }
    }

    Clock clock() {
        return settings.environment().clock();
    }

    /** Has a connection made. */
    void join(OffloadedCall call) {
        execute(call::join);
    }

    /** Has the thread do something; nothing once the client is closed. */
    public void execute(Runnable what) {
        if (!stopped) {
            work.add(what);
            channel.wakeup();
        }
    }

    /** The thread only. */
    OffloadClient connect(MethodOffer offer) {
        return OffloadClient.connect(device, offer.address(), offer.name(), offer.answerBytes(), channel,
                settings.connectTimeoutNs());
    }

    /** Returns how many calls programs answered. */
    public long answered() {
        long sum = 0;
        for (MethodLookups known : lookups) {
            sum += known.answered();
        }
        return sum;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                for (Runnable next = work.poll(); next != null && !stopped; next = work.poll()) {
                    next.run();
                }
                if (!stopped) {
                    channel.await(FOREVER_NS);
                }
            } catch (RuntimeException | Error e) {
                if (!stopped) {
                    LOG.error("offloads of {}", server, e);
                    clock().parkNanos(this, PAUSE_NS);
                }
            }
        }
    }

    /** Ends the thread, and has no call touch a connection later: the device may end, with the memory of all. */
    @Override
    public void close() {
        stop();
        int pauses = 0;
        for (MethodLookups known : lookups) {
            while (!known.retire() && pauses++ < LAST_PAUSES) {
                clock().parkNanos(this, PAUSE_NS);
            }
        }
    }

    /** Ends the thread. Connections end with the device. */
    public void stop() {
        Thread last;
        synchronized (this) {
            stopped = true;
            last = thread;
        }
        if (last != null) {
            channel.wakeup();
            try {
                last.join(5000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
