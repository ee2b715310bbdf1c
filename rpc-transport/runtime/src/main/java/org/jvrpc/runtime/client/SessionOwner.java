package org.jvrpc.runtime.client;

import java.util.concurrent.ExecutorService;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.DaemonPool;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client as its sessions know it: what they have in common, and who hears of their ends. Which session new calls go
 * to, and what becomes of the others, is left to whoever extends it. Many threads.
 */
public abstract class SessionOwner {

    private static final Logger LOG = LoggerFactory.getLogger(SessionOwner.class);

    private final String address;
    private final Settings settings;
    private final ThreadLocal<Idler> idlers;
    private final ExecutorService allocator;
    private final ClientEvents events;
    /** Null where nothing is counted. */
    private final Endpoint counters;

    /**
     * Makes what sessions share; starts no thread.
     *
     * @param settings nobody else's
     * @param channel where the event thread waits
     */
    @SuppressWarnings("this-escape") // its thread begins later
    protected SessionOwner(String address, Settings settings, Events channel) {
        String server = address.substring(address.indexOf("://") + 3);
        this.address = address;
        this.settings = settings;
        this.counters = settings.counters() ? Endpoint.ofClient(address) : null;
        this.idlers = ThreadLocal.withInitial(() -> Idler.ofCaller(settings.idle(), clock()));
        this.allocator = DaemonPool.make(threads(), 1, "jvrpc-client-memory-" + server + "-");
        this.events = new ClientEvents(this, channel, server);
    }

    /** Returns the address of the server. */
    public final String address() {
        return address;
    }

    /** Returns the settings. */
    public final Settings settings() {
        return settings;
    }

    /** Returns the clock of all of the client's threads. */
    public final Clock clock() {
        return settings.environment().clock();
    }

    /** Returns what makes the client's threads. */
    public final Threads threads() {
        return settings.environment().threads();
    }

    /** Returns the client's event thread. */
    public final ClientEvents events() {
        return events;
    }

    /** Returns where the client counts, or null. */
    public final Endpoint counters() {
        return counters;
    }

    /** Returns the log of what becomes of connections. */
    public final Logger log() {
        return LOG;
    }

    /** A callback threw. */
    final void logCallback(Throwable thrown) {
        try {
            LOG.error("a callback of {} threw", address, thrown);
        } catch (Throwable t) { // no memory, perhaps: others are still to be called
            thrown.addSuppressed(t);
        }
    }

    /** Has memory made that takes long to make. Not after {@link #endAllocating}. */
    final void allocate(Runnable work) {
        allocator.execute(work);
    }

    /** Makes no memory any more. */
    protected final void endAllocating() {
        DaemonPool.end(allocator);
    }

    /** Returns how the current thread waits for answers. */
    public final Idler idlerOfThread() {
        return idlers.get();
    }

    /** Returns what is wrong with the device, for a message; empty when nothing is known. */
    protected abstract String trouble();

    /** A session failed, or takes no new calls any more. Under its lock. */
    protected abstract void lost(ClientSession failed);

    /** Returns the session for new calls, or null. */
    public abstract ClientSession session();

    /**
     * Deals with a session that is lost, and connects again when it is time to. Event thread.
     *
     * @return how long to wait before the next look, in nanoseconds
     */
    protected abstract long repair(ClientSession lost, long nowNs);

    /**
     * Replaces a session whose slots are taken by calls that nobody waits for, when it is time to. Event thread.
     *
     * @return how long to wait before the next look, in nanoseconds
     */
    protected abstract long renew(ClientSession session, long nowNs);

    /** Calls the callbacks that are due. Event thread. */
    protected abstract void callBack();

    /** Looks after the sessions that take no new calls. Event thread. */
    protected abstract void lookAfterDraining();

    /** Returns true while there are sessions that take no new calls. */
    protected abstract boolean isDraining();

    /** Returns true when calls of such sessions are in flight that nobody polls for. */
    protected abstract boolean isDrainUnattended();
}
