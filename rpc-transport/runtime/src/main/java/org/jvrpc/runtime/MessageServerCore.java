package org.jvrpc.runtime;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is behind the front door of a message server: its device, its threads, and how they begin and end. Any thread.
 */
final class MessageServerCore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MessageServerCore.class);

    private final Supplier<MessageHandler> handlers;
    private final int maxFrameBytes;
    private final QueueBudget queueBudget;
    private final long keepAliveNs;
    private final Device device;
    private final MessagePoller poller;
    private final ControlThread control;
    private final Acceptor acceptor;
    private volatile String address;
    private volatile Listener listener;
    private volatile boolean stopping;

    MessageServerCore(MessageServerOptions options) {
        this.address = options.address();
        this.handlers = options.handlers();
        this.maxFrameBytes = options.maxFrameBytes();
        this.keepAliveNs = options.keepAliveNs();
        this.queueBudget = options.queueBudget();
        String name = address.replaceFirst("^.*://", "");
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(address));
            this.control = new ControlThread("jvrpc-message-control-" + name, new Control(), device);
            this.listener = control.listen(address);
            this.poller = new MessagePoller(device.createChannel(), options.idler(), name, options.keepAliveNs(),
                    session -> control.bury(session::bury), this::close);
            this.acceptor = new Acceptor(new Accepting(), Protocol.MESSAGES, device, poller.channel(),
                    options.admission(), new SessionBudget(options.limits()));
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    void start() {
        poller.start();
        control.start();
        LOG.info("taking message sessions at {}", address);
    }

    /** Returns the address, null after {@link #unbind()}. */
    String address() {
        return address;
    }

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    synchronized void unbind() {
        if (listener != null) {
            LOG.info("no new message sessions at {}", address);
            Listener old = listener;
            listener = null;
            address = null;
            old.close();
        }
    }

    /** Takes new sessions at another address of the same device; sessions go on. */
    synchronized void rebind(String another) {
        if (stopping) {
            throw new IllegalStateException("the server is closed, address=" + another);
        }
        unbind();
        listener = control.listen(another);
        address = another;
        LOG.info("taking message sessions at {}", another);
    }

    /** Returns true until it is closed, or its device is gone. */
    boolean isOpen() {
        return !stopping;
    }

    /** Returns true on the thread that calls the handlers. */
    boolean isPollingThread() {
        return Thread.currentThread() == poller.thread();
    }

    /** What the control thread does for it. */
    private final class Control implements ControlThread.Server {

        @Override
        public ConnectionRequest poll() {
            Listener now = listener;
            return now == null ? null : now.poll();
        }

        @Override
        public void accept(ConnectionRequest request) {
            acceptor.accept(request);
        }

        @Override
        public void deviceIsGone() {
            close();
        }
    }

    /** What the acceptor does for it. Control thread. */
    private final class Accepting implements Acceptor.Server {

        @Override
        public String address() {
            return address;
        }

        @Override
        public String unavailable() {
            return stopping ? "server is closed" : null;
        }

        @Override
        public long maxBytes() {
            return maxFrameBytes;
        }

        @Override
        public Consumer<Connection> session(long id, Hello asked, Link link, SessionDomain domain) {
            MessageLink session = new MessageLink(
                    link, domain, asked, maxFrameBytes, handlers.get(), queueBudget, id, poller::wake);
            return connection -> {
                session.connected(connection);
                link.keepAlive = KeepAlive.of(connection, link, keepAliveNs);
                poller.add(session);
            };
        }
    }

    /**
     * Ends all sessions and gives the address free; so does the loss of the device. Idempotent; from a handler it
     * returns before all is over.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (stopping) {
                return;
            }
            stopping = true;
            control.expectEnd();
            unbind();
        }
        if (isPollingThread() || control.isCurrent()) { // which the end waits for
            Thread ending = new Thread(this::end, "jvrpc-message-end");
            ending.setDaemon(true);
            ending.start();
        } else {
            end();
        }
    }

    private void end() {
        poller.stop();
        control.stop();
        device.close();
    }
}
