package org.jvrpc.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
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
    private final Admission admission;
    private final QueueBudget queueBudget;
    private final Device device;
    private final ProtectionDomain pd;
    private final MessagePoller poller;
    private final ControlThread control;
    private final AtomicLong ids = new AtomicLong();
    private volatile String address;
    private volatile Listener listener;
    private volatile boolean stopping;

    private MessageServer(Builder builder) {
        this.address = builder.address;
        this.handlers = builder.handlers;
        this.maxFrameBytes = builder.maxFrameBytes;
        this.admission = builder.admission;
        this.queueBudget = new QueueBudget(builder.queuedBytes, builder.allQueuedBytes);
        String name = address.replaceFirst("^.*://", "");
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(address));
            this.pd = device.allocatePd();
            this.control = new ControlThread("jvrpc-message-control-" + name, new Control(), device);
            this.listener = control.listen(address);
            this.poller = new MessagePoller(device.createChannel(), builder.idler(), name,
                    session -> control.bury(session::bury), this::close);
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
            MessageServer.this.accept(request);
        }

        @Override
        public void deviceIsGone() {
            close();
        }
    }

    private void accept(ConnectionRequest request) {
        MessageHello hello = MessageHello.decode(request.privateData());
        String refusal = MessageHello.refusal(hello);
        if (refusal != null) {
            refuse(request, Status.FAILED_PRECONDITION, refusal);
            return;
        }
        refusal = Admission.ask(admission, request);
        if (refusal != null) {
            refuse(request, Status.RESOURCE_EXHAUSTED, refusal);
            return;
        }
        Undo undo = new Undo();
        try {
            int window = hello.window();
            Link link = undo.keep(new Link(
                    device, pd, poller.channel(), window, hello.pieceBytes(), window + Link.CONTROLS));
            long id = ids.incrementAndGet();
            MessageHello agreed = new MessageHello(
                    MessageHeader.VERSION, window, hello.pieceBytes(), hello.maxFrameBytes(), id);
            MessageHello granted = new MessageHello(
                    MessageHeader.VERSION, window, hello.pieceBytes(), maxFrameBytes, id);
            MessageLink session = new MessageLink(link, agreed, maxFrameBytes, handlers.get(),
                    queueBudget, poller::wake);
            Connection connection = request.accept(link.qp(), granted.encode(), poller.channel());
            session.connected(connection);
            poller.add(session);
        } catch (ConnectionException e) {
            LOG.info("{}: a client left before it was served: {}", address, e.getMessage());
            undo.run();
        } catch (RuntimeException | Error e) { // also of the user's handler
            LOG.warn("{} cannot serve a client: {}", address, e.toString());
            undo.run();
            request.reject(Hello.refuse(Status.RESOURCE_EXHAUSTED, "server cannot: " + e.getMessage(),
                    device.maxAnswerBytes()));
        }
    }

    private void refuse(ConnectionRequest request, Status status, String why) {
        LOG.info("{} refuses a client: {}", address, why);
        request.reject(Hello.refuse(status, why, device.maxAnswerBytes()));
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
