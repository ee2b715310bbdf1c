package org.jvrpc.router.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.peer.PeerCodec.BadMessageException;
import org.jvrpc.tcp.tls.TlsKeys;
import org.jvrpc.tcp.tls.TlsOptions;
import org.jvrpc.tcp.tls.TlsWire;

/**
 * Links to the routers of other hosts, one a host, made when one of both needs it. Who is at the other end is proven by
 * a certificate that the cluster's authority has signed and whose SHA-256 the control plane knows for that host. All
 * links are one thread's; the rest is for any thread, and nothing waits.
 */
public final class PeerLinks implements Links, PeerTalk, AutoCloseable {

    /** The version of the protocol between routers. */
    public static final int VERSION = 1;

    private static final SparseLog LOG = SparseLog.of(PeerLinks.class);
    private static final long TICK_MS = 50;
    private static final long CLOSE_MS = 5_000;
    /** What waits for a link: of lanes', and of all. */
    private static final long MOST_OF_LANES = 1 << 20;
    private static final long MOST_OF_ALL = 4 << 20;
    private static final int MOST_STRANGERS = 64;
    private static final long LOOK_NS = 1_000_000_000L;

    private final Settings settings;
    private final Times times;
    private final Proof proof;
    private final LongSupplier clock;
    private final Dials dials;
    private final Selector selector;
    private final ServerSocketChannel door;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Map<String, Link> up = new ConcurrentHashMap<>();
    /** Links of which it is not known yet who is there, and those that were dialled and have no answer. */
    private final Set<Link> young = new LinkedHashSet<>();
    /** Those that have more to read than their turn took. */
    private final Set<Link> unread = new LinkedHashSet<>();
    private final Thread thread = new Thread(this::run, "jvrpc-router-peers");
    private PeerEvents events;
    private Lanes lanes;
    private long lookedNs;
    private volatile boolean closed;

    /**
     * How links are set.
     *
     * @param host name of this host in the control plane
     * @param listen where other routers reach this one; port 0: any
     * @param keys by which this router proves itself, and whom it trusts
     * @param version {@link #VERSION}, but in tests
     */
    public record Settings(String host, InetSocketAddress listen, TlsKeys keys, int version) {

        /** @throws IllegalArgumentException when the options do not prove both sides by TLS 1.3 */
        public static Settings of(String host, InetSocketAddress listen, TlsOptions options) {
            if (!options.proves() || !options.hasTrusted() || !options.protocols().equals(List.of("TLSv1.3"))) {
                throw new IllegalArgumentException("a router proves itself to others by chain= and key=, and knows them"
                        + " by trust=, in TLSv1.3: " + options);
            }
            return new Settings(host, listen, new TlsKeys(options), VERSION);
        }
    }

    /** @param incarnation of this router @throws IOException when keys or address are none to go by */
    public PeerLinks(Settings settings, long incarnation, ControlView view, Audit audit) throws IOException {
        this(settings, Times.USUAL, incarnation, view, audit, System::nanoTime);
    }

