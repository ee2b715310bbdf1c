package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the sockets of channels at which nobody waits, with one thread for all of the process: a thousand idle
 * connections need no thousand threads. The thread notifies channels' owners and does nothing else; it is there while
 * such a socket is open. Any thread.
 */
final class SharedSelector {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSelector.class);
    private static final long AGAIN_MS = 50;

    /** Guarded by the class. */
    private static SharedSelector current;

    private final Selector selector = Selector.open();
    /** Channels whose owners are to be notified without an event of a socket. */
    private final Set<ShmChannel> called = ConcurrentHashMap.newKeySet();
    private Thread thread;
    /** Those among them that could not be notified. The thread. */
    private boolean again;

    private SharedSelector() throws IOException {
    }

    /**
     * Notifies a channel when one of its sockets can be read.
     *
     * @param keys the sockets'
     * @throws IOException when a socket is closed, or there is no selector
     * @throws OutOfMemoryError when there is no thread for it
     */
    static synchronized SharedSelector watch(ShmChannel channel, Set<SelectionKey> keys) throws IOException {
        if (current == null) {
            SharedSelector made = new SharedSelector();
            made.start();
            current = made;
        }
        try {
            for (SelectionKey key : keys) {
                key.channel().register(current.selector, SelectionKey.OP_READ, channel);
            }
        } finally {
            current.selector.wakeup(); // also to end, where there is nothing to wait for
        }
        return current;
    }

    private void start() throws IOException {
        thread = new Thread(null, this::run, "jvrpc-shm-events", 0, false); // with nothing of the first who came
        thread.setDaemon(true);
        thread.setContextClassLoader(SharedSelector.class.getClassLoader());
        try {
            thread.start();
        } catch (Error e) {
            selector.close();
            throw e;
        }
    }

    /** Ends {@link #watch}, but for a notification that is under way. */
    void unwatch(Set<SelectionKey> keys) {
        for (SelectionKey key : keys) {
            SelectionKey shared = key.channel().keyFor(selector);
            if (shared != null) {
                rest(shared);
            }
        }
    }

    private static void rest(SelectionKey key) {
        if (key.isValid()) {
            try {
                key.interestOps(0);
            } catch (CancelledKeyException e) {
                LOG.debug("a socket was closed meanwhile");
            }
        }
    }

    /** Has a channel's owner notified by the thread. */
    void call(ShmChannel channel) {
        called.add(channel);
        selector.wakeup();
    }

    /** A socket was closed, whose descriptor is kept until the thread has looked. */
    void closed() {
        selector.wakeup();
    }

    /** Returns true on the thread. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        try (selector) {
            do {
                look();
            } while (!isOver());
        } catch (IOException e) {
            LOG.warn("closing a selector: {}", e.toString());
        } finally {
            forget();
        }
    }

    /** Whoever is to be watched from now on has another. */
    private void forget() {
        synchronized (SharedSelector.class) {
            if (current == this) {
                current = null;
            }
        }
    }

    private void look() {
        try {
            Thread.interrupted(); // else no wait would be one
            selector.select(this::ready, again ? AGAIN_MS : 0);
            again = false;
            for (ShmChannel channel : called.toArray(ShmChannel[]::new)) { // those that fail come again behind a wait
                called.remove(channel);
                tell(channel);
            }
        } catch (IOException | RuntimeException | Error e) { // without this thread no owner is told of anything
            again = true;
            report("shared selector: {}", e);
        }
    }

    private void ready(SelectionKey key) {
        rest(key);
        tell((ShmChannel) key.attachment());
    }

    /** One that fails keeps no other from being told. */
    private void tell(ShmChannel channel) {
        try {
            channel.tellOwner();
        } catch (RuntimeException | Error e) { // no memory for a thread, perhaps
            again = true;
            called.add(channel);
            report("an owner of a channel cannot be told of an event: {}", e);
        }
    }

    private static void report(String what, Throwable e) {
        try {
            LOG.warn(what, e.toString());
        } catch (RuntimeException | Error none) { // no memory to say so
            return;
        }
    }

    private boolean isOver() {
        synchronized (SharedSelector.class) {
            if (!selector.keys().isEmpty() || !called.isEmpty()) {
                return false;
            }
            current = null;
            return true;
        }
    }
}
