package org.jvrpc.samples.kv.memcache;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.samples.kv.store.Store;

/**
 * Serves a store by memcached's protocols, over TCP and, where asked, a Unix-domain socket. One thread accepts, event
 * loops do the rest. Any thread.
 */
public final class MemcacheServer implements AutoCloseable {

    private static final byte[] TOO_MANY = Ascii.line("ERROR Too many open connections");
    private static final int BACKLOG = 1024;

    private final ServerStatus status;
    private final Selector acceptor;
    private final List<EventLoop> loops = new ArrayList<>();
    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopping;
    private int next;

    private MemcacheServer(Store store, ServerSettings settings) throws IOException {
        status = new ServerStatus(settings, store.clock().seconds());
        acceptor = Selector.open();
        thread = new Thread(this::accept, "kv-acceptor");
        thread.setDaemon(true);
    }

    /** Starts a server. @throws IOException when it cannot listen: the message names where */
    public static MemcacheServer start(Store store, ServerSettings settings) throws IOException {
        MemcacheServer server = new MemcacheServer(store, settings);
        try {
            if (settings.port() >= 0) {
                server.listenTcp();
            }
            if (settings.unixSocket() != null) {
                server.listenUnix(settings.unixSocket());
            }
            for (int i = 0; i < settings.threads(); i++) {
                server.loops.add(new EventLoop(store, server.status, i));
            }
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        server.thread.start();
        return server;
    }

    private void listenTcp() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listeners.add(listener);
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        bind(listener, new InetSocketAddress(status.settings.host(), status.settings.port()));
        status.port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private void listenUnix(Path path) throws IOException {
        if (Files.exists(path)) {
            removeDead(path);
        }
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listeners.add(listener);
        bind(listener, UnixDomainSocketAddress.of(path));
    }

    /** A socket file outlives its process. */
    private static void removeDead(Path path) throws IOException {
        try {
            closeQuietly(SocketChannel.open(UnixDomainSocketAddress.of(path)));
        } catch (java.net.ConnectException e) {
            Files.delete(path);
            return;
        } catch (java.net.SocketException e) {
            throw new IOException("unix socket=" + path + ": there is something else", e);
        }
        throw new IOException("unix socket=" + path + ": a living process has it");
    }

    private void bind(ServerSocketChannel listener, SocketAddress address) throws IOException {
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException | java.nio.channels.UnresolvedAddressException e) {
            throw new IOException("cannot listen at " + address + ": " + e, e);
        }
        listener.configureBlocking(false);
        listener.register(acceptor, SelectionKey.OP_ACCEPT);
    }

    /** Returns the TCP port. */
    public int port() {
        return status.port;
    }

    /** Returns one of the event loops. */
    EventLoop loop(int index) {
        return loops.get(index);
    }

    /** Returns how many bytes are left for large buffers. */
    long bufferBytesLeft() {
        return status.bufferBudget.remaining();
    }

    private void accept() {
        try {
            while (!stopping) {
                try {
                    acceptor.select(this::accept);
                } catch (RuntimeException | Error e) {
                    EventLoop.report(e);
                    pause();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the acceptor's selector failed", e);
        }
    }

    private void accept(SelectionKey key) {
        try {
            SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
            if (channel == null) {
                return;
            }
            if (status.connections.incrementAndGet() > status.settings.maxConnections()) {
                refuse(channel);
                return;
            }
            status.totalConnections.incrementAndGet();
            if (!(channel.getLocalAddress() instanceof UnixDomainSocketAddress)) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            EventLoop loop = nextLoop();
            if (loop == null) {
                refuse(channel);
                return;
            }
            loop.add(channel);
        } catch (IOException e) {
            pause();
        }
    }

    /** Returns a loop that lives, in turn; null when none does. */
    private EventLoop nextLoop() {
        for (int i = 0; i < loops.size(); i++) {
            EventLoop loop = loops.get(next);
            next = (next + 1) % loops.size();
            if (!loop.isEnded()) {
                return loop;
            }
        }
        return null;
    }

    /** Out of file descriptors, most likely: it is tried again, but not all the time. */
    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void refuse(SocketChannel channel) {
        status.connections.decrementAndGet();
        status.rejectedConnections.incrementAndGet();
        try {
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(TOO_MANY));
        } catch (IOException e) {
            // Refused either way.
        }
        closeQuietly(channel);
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // Nothing can be lost by it.
        }
    }

    /** Stops listening, closes all connections and waits for the threads. Idempotent. The store stays. */
    @Override
    public void close() {
        stopping = true;
        acceptor.wakeup();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listeners.forEach(MemcacheServer::closeQuietly);
        closeQuietly(acceptor);
        loops.forEach(EventLoop::close);
        if (status.settings.unixSocket() != null && !listeners.isEmpty()) {
            try {
                Files.deleteIfExists(status.settings.unixSocket());
            } catch (IOException e) {
                // The next server removes it.
            }
        }
    }
}