    PeerLinks(Settings settings, Times times, long incarnation, ControlView view, Audit audit, LongSupplier clock)
            throws IOException {
        this.settings = settings;
        this.times = times;
        this.clock = clock;
        this.proof = new Proof(settings.host(), settings.version(), incarnation, view, audit);
        settings.keys().read();
        this.selector = Selector.open();
        this.dials = new Dials(view, selector::wakeup);
        try {
            this.door = ServerSocketChannel.open();
            door.bind(settings.listen());
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
        thread.setDaemon(true);
    }

    /** Begins. @param told who makes connections @param carriers who moves data; null: nobody */
    public void start(PeerEvents told, Lanes carriers) {
        events = told;
        lanes = carriers;
        thread.start();
    }

    /** Returns where other routers reach this one. */
    public InetSocketAddress address() {
        try {
            return (InetSocketAddress) door.getLocalAddress();
        } catch (IOException e) {
            throw new IllegalStateException("the links are closed", e);
        }
    }

    // Any thread.

    @Override
    public void want(String host) {
        if (!up.containsKey(host) && dials.want(host, clock.getAsLong())) {
            selector.wakeup();
        }
    }

    /** The control plane knows a host's router anew: it is not waited for any longer. */
    public void known(String host) {
        dials.known(host);
    }

    @Override
    public boolean say(String host, PeerMessage message) {
        Link link = up.get(host);
        if (link == null) {
            return false;
        }
        if (!link.offer(PeerCodec.encode(message), MOST_OF_ALL)) {
            post(() -> end(link, "it does not read: bytes that wait=" + MOST_OF_ALL));
            return false;
        }
        post(() -> go(link));
        return true;
    }

    @Override
    public boolean send(String host, byte[] body) {
        if (body.length > MAX_BODY) {
            throw new IllegalArgumentException("bytes=" + body.length + " limit=" + MAX_BODY);
        }
        Link link = up.get(host);
        if (link == null || !link.offer(PeerCodec.lanes(body), MOST_OF_LANES)) {
            return false;
        }
        post(() -> go(link));
        return true;
    }

    @Override
    public String trouble(String host) {
        return dials.trouble(host);
    }

    /** Returns the hosts to which there is a link. */
    public List<String> hosts() {
        return up.keySet().stream().sorted().toList();
    }

    private void post(Runnable job) {
        jobs.add(job);
        selector.wakeup();
    }

    // The thread.

    private void run() {
        Proof.rehearse(settings.keys(), settings.listen().getHostString());
        while (!closed) {
            try {
                boolean timed = !up.isEmpty() || !young.isEmpty() || dials.isWanted();
                if (unread.isEmpty()) {
                    selector.select(this::ready, timed ? TICK_MS : 0);
                } else {
                    selector.selectNow(this::ready);
                }
                List<Link> more = List.copyOf(unread);
                unread.clear();
                more.forEach(this::go);
                for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
                    job.run();
                }
                tick(clock.getAsLong());
            } catch (IOException | RuntimeException e) {
                LOG.error("all", "links to other routers: ", e);
            }
        }
        for (Link link : all()) {
            bye(link, new RefusedException(Refusal.ROUTER_GONE, "the router of host=" + settings.host() + " ends"));
        }
        dials.close();
        try {
            door.close();
            selector.close();
        } catch (IOException e) {
            LOG.warn("all", "closing links: {}", e.toString());
        }
    }

