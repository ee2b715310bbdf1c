package org.jvrpc.softrnic.router;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that reads the sockets of all devices of this process; it is there while there are any. */
final class SocketReader implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SocketReader.class);

    private static SocketReader current;

    private final Selector selector;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    /** Guarded by the class. */
    private int users;
    private volatile boolean over;

    /** What has a socket. */
    interface Handler {

        /** Reads and writes what can be. The reader's thread; never waits. */
        void ready();
    }

    private SocketReader() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new VerbsException("open_device", "no selector: " + e, e);
        }
    }

    /** Begins to use it; {@link #leave} ends that. */
    static SocketReader use() {
        synchronized (SocketReader.class) {
            if (current == null) {
                current = new SocketReader();
                Thread thread = new Thread(current, "jvrpc-router");
                thread.setDaemon(true);
                thread.start();
            }
            current.users++;
            return current;
        }
    }

    void leave() {
        synchronized (SocketReader.class) {
            if (--users == 0) {
                over = true;
                current = null;
            }
        }
        selector.wakeup();
    }

    /** Has a socket read from now on; does nothing when it is closed already. */
    void add(SocketChannel socket, Handler handler) {
        run(() -> {
            try {
                socket.register(selector, SelectionKey.OP_READ, handler);
            } catch (ClosedChannelException e) {
                LOG.debug("a socket was closed before it was read");
            }
        });
    }

    /** Has {@link Handler#ready} called when a socket can be written to, once. Any thread. */
    void wantWrite(SocketChannel socket) {
        run(() -> interest(socket, SelectionKey.OP_READ | SelectionKey.OP_WRITE));
    }

    /** The reader's thread. */
    void wrote(SocketChannel socket) {
        interest(socket, SelectionKey.OP_READ);
    }

    private void interest(SocketChannel socket, int operations) {
        SelectionKey key = socket.keyFor(selector);
        if (key != null && key.isValid()) {
            key.interestOps(operations);
        }
    }

    private void run(Runnable job) {
        jobs.add(job);
        selector.wakeup();
    }

    @Override
    public void run() {
        while (!over) {
            try {
                selector.select(key -> ((Handler) key.attachment()).ready());
                for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
                    job.run();
                }
            } catch (IOException | CancelledKeyException | ClosedSelectorException e) {
                LOG.warn("reading routers' sockets: {}", e.toString());
            }
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("closing a selector: {}", e.toString());
        }
    }
}
