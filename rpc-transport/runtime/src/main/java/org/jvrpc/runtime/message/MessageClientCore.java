package org.jvrpc.runtime.message;

import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.counters.write.FrameCounters;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.verbs.ClientDevice;

/** What is behind the front door of a message client: its device and its session. One thread, but for wakeup. */
public final class MessageClientCore implements AutoCloseable {

    private static final int BATCH = 32;

    /** The longest that a client that closes waits for what it sent to be taken. */
    private static final long LEAVE_NS = 1_000_000_000;
    private static final long LOOK_NS = 20_000;

    private final Clock clock;
    private final ClientTransport device;
    private final FrameSession session;
    /** Null where nothing is counted. */
    private final Endpoint counters;
    private boolean begun;
    private boolean closed;

    /** Connects. */
    public MessageClientCore(
            String address, MessageHandler handler, Hello hello, long timeoutNs, boolean counted) {
        this(Environment.SYSTEM, address, handler, hello, timeoutNs, counted);
    }

    /** As the other, by a clock and threads of whoever makes it, and not counted. */
    public MessageClientCore(
            Environment environment, String address, MessageHandler handler, Hello hello, long timeoutNs) {
        this(environment, address, handler, hello, timeoutNs, false);
    }

    private MessageClientCore(Environment environment, String address, MessageHandler handler, Hello hello,
            long timeoutNs, boolean counted) {
        this.clock = environment.clock();
        this.device = ClientDevice.open(address, environment);
        try {
            Connected made = device.connect(hello, timeoutNs);
            Hello granted = made.granted();
            this.session = new FrameSession(clock, made.link(), made.bodies(), granted,
                    (int) hello.maxBytes(), handler, QueueBudget.UNLIMITED, granted.session(), device.events()::wakeup);
            this.counters = counted ? Endpoint.ofMessages(false, address) : null;
            session.countBy(FrameCounters.of(counters, granted.session(), address, granted.units()));
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    public MessageSession session() {
        return session;
    }

    /** Takes what came and calls the handler; returns how much there was to do. */
    public int poll() {
        if (!begun) {
            begun = true;
            session.handler().opened(session);
        }
        return session.isOver() ? 0 : session.poll(BATCH);
    }

    /** As {@link #poll()}, and sleeps where there is nothing to do. */
    public int poll(long timeoutNs) {
        int work = poll();
        if (work > 0 || session.isOver()) {
            return work;
        }
        arm();
        work = poll();
        if (work == 0) {
            await(timeoutNs);
            work = poll();
        }
        disarm();
        return work;
    }

    public void arm() {
        session.link().arm();
    }

    public void disarm() {
        session.link().disarm();
    }

    public void await(long timeoutNs) {
        if (counters != null) {
            counters.sleeps();
        }
        device.events().await(timeoutNs);
    }

    /** Any thread. */
    public void wakeup() {
        device.events().wakeup();
    }

    /** Ends the session at once, when the peer has what was sent. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.end(null);
            awaitLeft(session.link());
            session.bury();
            device.close();
            Endpoint.close(counters);
        }
    }

    /**
     * A peer on another host may have no receives yet for what it was sent right after it was connected. What comes
     * meanwhile is taken, and is nobody's: the answer that all was taken lies behind it, and a socket that is closed
     * with bytes unread is reset. On this host that is waited for which found no room.
     */
    private void awaitLeft(Link link) {
        long startNs = clock.nanoTime();
        while (link.failure() == null && link.isConnected() && !hasLeft(link)
                && clock.nanoTime() - startNs < LEAVE_NS) {
            if (forget(link) < BATCH) {
                clock.parkNanos(this, LOOK_NS);
            }
            if (Thread.currentThread().isInterrupted()) {
                return; // it would not sleep
            }
        }
    }

    /** Takes what comes to a session that has ended, and sends what found no room; returns how much came. */
    private int forget(Link link) {
        synchronized (session) { // as senders do
            int count = 0;
            while (count < BATCH && link.poll()) {
                count++;
            }
            if (link.isBehind()) {
                link.catchUp();
            }
            return count;
        }
    }

    private static boolean hasLeft(Link link) {
        return link.peerHost() == null ? !link.isBehind() : link.hasLeft();
    }
}