    private List<Link> all() {
        List<Link> all = new ArrayList<>(up.values());
        all.addAll(young);
        return all;
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof Link link) {
            go(link);
        } else if (key.attachment() instanceof Dials.Dial dial) {
            connected(dial, key);
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            for (SocketChannel socket = door.accept(); socket != null; socket = door.accept()) {
                if (young.size() >= MOST_STRANGERS) {
                    socket.close();
                    continue;
                }
                SelectionKey key = register(socket, SelectionKey.OP_READ);
                Link[] made = new Link[1];
                TlsWire wire = TlsWire.ofServer(socket, settings.keys(), () -> post(() -> go(made[0])));
                made[0] = new Link(null, false, wire, key, clock.getAsLong());
                begin(made[0], key);
            }
        } catch (IOException e) {
            LOG.warn("strangers", "another router is not taken: {}", e.toString());
        }
    }

    private SelectionKey register(SocketChannel socket, int what) throws IOException {
        socket.configureBlocking(false);
        return socket.register(selector, what);
    }

    private void begin(Link link, SelectionKey key) {
        key.attach(link);
        young.add(link);
        link.offer(PeerCodec.hello(proof.hello()), MOST_OF_ALL);
        go(link);
    }

    private void dial(Dials.Dial dial) {
        try {
            SocketChannel socket = SocketChannel.open();
            dial.use(socket);
            SelectionKey key = register(socket, SelectionKey.OP_CONNECT);
            key.attach(dial);
            if (socket.connect(dial.to())) {
                connected(dial, key);
            }
        } catch (IOException | RuntimeException e) {
            dials.failed(dial, "host=" + dial.host() + " at " + dial.to() + ": " + e, clock.getAsLong());
        }
    }

    private void connected(Dials.Dial dial, SelectionKey key) {
        try {
            SocketChannel socket = (SocketChannel) key.channel();
            if (!socket.finishConnect()) {
                return;
            }
            key.interestOps(SelectionKey.OP_READ);
            TlsWire wire = TlsWire.ofClient(socket, settings.keys(), dial.to().getHostString(), dial.to().getPort());
            begin(new Link(dial.host(), true, wire, key, clock.getAsLong()), key);
        } catch (IOException | RuntimeException e) {
            key.cancel();
            dials.failed(dial, "host=" + dial.host() + " at " + dial.to() + ": " + e, clock.getAsLong());
        }
    }

    private void go(Link link) {
        if (link.hasEnded()) {
            return;
        }
        try {
            if (link.go(clock.getAsLong(), this::heard)) {
                unread.add(link);
            }
        } catch (BadMessageException e) {
            bye(link, new RefusedException(Refusal.BAD_FRAME, e.getMessage()));
        } catch (RefusedException e) {
            bye(link, e);
        } catch (IOException e) {
            if (link.peer() == null) {
                proof.refused(link, e.getMessage());
            }
            end(link, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error(link.host(), "link to host={}: ", link.host(), e);
            end(link, "an error of this router: " + e);
        }
    }

    private void heard(Link link, int kind, ByteBuffer frame) throws BadMessageException {
        if (kind == PeerCodec.BYE) {
            PeerCodec.Bye bye = PeerCodec.decodeBye(frame);
            end(link, "it says " + bye.text());
        } else if (link.peer() == null) {
            if (kind != PeerCodec.HELLO) {
                throw new BadMessageException("kind=" + kind + " before it says who it is");
            }
            up(link, proof.check(link, PeerCodec.decodeHello(frame)));
        } else if (kind == PeerCodec.LANES) {
            if (lanes != null) {
                byte[] body = new byte[frame.remaining()];
                frame.get(body);
                lanes.message(link.peer(), body);
            }
        } else if (kind != PeerCodec.PING) {
            events.heard(link.peer(), PeerCodec.decode(kind, frame));
        }
    }

    /** Both know each other: of two links the one that the lower name dialled stays, unless it is an older router's. */
    private void up(Link link, Peer peer) {
        Link before = up.get(peer.host());
        boolean preferred = link.isDialled() == peer.dials();
        if (before != null) {
            boolean same = before.peer().incarnation() == peer.incarnation();
            if (same && !preferred && before.isDialled() == peer.dials()) {
                throw new RefusedException(Refusal.BUSY, "there is a link to host=" + settings.host());
            }
            end(before, "another link to it is made");
        } else if (!link.isDialled() && !preferred && dials.isUnderWay(peer.host())) {
            throw new RefusedException(Refusal.BUSY, "host=" + settings.host() + " dials itself");
        }
        young.remove(link);
        link.up(peer);
        dials.done(peer.host());
        LOG.info(peer.host(), "link to host={} incarnation={} is there", peer.host(),
                Long.toHexString(peer.incarnation()));
        if (lanes != null) {
            lanes.up(peer);
        }
        up.put(peer.host(), link); // so lanes know it before anybody else can use it
        events.up(peer);
    }

    /** Says why, and ends it. */
    private void bye(Link link, RefusedException why) {
        if (link.hasEnded()) {
            return;
        }
        if (link.peer() == null) {
            proof.refused(link, why.getMessage());
        }
        try {
            link.offer(PeerCodec.bye(new PeerCodec.Bye(why.refusal(), why.getMessage())), MOST_OF_ALL);
            link.flush(clock.getAsLong());
        } catch (IOException e) {
            LOG.debug(link.host(), "a last word to host={} did not go: {}", link.host(), e.toString());
        }
        end(link, why.getMessage());
    }

    private void end(Link link, String why) {
        if (link.hasEnded()) {
            return;
        }
        link.end();
        young.remove(link);
        unread.remove(link);
        String text = "host=" + link.host() + ": " + why;
        if (link.isDialled()) {
            dials.failed(link.host(), text, clock.getAsLong());
        }
        Peer peer = link.peer();
        if (peer == null) {
            if (!link.isDialled()) { // else it was said
                LOG.warn("strangers", "no link to {}", text);
            }
            return;
        }
        LOG.warn(peer.host(), "link to {} has ended", text);
        up.remove(peer.host(), link);
        if (lanes != null) {
            lanes.down(peer, why);
        }
        events.down(peer, why);
    }

    private void tick(long nowNs) {
        for (Link link : List.copyOf(young)) {
            if (nowNs - link.startNs() > times.handShake()) {
                end(link, "it did not say who it is in ms=" + times.handShake() / 1_000_000);
            }
        }
        boolean look = nowNs - lookedNs >= LOOK_NS;
        lookedNs = look ? nowNs : lookedNs;
        for (Link link : List.copyOf(up.values())) {
            String refusal = look ? proof.refusalNow(link) : null;
            if (refusal != null) {
                end(link, refusal);
            } else if (nowNs - link.heardNs() > times.silence()) {
                end(link, "nothing was heard of it for ms=" + (nowNs - link.heardNs()) / 1_000_000);
            } else if (nowNs - link.saidNs() > times.ping() && link.offer(PeerCodec.ping(), MOST_OF_ALL)) {
                go(link);
            }
        }
        dials.due(nowNs, times.handShake(), up::containsKey).forEach(this::dial);
    }

    /** Ends all links, saying so. Idempotent. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        if (!thread.isAlive()) { // never begun
            try {
                door.close();
                selector.close();
            } catch (IOException e) {
                LOG.warn("all", "closing links: {}", e.toString());
            }
            return;
        }
        try {
            thread.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
