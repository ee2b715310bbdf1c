package org.jvrpc.runtime.message;

import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.verbs.ClientDevice;

/** What is behind the front door of a message client: its device and its session. One thread, but for wakeup. */
public final class MessageClientCore implements AutoCloseable {

    private static final int BATCH = 32;

    private final ClientDevice device;
    private final FrameSession session;
    private boolean begun;
    private boolean closed;

    /** Connects. */
    public MessageClientCore(String address, MessageHandler handler, Hello hello, long timeoutNs) {
        this(Environment.SYSTEM, address, handler, hello, timeoutNs);
    }

    MessageClientCore(
            Environment environment, String address, MessageHandler handler, Hello hello, long timeoutNs) {
        this.device = new ClientDevice(address, environment.clock());
        try {
            ClientDevice.Connected made = device.connect(hello, timeoutNs);
            Hello granted = made.granted();
            this.session = new FrameSession(environment.clock(), made.link(), made.bodies(), granted,
                    (int) hello.maxBytes(), handler, QueueBudget.UNLIMITED, granted.session(), device.events()::wakeup);
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
        device.events().await(timeoutNs);
    }

    /** Any thread. */
    public void wakeup() {
        device.events().wakeup();
    }

    /** Ends the session at once. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            session.end(null);
            session.bury();
            device.close();
        }
    }
}
