package org.jvrpc.runtime.message;

import java.net.InetAddress;
import java.util.function.Supplier;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.counters.write.FrameCounters;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.runtime.verbs.ServerDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is behind the front door of a message server: its device, its threads, and how they begin and end. Any thread.
 */
public final class MessageServerCore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MessageServerCore.class);

    private final Supplier<MessageHandler> handlers;
    private final int maxFrameBytes;
    private final QueueBudget queueBudget;
    private final long keepAliveNs;
    private final Environment environment;
    private final Guard guard;
    private final ServerTransport device;
    private final MessagePoller poller;
    /** Null where nothing is counted. */
    private final Endpoint counters;
    private volatile String address;
    private volatile boolean stopping;

    public MessageServerCore(MessageServerOptions options) {
        this.handlers = options.handlers();
        this.maxFrameBytes = options.maxFrameBytes();
        this.keepAliveNs = options.keepAliveNs();
        this.environment = options.environment();
        this.queueBudget = options.queueBudget();
        String name = options.address().replaceFirst("^.*://", "");
        this.guard = new Guard(options.guard(), environment, "message-" + name);
        Undo undo = new Undo();
        try {
            this.device = undo.keep(ServerDevice.open(new Accepting(), new Transport.Setup(Protocol.MESSAGES,
                    options.address(), 1, "jvrpc-message-control-" + name, options.admission(),
                    new SessionBudget(options.limits()), environment)));
            this.address = device.address();
            this.counters = options.counters() ? undo.keep(Endpoint.ofMessages(true, address)) : null;
            this.poller = new MessagePoller(environment, device.events(0), options.idler(), name, options.keepAliveNs(),
                    session -> device.bury(session::bury), this::close, counters);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    public void start() {
        poller.start();
        guard.start();
        device.start();
        LOG.info("taking message sessions at {}", address);
    }

    /** Returns the address, null after {@link #unbind()}. */
    public String address() {
        return address;
    }

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    public synchronized void unbind() {
        if (address != null) {
            LOG.info("no new message sessions at {}", address);
            address = null;
            device.unlisten();
        }
    }

    /** Takes new sessions at another address of the same device; sessions go on. */
    public synchronized void rebind(String another) {
        if (stopping) {
            throw new IllegalStateException("the server is closed, address=" + another);
        }
        unbind();
        device.listen(another);
        address = device.address();
        LOG.info("taking message sessions at {}", address);
    }

    /** Returns who may have sessions. */
    public Guard guard() {
        return guard;
    }

    /** Returns true until it is closed, or its device is gone. */
    public boolean isOpen() {
        return !stopping;
    }

    /** Returns true on the thread that calls the handlers. */
    public boolean isPollingThread() {
        return Thread.currentThread() == poller.thread();
    }

    /** What the control thread asks of it. */
    private final class Accepting implements ServerTransport.Server {

        @Override
        public String unavailable() {
            return stopping ? "server is closed" : null;
        }

        @Override
        public void admit(Who who) {
            guard.connect(who);
        }

        @Override
        public long maxBytes() {
            return maxFrameBytes;
        }

        @Override
        public Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies) {
            FrameSession session = new FrameSession(environment.clock(),
                    link, bodies, asked, maxFrameBytes, handlers.get(), queueBudget, id, poller::wake);
            session.behind(guard.gate(id, link.who(), session::expel));
            return () -> {
                link.keepAlive(keepAliveNs);
                session.gate().begin(() -> {
                    InetAddress host = link.peerHost();
                    session.countBy(FrameCounters.of(
                            counters, id, host == null ? "" : host.getHostAddress(), asked.units()));
                    poller.add(session);
                });
            };
        }

        @Override
        public void deviceIsGone() {
            close();
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
            device.expectEnd();
            unbind();
        }
        if (isPollingThread() || device.isControlThread()) { // which the end waits for
            environment.threads().make(this::end, "jvrpc-message-end").start();
        } else {
            end();
        }
    }

    private void end() {
        poller.stop();
        device.stop();
        guard.close();
        Endpoint.close(counters);
    }
}
