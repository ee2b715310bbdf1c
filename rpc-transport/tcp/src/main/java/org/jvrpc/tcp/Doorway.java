package org.jvrpc.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.transport.Admittance;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.tcp.gzip.GzipWire;
import org.jvrpc.tcp.link.Quietly;
import org.jvrpc.tcp.link.StreamCost;
import org.jvrpc.tcp.link.StreamEvents;
import org.jvrpc.tcp.link.StreamLink;
import org.jvrpc.tcp.link.Wire;
import org.jvrpc.tcp.tls.PlaintextException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who have connected and are about to say who they are. Each has a kilobyte and some seconds; there are few of
 * one source and not many of all, and one more ends the oldest. Who has said it is admitted or refused. Control thread.
 */
final class Doorway {

    private static final Logger LOG = LoggerFactory.getLogger(Doorway.class);
    private static final int MOST = 256;
    private static final int MOST_OF_A_SOURCE = 64;
    private static final long PATIENCE_NS = 10_000_000_000L;
    /** Longest text of a refusal. */
    private static final int REFUSAL_BYTES = 512;

    private final ServerTransport.Server server;
    private final Supplier<StreamAddress> place;
    private final Transport.Setup setup;
    private final StreamEvents arrivals;
    private final List<StreamEvents> events;
    private final List<Guest> guests = new ArrayList<>();
    private final Admittance admittance;
    private final Farewells farewells = new Farewells();
    private long ids;

    /**
     * @param place where the server listens
     * @param arrivals where the control thread waits
     * @param events of the threads that poll sessions
     */
    Doorway(ServerTransport.Server server, Supplier<StreamAddress> place, Transport.Setup setup, StreamEvents arrivals,
            List<StreamEvents> events) {
        this.server = server;
        this.place = place;
        this.setup = setup;
        this.arrivals = arrivals;
        this.events = events;
        this.admittance =
                new Admittance(server, this::address, setup.protocol(), setup.admission(), setup.budget());
    }

    /** Who has not said all. */
    private record Guest(Wire wire, SelectionKey key, InetAddress host, long sinceNs, Greeting greeting) {

        SocketChannel channel() {
            return wire.channel();
        }
    }

    private String address() {
        return place.get().text();
    }

    /** Somebody connected. */
    void enter(SocketChannel channel) {
        SelectionKey key = null;
        try {
            channel.configureBlocking(false);
            place.get().prepare(channel);
            InetAddress host = place.get().peerHost(channel);
            makeRoom(host);
            Wire wire = place.get().serverWire(channel, arrivals::wakeup);
            key = arrivals.register(channel, SelectionKey.OP_READ, null);
            long nowNs = setup.environment().clock().nanoTime();
            guests.add(new Guest(wire, key, host, nowNs, new Greeting()));
        } catch (IOException e) {
            LOG.info("{}: a connection came and went: {}", address(), e.toString());
            drop(channel, key);
        } catch (RuntimeException | Error e) { // no memory, perhaps
            drop(channel, key);
            throw e;
        }
    }

    private void drop(SocketChannel channel, SelectionKey key) {
        if (key != null) {
            arrivals.forget(key);
        }
        closeQuietly(channel);
    }

    private void makeRoom(InetAddress host) {
        List<Guest> same = guests.stream().filter(guest -> Objects.equals(guest.host, host)).toList();
        Guest oldest = same.size() >= MOST_OF_A_SOURCE ? same.get(0) : guests.size() >= MOST ? guests.get(0) : null;
        if (oldest != null) {
            guests.remove(oldest);
            giveUp(oldest, "there are too many who say nothing");
        }
    }

    private void giveUp(Guest guest, String why) {
        LOG.info("{} gives up a connection of {}: {}", address(), guest.host, why);
        leave(guest);
        farewells.add(guest.channel(), setup.environment().clock().nanoTime());
    }

    private void leave(Guest guest) {
        arrivals.forget(guest.key);
    }

    private static void closeQuietly(SocketChannel channel) {
        Quietly.end(channel, channel);
    }

