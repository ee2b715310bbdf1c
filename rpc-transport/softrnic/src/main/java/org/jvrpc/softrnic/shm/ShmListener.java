package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.softrnic.shm.folder.NameLock;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The passive side of connection set-up. Any thread. */
public final class ShmListener implements Listener, ShmChannel.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ShmListener.class);
    private static final int BACKLOG = 512;
    /** Java's limit, in bytes; one below the system's. */
    private static final int MAX_SUN_PATH = 106;
    /** Of the names of files. */
    private static final Charset NATIVE = Charset.forName(System.getProperty("native.encoding", "UTF-8"));
    /** How long a name that is locked may be one that somebody only looks at, to sweep up after the dead. */
    private static final long SWEEPER_NS = 100_000_000;
    private static final long SWEEPER_PAUSE_NS = 1_000_000;
    /** How long accepting rests when the process has no descriptor left. */
    private static final long REST_NS = 100_000_000;
    /** The most peers in a handshake at a time: a new one takes the place of the oldest. */
    private static final int MAX_HANDSHAKES = 256;
    /** How often the socket's file is looked for. */
    private static final long LOOK_NS = 500_000_000;

    private final ShmNode node;
    private final String name;
    private final Path path;
    private final ShmChannel channel;
    private final Queue<ShmHandshake> requests = new ConcurrentLinkedQueue<>();
    /** In the order in which they came. Guarded by this. */
    private final Set<ShmHandshake> handshakes = new LinkedHashSet<>();
    /** What of it is in the folder; made again when the folder was deleted under it. Guarded by this. */
    private NameLock lock;
    private ServerSocketChannel socket;
    private SelectionKey key;
    private boolean closed;
    private boolean resting;
    private boolean missing;
    private boolean crowded;
    private long nextLookNs;
    private long restEndNs;

    private ShmListener(ShmNode node, String name, Path path, ShmChannel channel) {
        this.node = node;
        this.name = name;
        this.path = path;
        this.channel = channel;
        this.nextLookNs = channel.clock().getAsLong() + LOOK_NS;
    }

    public static ShmListener open(ShmNode node, String name, ShmChannel channel) {
        Path path = ShmDirectory.socket(node.folder().getParent(), name);
        if (path.toString().getBytes(NATIVE).length > MAX_SUN_PATH) {
            throw new VerbsException("listen", "path of the socket is longer than " + MAX_SUN_PATH + " bytes: " + path);
        }
        ShmDirectory.sweepSockets(path.getParent());
        ShmListener listener = new ShmListener(node, name, path, channel);
        try {
            listener.bind();
        } catch (IOException e) {
            throw new VerbsException("listen", "shm://" + name + " (" + path + "): " + e, e);
        }
        channel.watch(listener);
        return listener;
    }

    private synchronized void bind() throws IOException {
        lock = lockName();
        try {
            Files.deleteIfExists(path); // the lock was free: whoever made it is dead
            socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            socket.configureBlocking(false);
            socket.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            key = channel.register(socket, SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            unbind();
            throw e;
        }
    }

    private NameLock lockName() throws IOException {
        long startNs = channel.clock().getAsLong();
        NameLock taken = NameLock.take(path.getParent(), name);
        while (taken == null) {
            if (channel.clock().getAsLong() - startNs > SWEEPER_NS) {
                throw new VerbsException("listen", "shm://" + name + " is in use by a living process (" + path + ")");
            }
            LockSupport.parkNanos(SWEEPER_PAUSE_NS);
            taken = NameLock.take(path.getParent(), name);
        }
        return taken;
    }

    private void unbind() {
        try {
            if (socket != null) {
                socket.close();
            }
            if (lock != null) {
                lock.release();
            }
        } catch (IOException e) {
            LOG.warn("closing {}: {}", address(), e.toString());
        }
        socket = null;
        lock = null;
    }

    @Override
    public synchronized boolean ready() {
        int before = requests.size();
        try {
            for (SocketChannel peer = accept(); peer != null; peer = accept()) {
                peer.configureBlocking(false);
                begin(new ShmHandshake(this, node, peer, channel));
            }
        } catch (IOException e) {
            rest(e);
        }
        return requests.size() > before; // a peer's request often is there already
    }

    private void begin(ShmHandshake handshake) throws IOException {
        if (handshakes.size() == MAX_HANDSHAKES) {
            if (!crowded) {
                Rare.reached("a peer that says nothing makes way");
                LOG.warn("{} peers at {} sent no request: the oldest makes way, which is said once", MAX_HANDSHAKES,
                        address());
            }
            crowded = true;
            handshakes.iterator().next().drop();
        }
        handshakes.add(handshake);
        handshake.begin();
    }

    /** A handshake is over: its request is here, or its socket is closed. */
    synchronized void handshakeEnded(ShmHandshake handshake) {
        handshakes.remove(handshake);
    }

    private SocketChannel accept() throws IOException {
        SocketChannel peer = socket == null ? null : socket.accept();
        if (resting && peer != null) {
            Rare.reached("a listener that rested takes peers again"); // a file could not be made before
            resting = false;
        }
        return peer;
    }

    /** Most likely there is no descriptor left: to try again at once would only spin. Called by tests, too. */
    synchronized void rest(IOException e) {
        if (!resting) {
            LOG.warn("accepting at {}: {}; it is tried again every {} ms, without a word",
                    address(), e.toString(), REST_NS / 1_000_000);
        }
        resting = true;
        restEndNs = channel.clock().getAsLong() + REST_NS;
        if (key.isValid()) {
            key.interestOps(0);
        }
    }

    @Override
    public synchronized void tick(long nowNs) {
        if (closed) {
            return;
        }
        if (resting && key.isValid() && key.interestOps() == 0 && nowNs - restEndNs >= 0) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
        if (nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_NS;
            if (!Files.exists(path)) {
                bindAgain();
            }
        }
    }

    /** The socket's file was deleted, with its folder most likely: logind does so when its user logs out. */
    private void bindAgain() {
        unbind();
        try {
            node.settleAgain();
            bind();
            missing = false;
            Rare.reached("a socket that was deleted is bound again");
            LOG.warn("{} was deleted under {}, which is bound again", path, address());
        } catch (IOException | VerbsException e) {
            if (!missing) {
                LOG.error("{} was deleted and {} cannot be bound again: {}", path, address(), e.toString());
            }
            missing = true;
        }
    }

    @Override
    public synchronized long intervalNs() {
        return resting ? REST_NS : LOOK_NS;
    }

    void offer(ShmHandshake request) {
        synchronized (this) {
            if (!closed) {
                requests.add(request);
                return;
            }
        }
        request.drop();
    }

    @Override
    public String address() {
        return "shm://" + name;
    }

    @Override
    public ConnectionRequest poll() {
        return requests.poll();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            channel.unwatch(this);
            node.forget(this);
            try {
                if (socket != null) {
                    Files.deleteIfExists(path); // it is ours: the lock is held
                }
            } catch (IOException e) {
                LOG.warn("closing {}: {}", address(), e.toString());
            }
            unbind();
            // Nobody listens to them any more, which is what they are told: a rejection would be an answer.
            List.copyOf(handshakes).forEach(ShmHandshake::drop);
        }
        for (ShmHandshake request = requests.poll(); request != null; request = requests.poll()) {
            request.drop();
        }
    }
}
