package org.jvrpc.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes message sessions at an address. One thread of its own polls all of them and calls their handlers. Any thread.
 */
public final class MessageServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MessageServer.class);

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

    private MessageServer(Builder builder) {
        this.address = builder.address;
        this.handlers = builder.handlers;
        this.maxFrameBytes = builder.maxFrameBytes;
        this.keepAliveNs = builder.keepAliveNs;
        this.queueBudget = new QueueBudget(builder.queuedBytes, builder.allQueuedBytes);
        String name = address.replaceFirst("^.*://", "");
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(address));
            this.control = new ControlThread("jvrpc-message-control-" + name, new Control(), device);
            this.listener = control.listen(address);
            this.poller = new MessagePoller(device.createChannel(), builder.idler(), name, builder.keepAliveNs,
                    session -> control.bury(session::bury), this::close);
            this.acceptor = new Acceptor(new Accepting(), Protocol.MESSAGES, device, poller.channel(),
                    builder.admission, new SessionBudget(builder.limits));
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    /** Begins a server. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a server is made with. One thread. */
    public static final class Builder {

        private String address;
        private Supplier<MessageHandler> handlers;
        private int maxFrameBytes = 16 << 20;
        private IdleStrategy idle = IdleStrategy.ADAPTIVE;
        private Duration spin;
        private Admission admission = Admission.EVERYBODY;
        private SessionLimits limits = new SessionLimits();
        private long keepAliveNs = Settings.DEFAULT_KEEP_ALIVE_NS;
        private long queuedBytes = QueueBudget.SESSION_BYTES;
        private long allQueuedBytes = QueueBudget.SERVER_BYTES;

        private Builder() {
        }

        private Idler idler() {
            return spin == null ? Idler.ofPoller(idle) : Idler.spinning(spin.toNanos());
        }

        /** Sets the address, {@code scheme://…}. */
        public Builder bind(String bindAddress) {
            address = bindAddress;
            return this;
        }

        /** Sets who makes the handler of each session; one for all may be returned each time. */
        public Builder handler(Supplier<MessageHandler> perSession) {
            handlers = perSession;
            return this;
        }

        /** Sets the longest frame that is taken, in bytes, 1 to 1 GiB; default 16 MiB. */
        public Builder maxFrameBytes(int bytes) {
            maxFrameBytes = checkFrame(bytes);
            return this;
        }

        /** Sets who may connect; default everybody. */
        public Builder admission(Admission who) {
            admission = Objects.requireNonNull(who, "admission");
            return this;
        }

        /**
         * Sets how many bytes may be queued for peers that make no room: a session that has a quarter of its share
         * queued takes no more frames until some have left; one beyond its share is ended, and, when all together
         * have more than {@code inAll}, the one with the most is. Its handler is told of an
         * {@link org.jvrpc.api.RpcException} with RESOURCE_EXHAUSTED.
         *
         * @param perSession in bytes, at least 64 KiB, default 64 MiB
         * @param inAll in bytes, at least {@code perSession}, default 256 MiB
         */
        public Builder maxQueuedBytes(long perSession, long inAll) {
            if (perSession < 1 << 16 || inAll < perSession) {
                throw new IllegalArgumentException("maxQueuedBytes must be at least " + (1 << 16)
                        + " for a session and no less in all, perSession=" + perSession + " inAll=" + inAll);
            }
            queuedBytes = perSession;
            allQueuedBytes = inAll;
            return this;
        }

        /** Sets what clients may cost, each and together; see there for the defaults. */
        public Builder limits(SessionLimits sessionLimits) {
            limits = sessionLimits.copy();
            return this;
        }

        /** As {@link RpcServer.Builder#keepAlive}. */
        public Builder keepAlive(Duration idle) {
            keepAliveNs = Settings.checkKeepAlive(idle);
            return this;
        }

        /** Sets how the polling thread waits; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy strategy) {
            idle = Objects.requireNonNull(strategy, "idle");
            return this;
        }

        /**
         * Has the polling thread poll for so long, without yielding, before it sleeps, in place of {@link #idle}: for
         * handlers that leave work to other threads, which want the processors as well.
         */
        public Builder spin(Duration most) {
            spin = Objects.requireNonNull(most, "most");
            return this;
        }

        /**
         * Starts.
         *
         * @throws IllegalArgumentException without an address or handlers
         * @throws VerbsException when the address is in use, or this host has no device for it
         */
        public MessageServer start() {
            if (address == null || handlers == null) {
                throw new IllegalArgumentException("a message server needs bind(address) and handler(…): address="
                        + address);
            }
            MessageServer server = new MessageServer(this);
            server.poller.start();
            server.control.start();
            LOG.info("taking message sessions at {}", address);
            return server;
        }
    }

    static int checkFrame(int bytes) {
        if (bytes < 1 || bytes > 1 << 30) {
            throw new IllegalArgumentException("maxFrameBytes must be 1 to " + (1 << 30) + ", maxFrameBytes=" + bytes);
        }
        return bytes;
    }

    /** Returns the address, null after {@link #unbind()}. */
    public String address() {
        return address;
    }

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    public synchronized void unbind() {
        if (listener != null) {
            LOG.info("no new message sessions at {}", address);
            Listener old = listener;
            listener = null;
            address = null;
            old.close();
        }
    }

    /**
     * Takes new sessions at another address of the same device; sessions go on.
     *
     * @param another {@code scheme://…}
     * @throws VerbsException when it is in use: the old address is given free all the same
     */
    public synchronized void rebind(String another) {
        if (stopping) {
            throw new IllegalStateException("the server is closed, address=" + another);
        }
        unbind();
        listener = control.listen(another);
        address = another;
        LOG.info("taking message sessions at {}", another);
    }

    /** Returns true until it is closed, or its device is gone. */
    public boolean isOpen() {
        return !stopping;
    }

    /** Returns true on the thread that calls the handlers. */
    public boolean isPollingThread() {
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