    /** Hears what they say; false where that was nothing. */
    boolean look() {
        boolean any = false;
        long nowNs = setup.environment().clock().nanoTime();
        farewells.look(nowNs);
        for (Iterator<Guest> all = guests.iterator(); all.hasNext();) {
            Guest guest = all.next();
            String trouble = hear(guest);
            if (trouble == null && nowNs - guest.sinceNs > PATIENCE_NS) {
                trouble = "it says nothing";
            }
            if (trouble != null) {
                all.remove();
                giveUp(guest, trouble);
                any = true;
            } else if (guest.greeting.isWhole()) {
                all.remove();
                leave(guest);
                admittance.admit(new Applicant(guest));
                any = true;
            }
        }
        return any;
    }

    /** Returns why it is to go, or null. */
    private static String hear(Guest guest) {
        try {
            int count = 0;
            while (!guest.greeting.isWhole() && guest.greeting.refusal() == null) {
                count = guest.wire.read(guest.greeting.space());
                if (count <= 0) {
                    break;
                }
            }
            return guest.greeting.refusal() != null ? guest.greeting.refusal() : count < 0 ? "it went" : null;
        } catch (PlaintextException e) {
            sayPlainly(guest);
            return e.getMessage();
        } catch (SSLException e) {
            return e.getMessage();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void sayPlainly(Guest guest) {
        try {
            guest.channel().write(Greeting.of(Greeting.REFUSAL, Hello.refuse(Status.FAILED_PRECONDITION,
                    "TLS is spoken here: connect to tls://", REFUSAL_BYTES)));
        } catch (IOException e) {
            LOG.debug("{} went: {}", guest.host, e.toString());
        }
    }

    /** A guest who has said a hello. */
    private final class Applicant implements Admittance.Applicant {

        private final Guest guest;

        Applicant(Guest guest) {
            this.guest = guest;
        }

        @Override
        public Hello hello() {
            Hello said = guest.greeting.kind() == Greeting.HELLO ? Hello.decode(guest.greeting.body()) : null;
            return said == null ? null : said.withGzip(said.gzip() && place.get().takesGzip());
        }

        @Override
        public InetAddress host() {
            return guest.host;
        }

        @Override
        public String peer() {
            return guest.host == null ? null : guest.host.getHostAddress();
        }

        @Override
        public Who who() {
            return place.get().who(guest.wire, guest.host);
        }

        @Override
        public Protocol.Cost cost() {
            long wire = guest.wire.mostBytes();
            return new StreamCost(hello().gzip() ? GzipWire.mostBytesOver(wire) : wire);
        }

        @Override
        public void serve(Hello granted, SessionBudget.Share share, Who who, Undo undo) {
            try {
                Doorway.this.serve(guest, granted, share, who, undo);
            } catch (IOException e) {
                throw new Admittance.LeftException(e);
            }
        }

        @Override
        public int mostRefusalBytes() {
            return REFUSAL_BYTES;
        }

        @Override
        public void refuse(byte[] why) {
            try {
                guest.wire.write(Greeting.of(Greeting.REFUSAL, why));
            } catch (IOException e) {
                LOG.debug("{}: {} went: {}", address(), guest.host, e.toString());
            }
            closeQuietly(guest.channel());
        }

        @Override
        public void left() {
            closeQuietly(guest.channel());
        }
    }

    private void serve(Guest guest, Hello asked, SessionBudget.Share share, Who who, Undo undo) throws IOException {
        KeyedBodies bodies = undo.keep(new KeyedBodies(share));
        int thread = server.thread(asked.protocol(), waiting -> 0);
        StreamLink link = new StreamLink(setup.environment().clock(), events.get(thread),
                asked.gzip() ? new GzipWire(guest.wire) : guest.wire, guest.host,
                new SlotFrames(share, asked.firstUnits(), asked.units(), asked.unitBytes()), bodies,
                asked.unitBytes(), false);
        link.who(who);
        long id = ++ids;
        ByteBuffer answer = Greeting.of(Greeting.HELLO, asked.grant(server.maxBytes(asked.protocol()), id)
                .withGzip(asked.gzip()).encode());
        Runnable session = server.session(id, thread, asked, link, bodies);
        undo.<AutoCloseable>keep(link::disconnect);
        link.begin();
        guest.wire.write(answer);
        if (answer.hasRemaining() || guest.wire.pending() > 0) { // its first bytes find room, or it is no honest peer's
            throw new IOException("no room for an answer");
        }
        session.run();
    }

    /** The end of the server. */
    void close() {
        guests.forEach(guest -> closeQuietly(guest.channel()));
        guests.clear();
        farewells.close();
    }
}
