package org.jvrpc.runtime;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the clients of a server, of whatever protocol: looks at what one says, asks whether it is admitted, and only
 * then commits memory to it, in proportion to what is granted. Control thread.
 */
final class Acceptor {

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    /** What servers of different protocols do differently. */
    interface Server {

        /** Returns the address, for messages. */
        String address();

        /** Returns why nobody is taken now, or null. */
        String unavailable();

        /** Returns the longest body or frame that the server takes. */
        long maxBytes();

        /**
         * Makes a session, which owns link and domain when this returns.
         *
         * @param asked with what the client takes, and as many units as are granted
         * @return what is told the connection when there is one
         */
        Consumer<Connection> session(long id, Hello asked, Link link, SessionDomain domain);
    }

    private final Server server;
    private final Protocol protocol;
    private final Device device;
    private final EventChannel channel;
    private final Admission admission;
    private final SessionBudget budget;
    private final AtomicLong ids = new AtomicLong();

    /** @param channel of the thread that polls the sessions */
    Acceptor(
            Server server,
            Protocol protocol,
            Device device,
            EventChannel channel,
            Admission admission,
            SessionBudget budget) {
        this.server = server;
        this.protocol = protocol;
        this.device = device;
        this.channel = channel;
        this.admission = admission;
        this.budget = budget;
    }

    void accept(ConnectionRequest request) {
        Undo undo = new Undo();
        try {
            Hello hello = Hello.decode(request.privateData());
            check(Status.UNAVAILABLE, server.unavailable());
            check(Status.FAILED_PRECONDITION, Hello.refusal(hello, protocol));
            check(Status.RESOURCE_EXHAUSTED, ask(request));
            serve(request, hello, undo);
        } catch (ConnectionException e) {
            LOG.info("{}: a client left before it was served: {}", server.address(), e.getMessage());
            undo.run();
        } catch (RpcException e) {
            undo.run();
            refuse(request, e.status(), e.getMessage());
        } catch (RuntimeException | Error e) {
            undo.run();
            LOG.warn("{} cannot serve a client", server.address(), e);
            refuse(request, Status.RESOURCE_EXHAUSTED, "server cannot: " + e.getMessage());
        }
    }

    private static void check(Status status, String refusal) {
        if (refusal != null) {
            throw new RpcException(status, refusal);
        }
    }

    private String ask(ConnectionRequest request) {
        try {
            return admission.refusal(request.peerHost());
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: admission of {} failed", server.address(), request.peer(), e);
            return "server cannot say whether it admits this client: " + e;
        }
    }

    private void serve(ConnectionRequest request, Hello hello, Undo undo) {
        SessionBudget.Share share = undo.keep(budget.admit(request.peer()));
        Hello asked = share.grant(hello, Link::bytes);
        SessionDomain domain = undo.keep(new SessionDomain(device, share));
        Link link = undo.keep(new Link(
                device, domain.pd(), channel, asked.units(), asked.unitBytes(), protocol.receives(asked.units())));
        long id = ids.incrementAndGet();
        Consumer<Connection> session = server.session(id, asked, link, domain);
        session.accept(request.accept(link.qp(), asked.grant(server.maxBytes(), id).encode(), channel));
    }

    private void refuse(ConnectionRequest request, Status status, String why) {
        LOG.info("{} refuses a client: {}", server.address(), why);
        request.reject(Hello.refuse(status, why, device.maxAnswerBytes()));
    }
}
