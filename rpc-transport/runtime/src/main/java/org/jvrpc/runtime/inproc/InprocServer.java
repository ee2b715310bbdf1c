package org.jvrpc.runtime.inproc;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.Admittance;
import org.jvrpc.runtime.transport.ControlThread;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a server is found within its process: a name, and those who want a session. Any thread. */
final class InprocServer implements ServerTransport {

    private static final Logger LOG = LoggerFactory.getLogger(InprocServer.class);
    private static final ConcurrentMap<String, InprocServer> LISTENING = new ConcurrentHashMap<>();
    /** Clients that wait to be taken, beyond which more are refused: each is a thread that waits. */
    private static final int MOST_WAITING = 1 << 10;
    /** By what clients count, all of which are of one peer. */
    private static final String THIS_PROCESS = "process " + ProcessHandle.current().pid();
    /** Longest text of a refusal. */
    private static final int REFUSAL_BYTES = 512;

    private final Server server;
    private final Transport.Setup setup;
    private final Clock clock;
    private final InprocEvents arrivalEvents;
    private final List<InprocEvents> events = new ArrayList<>();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Admittance admittance;
    private final ControlThread control;
    private volatile String address;
    private volatile boolean ended;
    private long ids;

    InprocServer(Server server, Transport.Setup setup) {
        this.server = server;
        this.setup = setup;
        this.clock = setup.environment().clock();
        this.arrivalEvents = new InprocEvents(clock);
        for (int i = 0; i < setup.threads(); i++) {
            events.add(new InprocEvents(clock));
        }
        this.admittance =
                new Admittance(server, this::address, setup.protocol(), setup.admission(), setup.budget());
        this.control = new ControlThread(setup.thread(), new Control(), arrivalEvents, setup.environment());
        listen(setup.address());
    }

    /** Returns who listens at an address, or null. */
    static InprocServer at(String address) {
        return LISTENING.get(address);
    }

    /** Somebody wants a session; false when nobody takes anybody any more, or too many wait. */
    boolean enter(Arrival arrival) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return false;
        }
        arrivals.add(arrival);
        if (ended) {
            refuseAll();
        }
        arrivalEvents.wakeup();
        return true;
    }

    /** What the control thread does for the server. */
    private final class Control implements ControlThread.Server {

        @Override
        public int accept(int most) {
            int count = 0;
            for (Arrival next = next(); next != null; next = count < most ? next() : null) {
                count++;
                admittance.admit(new Applicant(next));
            }
            return count;
        }

        @Override
        public void leave() {
            refuseAll();
        }

        @Override
        public void deviceIsGone() {
            server.deviceIsGone();
        }
    }

    private Arrival next() {
        Arrival next = arrivals.poll();
        if (next != null) {
            waiting.decrementAndGet();
        }
        return next;
    }

    private void refuseAll() {
        for (Arrival next = next(); next != null; next = next()) {
            admittance.refuse(new Applicant(next), Status.UNAVAILABLE, "server is shutting down");
        }
    }

    /** A client of this process. */
    private final class Applicant implements Admittance.Applicant {

        private final Arrival arrival;

        Applicant(Arrival arrival) {
            this.arrival = arrival;
        }

        @Override
        public Hello hello() {
            return arrival.asked();
        }

        @Override
        public InetAddress host() {
            return null;
        }

        @Override
        public String peer() {
            return THIS_PROCESS;
        }

        @Override
        public Who who() {
            return Who.later(() -> null, LocalUsers::thisProcess);
        }

        @Override
        public Protocol.Cost cost() {
            return InprocLink::sessionBytes;
        }

        @Override
        public void serve(Hello granted, SessionBudget.Share share, Who who, Undo undo) {
            InprocServer.this.serve(arrival, granted, share, who, undo);
        }

        @Override
        public int mostRefusalBytes() {
            return REFUSAL_BYTES;
        }

        @Override
        public void refuse(byte[] why) {
            arrival.answer(new Arrival.Refused(why));
        }
    }

    private void serve(Arrival arrival, Hello asked, SessionBudget.Share share, Who who, Undo undo) {
        KeyedBodies bodies = undo.keep(new KeyedBodies(share));
        int thread = server.thread(asked.protocol(), number -> 0);
        Pair pair = new Pair(asked.unitBytes(), arrival.events(), arrival.bodies(), events.get(thread), bodies);
        InprocLink link = new InprocLink(clock, pair.server(),
                new SlotFrames(share, asked.firstUnits(), asked.units(), asked.unitBytes()), asked.unitBytes());
        link.who(who);
        long id = ++ids;
        Runnable session = server.session(id, thread, asked, link, bodies);
        undo.<AutoCloseable>keep(pair::end);
        if (!arrival.answer(new Arrival.Admitted(asked.grant(server.maxBytes(asked.protocol()), id), pair.client()))) {
            LOG.info("{}: a client left before it was served", address);
            pair.end(); // which the session finds
        }
        session.run();
    }

    @Override
    public void start() {
        control.start();
    }

    @Override
    public Device device() {
        return null;
    }

    @Override
    public Events events(int thread) {
        return events.get(thread);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public void listen(String bindAddress) {
        InprocTransport.parse(bindAddress);
        if (LISTENING.putIfAbsent(bindAddress, this) != null) {
            throw new VerbsException("listen", bindAddress + " is in use in this process", null);
        }
        address = bindAddress;
    }

    @Override
    public void unlisten() {
        LISTENING.remove(address, this);
    }

    @Override
    public void bury(Runnable burial) {
        control.bury(burial);
    }

    @Override
    public boolean isControlThread() {
        return control.isCurrent();
    }

    @Override
    public void expectEnd() {
        control.expectEnd();
    }

    @Override
    public void stop() {
        unlisten();
        ended = true;
        control.stop();
        refuseAll();
    }

    @Override
    public void close() {
        unlisten();
        ended = true;
        refuseAll();
    }
}
