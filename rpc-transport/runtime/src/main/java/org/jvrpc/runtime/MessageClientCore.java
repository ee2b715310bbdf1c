package org.jvrpc.runtime;

import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** What is behind the front door of a message client: its device and its session. One thread, but for wakeup. */
final class MessageClientCore implements AutoCloseable {

    private static final int BATCH = 32;

    private final Device device;
    private final EventChannel channel;
    private final MessageLink session;
    private boolean begun;
    private boolean closed;

    /** Connects. */
    MessageClientCore(String address, MessageHandler handler, Hello hello, long timeoutNs) {
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(address));
            this.channel = device.createChannel();
            SessionDomain domain = undo.keep(new SessionDomain(device, null));
            Link link = undo.keep(new Link(device, domain.pd(), channel, hello.units(), hello.unitBytes(),
                    Protocol.MESSAGES.receives(hello.units())));
            Connection connection = undo.keep(device.connect(
                    address, link.qp(), hello.encode(), channel, timeoutNs));
            Hello granted = Hello.decode(connection.privateData());
            if (hello.mismatch(granted) != null) {
                throw new ConnectionException(
                        Reason.VERSION, address + " " + hello.mismatch(granted), null);
            }
            this.session = new MessageLink(link, domain, granted, (int) hello.maxBytes(), handler,
                    QueueBudget.UNLIMITED, granted.session(), channel::wakeup);
            session.connected(connection);
        } catch (ConnectionException e) {
            undo.run();
            throw e.reason() == Reason.REJECTED ? Hello.refused(e) : e;
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    MessageSession session() {
        return session;
    }

    /** Takes what came and calls the handler; returns how much there was to do. */
    int poll() {
        if (!begun) {
            begun = true;
            session.handler().opened(session);
        }
        return session.isOver() ? 0 : session.poll(BATCH);
    }

    /** As {@link #poll()}, and sleeps where there is nothing to do. */
    int poll(long timeoutNs) {
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

    void arm() {
        session.link().arm();
    }

    void disarm() {
        session.link().disarm();
    }

    void await(long timeoutNs) {
        channel.await(timeoutNs);
    }

    /** Any thread. */
    void wakeup() {
        channel.wakeup();
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
