package org.jvrpc.softrnic.router;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.FrameException;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.RouteNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.softrnic.router.wire.Welcome;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's attachment to the router of its host: what it has is said there, and again when the router has another
 * life. QPs do not survive their router; memory, CQs and listeners do, under the same numbers. Any thread.
 */
public final class RouterHost implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RouterHost.class);
    private static final long FIRST_REST_MS = 10;
    private static final long LONGEST_REST_MS = 1000;
    private static final String SOCKET = "s";
    /** Object of a WAKE: the router had no room to say which. */
    private static final int ANY_CQ = -1;

    private final RouterAddress address;
    private final HostDevice device;
    private final SocketReader reader = SocketReader.use();
    /** Guarded by this, as are the next; callers of commands that change them have the monitor while they wait. */
    private final Announced announced;
    private final Map<Integer, Runnable> wakers = new ConcurrentHashMap<>();
    private final Map<Integer, RouterPort> ports = new ConcurrentHashMap<>();
    private final Map<Integer, RouterListener> listeners = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger(1);
    /** Null while there is no router. */
    private volatile Link link;
    private volatile Welcome welcome;
    private volatile boolean closed;

    private RouterHost(RouterAddress address, HostDevice device) {
        this.address = address;
        this.device = device;
        this.announced = new Announced(device);
    }

    /**
     * Attaches a device.
     *
     * @throws VerbsException when there is no router, or it refuses
     */
    public static RouterHost attach(RouterAddress address, HostDevice device) {
        RouterHost host = new RouterHost(address, device);
        try {
            host.link = host.begin();
            return host;
        } catch (RuntimeException | Error e) {
            host.close();
            throw e;
        }
    }

    /** Connects and says who it is; what it has is not said yet. */
    private Link begin() {
        Path socket = address.folder().resolve(SOCKET);
        Link fresh;
        try {
            fresh = Link.open(reader, socket, this::told, this::lost);
        } catch (IOException e) {
            throw new RefusalException("open_device", "no router at " + socket + ": " + e.getMessage(), e);
        }
        try {
            Hello hello = new Hello(ControlFrame.VERSION, ControlFrame.VERSION, address.slow() ? Hello.SLOW : 0,
                    device.folder().getFileName().toString(), TokenFile.read(address.folder()));
            welcome = Welcome.decode(ask(fresh, "open_device", hello::frame));
            return fresh;
        } catch (FrameException e) {
            fresh.end(e.getMessage());
            throw new RefusalException("open_device", "the router's answer is none: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            fresh.end(e.toString());
            throw e;
        }
    }

    // Commands.

    static ControlFrame ask(Link link, String operation, IntFunction<ControlFrame> command) {
        Link.Question question = link.ask(operation, command);
        ControlFrame answer = link.await(operation, question, link.patienceNs());
        if (answer == null) {
            String why = "the router did not answer in " + link.patienceNs() / 1_000_000 + " ms";
            link.end(operation + ": " + why); // whether it did it is not known: the next attachment says all anew
            throw new RefusalException(operation, why, null);
        }
        if (answer.command() == Command.REFUSED) {
            throw Link.refusal(operation, answer);
        }
        return answer;
    }

    /** Sends a command and returns its answer. @throws RefusalException when it is refused, or the router is gone */
    ControlFrame ask(String operation, IntFunction<ControlFrame> command) {
        return ask(here(operation), operation, command);
    }

    /** Returns the attachment of now. @throws RefusalException when there is none */
    Link here(String operation) {
        Link now = link;
        if (now == null) {
            throw new RefusalException(operation, "the router is gone: " + address.folder().resolve(SOCKET), null);
        }
        return now;
    }

    /** Returns the attachment of now, or null. */
    Link now() {
        return link;
    }

    /** Does what ends something: with the router's answer, or because there is no router any more. */
    boolean tryAsk(String operation, IntFunction<ControlFrame> command) {
        try {
            ask(operation, command);
            return true;
        } catch (RefusalException e) {
            LOG.debug("{}", e.getMessage());
            return link == null;
        }
    }

    Welcome welcome() {
        return welcome;
    }

    HostDevice device() {
        return device;
    }

    boolean isSlow() {
        return address.slow() || (welcome.flags() & Welcome.SLOW) != 0;
    }

    /** Returns true when nobody on the way to peers can read what is sent. */
    public boolean isPrivate() {
        return (welcome.flags() & Welcome.PRIVATE) != 0;
    }

    // What the device has.

    public synchronized void register(RegionNote region) {
        announced.add(this::ask, region);
    }

    /** Ends a region: nothing is copied by its key any more. */
    public synchronized void deregister(int lkey) {
        try {
            announced.remove(this::ask, lkey);
        } catch (RefusalException e) {
            LOG.debug("{}", e.getMessage());
        }
    }

    /** Tells the router of memory that was given back. */
    public synchronized void dropSlabs() {
        try {
            announced.dropSlabs(this::ask);
        } catch (RefusalException e) {
            LOG.debug("{}", e.getMessage());
        }
    }

    /** Returns what peers know a key by. */
    public int remoteKey(int key) {
        return announced.remoteKey(key);
    }

    /**
     * Makes a CQ known.
     *
     * @param wake wakes who waits for the CQ; never waits
     * @param consumer tells how many completions were polled, or fewer; any thread
     */
    public synchronized void create(CqNote note, Runnable wake, IntSupplier consumer) {
        wakers.put(note.number(), wake);
        try {
            announced.add(this::ask, note, consumer);
        } catch (RuntimeException e) {
            wakers.remove(note.number());
            throw e;
        }
    }

    public synchronized void destroyCq(int number) {
        if (announced.removeCq(number)) {
            tryAsk("destroy_cq", id -> new ControlFrame(Command.DESTROY, KIND_CQ, id, number, NONE));
        }
        wakers.remove(number);
    }

    public synchronized void create(SrqNote note) {
        announced.add(this::ask, note);
    }

    public synchronized void destroySrq(int number) {
        if (announced.removeSrq(number)) {
            tryAsk("destroy_srq", id -> new ControlFrame(Command.DESTROY, KIND_SRQ, id, number, NONE));
        }
    }

    /** Opens the way of an address handle. @throws VerbsException when the router refuses */
    public Route openRoute(int pd, byte[] endpoint) {
        RouterEndpoint to = RouterEndpoint.decode("create_ah", endpoint);
        RouteNote note = new RouteNote(pd, to.address(), to.device(), to.incarnation());
        Link router = here("create_ah");
        return new RouterRoute(this, router, note, ask(router, "create_ah", note::frame).object());
    }

    /** Makes the chains of a protection domain. */
    public synchronized Chains chains(int pd) {
        RouterChains made = new RouterChains(this, pd);
        announced.add(this::ask, made);
        return made;
    }

    /** The chains of a protection domain end. */
    public synchronized void endChains(int pd) {
        if (announced.removeChains(pd)) {
            tryAsk("chains", ChainsNote.of(ChainsNote.CLOSE, pd)::frame);
        }
    }

    // Flags of DESTROY.
    static final int KIND_QP = 0;
    private static final int KIND_CQ = 1;
    private static final int KIND_SRQ = 2;
    static final int KIND_ROUTE = 3;
    static final byte[] NONE = {};

    /** Returns how many bytes a port needs behind its QP's rings. */
    public int portBytes() {
        return isSlow() ? 0 : SubmitRing.BYTES;
    }

    public Port port(PortQueuePair qp) {
        return new RouterPort(this, qp);
    }

    /** Makes a QP known to the router, with the memory that it lies in. */
    synchronized void open(RouterPort port) {
        Link now = here("create_qp");
        announced.slabOf(this::ask, port.address());
        ask(now, "create_qp", port.note(announced.srqAt(port.srq()))::frame);
        ports.put(port.number(), port);
        if (now.isOver()) {
            ports.remove(port.number());
            throw new RefusalException("create_qp", "the router is gone", null);
        }
    }

    void forget(RouterPort port) {
        ports.remove(port.number(), port);
    }

    /** Listens, see {@link org.jvrpc.verbs.Device#listen}. */
    public Listener listen(String text, EventChannel channel) {
        RouterAddress at = RouterAddress.parse(text);
        return at.port() != 0 ? listen(at, channel) : FreePorts.find(at, found -> listen(found, channel));
    }

    private Listener listen(RouterAddress at, EventChannel channel) {
        RouterListener listener = new RouterListener(this, at, numbers.getAndIncrement(), (ShmChannel) channel);
        synchronized (this) {
            listeners.put(listener.number(), listener);
            try {
                ask("listen", listener.note()::frame);
            } catch (RefusalException e) {
                listeners.remove(listener.number());
                throw RefusalException.of("listen", at.text() + ": " + e.getMessage(), e);
            }
        }
        return device.keep(listener);
    }

    void forget(RouterListener listener) {
        listeners.remove(listener.number());
        device.forget(listener);
    }

    /** Connects, see {@link org.jvrpc.verbs.Device#connect}. */
    public Connection connect(String text, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs,
            Runnable meanwhile) {
        RouterAddress to = RouterAddress.parse(text);
        if (to.port() == 0) {
            throw new IllegalArgumentException("address=" + text + " names no port to connect to");
        }
        return RouterConnector.run(this, to, RouterPort.of("connect", qp), privateData, (ShmChannel) channel,
                timeoutNs, meanwhile);
    }

    // What the router says. The reader's thread.

    private void told(Link from, ControlFrame frame) {
        switch (frame.command()) {
            case WAKE -> {
                Runnable wake = wakers.get(frame.object());
                if (wake != null) {
                    wake.run();
                } else if (frame.object() == ANY_CQ) {
                    wakers.values().forEach(Runnable::run);
                }
            }
            case ERROR -> {
                RouterPort port = ports.get(frame.object());
                if (port != null) {
                    port.failedAfar();
                }
            }
            case DISCONNECTED -> {
                RouterPort port = ports.get(frame.object());
                if (port != null) {
                    port.disconnectedAfar();
                }
            }
            case OFFER -> offered(from, frame);
            default -> LOG.warn("the router says what no device expects: {}", frame.command());
        }
    }

    private void offered(Link from, ControlFrame frame) {
        RouterListener listener = listeners.get(frame.object());
        try {
            Offer offer = Offer.decode(frame, Command.OFFER);
            if (listener == null) { // it was closed meanwhile
                from.say(RouterRequest.dropped(offer.offer()));
            } else {
                listener.offer(from, offer);
            }
        } catch (FrameException e) {
            LOG.warn("an offer of the router: {}", e.getMessage());
        }
    }

    // The router's end, and its next life.

    private void lost(Link ended) {
        if (link != ended) {
            return; // it never came to be the device's
        }
        link = null;
        for (RouterPort port : List.copyOf(ports.values())) {
            port.routerGone();
        }
        listeners.values().forEach(RouterListener::drop);
        if (!closed) {
            LOG.warn("the router of {} is gone: connections end, it is tried again", address.folder());
            Thread thread = new Thread(this::attachAgain, "jvrpc-router-attach");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void attachAgain() {
        String said = "";
        for (long restMs = FIRST_REST_MS; !closed; restMs = Math.min(2 * restMs, LONGEST_REST_MS)) {
            try {
                if (sayAgain()) {
                    LOG.info("attached to the router of {} again", address.folder());
                    return;
                }
            } catch (VerbsException e) {
                if (!said.equals(e.getMessage())) {
                    LOG.warn("attaching again: {}", e.getMessage());
                    said = e.getMessage();
                }
            }
            try {
                Thread.sleep(restMs + ThreadLocalRandom.current().nextLong(restMs / 4 + 1));
            } catch (InterruptedException e) {
                return; // nobody does that to a thread of ours but who wants it to end
            }
        }
    }

    private boolean sayAgain() {
        Link fresh = begin();
        synchronized (this) {
            try {
                Announced.Asker asker = (operation, command) -> ask(fresh, operation, command);
                announced.again(asker);
                for (RouterListener listener : listeners.values()) {
                    asker.ask("listen", listener.note()::frame);
                }
            } catch (RuntimeException e) {
                fresh.end(e.toString());
                throw e;
            }
            link = fresh;
        }
        if (fresh.isOver() || closed) {
            fresh.end("closed");
            lost(fresh);
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        Link now = link;
        if (now != null) {
            now.say(ControlFrame.of(Command.LEAVE, 0, 0));
            now.end("the device is closed");
        }
        reader.leave();
    }
}
