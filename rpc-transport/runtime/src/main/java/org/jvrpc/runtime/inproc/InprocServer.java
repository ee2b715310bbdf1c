package org.jvrpc.runtime.inproc;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
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
    /** Longest text of a refusal. */
    private static final int REFUSAL_BYTES = 512;

    private final Server server;
    private final Transport.Setup setup;
    private final Clock clock;
    private final InprocEvents arrivalEvents;
    private final List<InprocEvents> events = new ArrayList<>();
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
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
                admit(next);
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
            refuse(next, Status.UNAVAILABLE, "server is shutting down");
        }
    }

    private void admit(Arrival arrival) {
        Undo undo = new Undo();
        try {
            check(Status.UNAVAILABLE, server.unavailable());
            check(Status.FAILED_PRECONDITION, Hello.refusal(arrival.asked(), setup.protocol()));
            check(Status.RESOURCE_EXHAUSTED, ask());
            Who who = Who.later(() -> null, LocalUsers::thisProcess);
            server.admit(who);
            serve(arrival, who, undo);
        } catch (RpcException e) {
            undo.run();
            refuse(arrival, e.status(), e.getMessage());
        } catch (RuntimeException | Error e) {
            undo.run();
            LOG.warn("{} cannot serve a client", address, e);
            refuse(arrival, Status.RESOURCE_EXHAUSTED, "server cannot: " + e.getMessage());
        }
    }

    private static void check(Status status, String refusal) {
        if (refusal != null) {
            throw new RpcException(status, refusal);
        }
    }

    private String ask() {
        try {
            return setup.admission().refusal(null);
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: admission failed", address, e);
            return "server cannot say whether it admits this client: " + e;
        }
    }

    private void serve(Arrival arrival, Who who, Undo undo) {
        SessionBudget.Share share = undo.keep(setup.budget().admit(null));
        Hello asked = share.grant(arrival.asked(), InprocLink::sessionBytes);
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

    private void refuse(Arrival arrival, Status status, String why) {
        LOG.info("{} refuses a client: {}", address, why);
        arrival.answer(new Arrival.Refused(Hello.refuse(status, why, REFUSAL_BYTES)));
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
