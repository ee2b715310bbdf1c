package org.jvrpc.runtime.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PeerIdentity;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the clients of a server, of whatever protocol: looks at what one says, asks whether it is admitted, and only
 * then commits memory to it, in proportion to what is granted; where the device cannot tell whether somebody is there
 * who gets the answer, once it can. Control thread.
 */
final class Acceptor {

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final ServerTransport.Server server;
    private final Supplier<String> address;
    private final Protocol protocol;
    private final Device device;
    private final EventChannel[] channels;
    private final Clock clock;
    private final Admission admission;
    private final SessionBudget budget;
    private final AtomicLong ids = new AtomicLong();
    private final List<Unproven> unproven = new ArrayList<>();

    /**
     * @param address of the server, for messages
     * @param channels of the threads that poll the sessions
     */
    Acceptor(
            ServerTransport.Server server,
            Supplier<String> address,
            Protocol protocol,
            Device device,
            EventChannel[] channels,
            Clock clock,
            Admission admission,
            SessionBudget budget) {
        this.server = server;
        this.address = address;
        this.protocol = protocol;
        this.device = device;
        this.channels = channels;
        this.clock = clock;
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
            Who who = Who.later(request::peerHost, () -> principal(request.identity()));
            server.admit(who);
            serve(request, hello, who, undo);
        } catch (ConnectionException e) {
            Rare.reached("a client leaves before it is served");
            LOG.info("{}: a client left before it was served: {}", address.get(), e.getMessage());
            undo.run();
        } catch (RpcException e) {
            undo.run();
            refuse(request, e.status(), e.getMessage());
        } catch (RuntimeException | Error e) {
            undo.run();
            Rare.reached("a client cannot be served");
            LOG.warn("{} cannot serve a client", address.get(), e);
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
            LOG.warn("{}: admission of {} failed", address.get(), request.peer(), e);
            return "server cannot say whether it admits this client: " + e;
        }
    }

    private static RpcPrincipal principal(PeerIdentity peer) {
        return peer == null ? null : LocalUsers.process(peer.user(), peer.group(), peer.pid());
    }

    private void serve(ConnectionRequest request, Hello hello, Who who, Undo undo) {
        SessionBudget.Share share = undo.keep(
                request.isProven() ? budget.admit(request.peer()) : budget.expect(request.peer()));
        Hello asked = share.grant(hello, LinkLayout::sessionBytes);
        SessionDomain domain = new SessionDomain(device, share);
        BodyPool bodies = undo.keep(new BodyPool(domain));
        int thread = server.thread(asked.protocol(), this::waiting);
        EventChannel channel = channels[thread];
        LinkSize size = new LinkSize(asked.firstUnits(), asked.units(), asked.unitBytes(),
                asked.protocol().requests(asked.firstUnits()), asked.protocol().requests(asked.units()));
        long bytes = LinkLayout.queueBytes(asked.protocol(), asked.units());
        if (!request.isProven()) {
            makeRoom(bytes);
        }
        LinkSize.Queues queues = undo.keep(size.queues(device, domain, channel));
        long id = ids.incrementAndGet();
        byte[] answer = asked.grant(server.maxBytes(asked.protocol()), id).encode();
        Supplier<VerbsLink> commit = () -> undo.keep(new VerbsLink(clock, device, domain, size, queues));
        if (request.isProven()) {
            VerbsLink link = commit.get();
            link.who(who);
            Runnable session = server.session(id, thread, asked, link, bodies);
            link.connected(request.accept(queues.qp(), answer, channel));
            session.run();
        } else {
            Connection connection = request.accept(queues.qp(), answer, channel);
            unproven.add(new Unproven(connection, thread, bytes, undo, () -> {
                share.enter();
                VerbsLink link = commit.get();
                link.who(who);
                Runnable session = server.session(id, thread, asked, link, bodies);
                link.connected(connection);
                session.run();
            }));
        }
    }

    /** A client that was accepted and has not shown that it is there: what it sends waits for receives. */
    private record Unproven(Connection connection, int thread, long bytes, Undo undo, Runnable begin) {

        void giveUp() {
            undo.keep(connection); // which is closed first: what it is of is not there any more
            undo.run();
        }
    }

    /**
     * Has the queues of those who may not be there take no more than they may: who has most is given up, and the oldest
     * of these, as whoever is there shows it within a round trip.
     */
    private void makeRoom(long bytes) {
        if (unprovenBytes() + bytes > budget.mostExpectedBytes()) {
            settle();
        }
        while (unprovenBytes() + bytes > budget.mostExpectedBytes() && !unproven.isEmpty()) {
            Unproven most = Collections.max(unproven, Comparator.comparingLong(Unproven::bytes));
            unproven.remove(most);
            most.giveUp();
        }
    }

    private long unprovenBytes() {
        return unproven.stream().mapToLong(Unproven::bytes).sum();
    }

    private int waiting(int thread) {
        return (int) unproven.stream().filter(each -> each.thread == thread).count();
    }

    /** Begins the sessions of clients that have shown that they are there, and gives up those that went. */
    boolean settle() {
        boolean any = false;
        for (Iterator<Unproven> all = unproven.iterator(); all.hasNext();) {
            Unproven each = all.next();
            boolean over = !each.connection.isConnected();
            if (over || each.connection.isEstablished()) {
                all.remove();
                any = true;
                if (over) {
                    each.giveUp();
                } else {
                    begin(each);
                }
            }
        }
        return any;
    }

    private void begin(Unproven proven) {
        try {
            check(Status.UNAVAILABLE, server.unavailable());
            proven.begin.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("{} disconnects a client that it cannot serve: {}", address.get(), e.toString());
            proven.giveUp();
        }
    }

    /** The end of the server. */
    void close() {
        unproven.forEach(Unproven::giveUp);
        unproven.clear();
    }

    private void refuse(ConnectionRequest request, Status status, String why) {
        LOG.info("{} refuses a client: {}", address.get(), why);
        request.reject(Hello.refuse(status, why, device.maxAnswerBytes()));
    }
}
