package org.jvrpc.softrnic;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The passive side of connection set-up. Any thread. */
final class ShmListener implements Listener, ShmChannel.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ShmListener.class);
    private static final int BACKLOG = 512;
    private static final int MAX_SUN_PATH = 107;
    /** Names that this process listens at; its own locks must not be opened twice. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final SoftDevice device;
    private final String name;
    private final Path path;
    private final FileChannel lock;
    private final ServerSocketChannel socket;
    private final ShmChannel channel;
    private final Queue<ConnectionRequest> requests = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private ShmListener(
            SoftDevice device,
            String name,
            Path path,
            FileChannel lock,
            ServerSocketChannel socket,
            ShmChannel channel) {
        this.device = device;
        this.name = name;
        this.path = path;
        this.lock = lock;
        this.socket = socket;
        this.channel = channel;
    }

    static ShmListener open(SoftDevice device, String name, ShmChannel channel) {
        Path path = device.folder().resolveSibling(name + ".sock");
        if (path.toString().length() > MAX_SUN_PATH) {
            throw new VerbsException("listen", "path of the socket is longer than " + MAX_SUN_PATH + ": " + path);
        }
        if (!OWN.add(path)) {
            throw new VerbsException("listen", "shm://" + name + " is in use by this process");
        }
        FileChannel lock = null;
        try {
            lock = ShmDirectory.lockName(path.getParent(), name);
            if (lock == null) {
                throw new VerbsException("listen", "shm://" + name + " is in use by a living process (" + path + ")");
            }
            Files.deleteIfExists(path); // the lock was free: whoever made it is dead
            ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            socket.configureBlocking(false);
            socket.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            ShmListener listener = new ShmListener(device, name, path, lock, socket, channel);
            channel.register(socket, SelectionKey.OP_ACCEPT, listener);
            return listener;
        } catch (IOException e) {
            release(path, lock);
            throw new VerbsException("listen", "shm://" + name + " (" + path + "): " + e, e);
        } catch (VerbsException e) {
            release(path, lock);
            throw e;
        }
    }

    private static void release(Path path, FileChannel lock) {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                LOG.warn("cannot release the lock of {}: {}", path, e.toString());
            }
        }
        OWN.remove(path);
    }

    @Override
    public boolean ready() {
        int before = requests.size();
        try {
            for (SocketChannel peer = socket.accept(); peer != null; peer = socket.accept()) {
                peer.configureBlocking(false);
                new ShmHandshake(this, device, peer, channel).begin();
            }
        } catch (IOException e) {
            LOG.warn("accepting at {}: {}", address(), e.toString());
        }
        return requests.size() > before; // a peer's request often is there already
    }

    void offer(ConnectionRequest request) {
        requests.add(request);
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
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        device.forget(this);
        try {
            socket.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("closing {}: {}", address(), e.toString());
        }
        for (ConnectionRequest request = requests.poll(); request != null; request = requests.poll()) {
            request.reject("listener closed".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        release(path, lock);
    }
}
