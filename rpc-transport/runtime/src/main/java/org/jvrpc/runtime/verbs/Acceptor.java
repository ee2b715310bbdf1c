package org.jvrpc.runtime.verbs;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.transport.Admittance;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PeerIdentity;
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
    private final Device device;
    private final EventChannel[] channels;
    private final Clock clock;
    private final Admittance admittance;
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
        this.device = device;
        this.channels = channels;
        this.clock = clock;
        this.admittance = new Admittance(server, address, protocol, admission, budget);
        this.budget = budget;
    }

    void accept(ConnectionRequest request) {
        admittance.admit(new Applicant(request));
    }

    /** Who asks for a connection of the device. */
    private final class Applicant implements Admittance.Applicant {

        private final ConnectionRequest request;

        Applicant(ConnectionRequest request) {
            this.request = request;
        }

        @Override
        public Hello hello() {
            return Hello.decode(request.privateData());
        }

        @Override
        public InetAddress host() {
            return request.peerHost();
        }

        @Override
        public String peer() {
            return request.peer();
        }

        @Override
        public boolean isProven() {
            return request.isProven();
        }

        @Override
        public Who who() {
            return Who.later(request::peerHost, () -> principal(request.identity()));
        }

        @Override
        public Protocol.Cost cost() {
            return LinkLayout::sessionBytes;
        }

        @Override
        public void serve(Hello granted, SessionBudget.Share share, Who who, Undo undo) {
            try {
                Acceptor.this.serve(request, granted, share, who, undo);
            } catch (ConnectionException e) {
                throw new Admittance.LeftException(e);
            }
        }

        @Override
        public int mostRefusalBytes() {
            return device.maxAnswerBytes();
        }

        @Override
        public void refuse(byte[] why) {
            request.reject(why);
        }
    }

    private static RpcPrincipal principal(PeerIdentity peer) {
        return peer == null ? null : LocalUsers.process(peer.user(), peer.group(), peer.pid());
    }

    private void serve(ConnectionRequest request, Hello asked, SessionBudget.Share share, Who who, Undo undo) {
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
            admittance.expectAvailable();
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
}
