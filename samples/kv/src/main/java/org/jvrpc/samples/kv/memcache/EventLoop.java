package org.jvrpc.samples.kv.memcache;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.samples.kv.store.Store;

/** A thread with its connections. */
final class EventLoop implements Runnable, AutoCloseable {

    private static final long TICK_MS = 250;

    private final Store store;
    private final ServerStatus status;
    private final Selector selector;
    private final BufferPool pool;
    private final ConcurrentLinkedQueue<SocketChannel> arrived = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private long ticked = System.nanoTime();
    private volatile boolean stopping;
    private volatile boolean ended;

    EventLoop(Store store, ServerStatus status, int number) throws IOException {
        this.store = store;
        this.status = status;
        selector = Selector.open();
        pool = new BufferPool(status.bufferBudget);
        thread = new Thread(this, "kv-loop-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    /** Gives a connection to this loop, which was counted already. Any thread. */
    void add(SocketChannel channel) {
        arrived.add(channel);
        if (ended) {
            dropArrived(); // it came behind the last look
        } else {
            selector.wakeup();
        }
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                try {
                    turn();
                } catch (RuntimeException | Error e) {
                    report(e); // such as no memory for now: this loop is all that its connections have
                }
            }
        } catch (IOException e) {
            report(e);
        } finally {
            end();
        }
    }

    private void turn() throws IOException {
        selector.select(EventLoop::ready, TICK_MS);
        for (SocketChannel channel = arrived.poll(); channel != null; channel = arrived.poll()) {
            open(channel);
        }
        long now = System.nanoTime();
        if (now - ticked > TICK_MS * 1_000_000) {
            ticked = now;
            if (status.bufferBudget.isShort(now)) {
                dropSlow(now);
            }
            store.tick();
        }
    }

    /** Ends the connections of peers that keep large buffers from others. */
    private void dropSlow(long now) {
        for (SelectionKey key : selector.keys()) {
            Connection connection = (Connection) key.attachment();
            if (connection != null && connection.isSlow(now)) {
                connection.close();
            }
        }
    }

    /** Says what should not have been thrown, as if it ended the thread. Throws nothing itself. */
    static void report(Throwable thrown) {
        try {
            Thread.currentThread().getThreadGroup().uncaughtException(Thread.currentThread(), thrown);
        } catch (RuntimeException | Error e) {
            // There is nobody left to tell.
        }
    }

    private static void ready(SelectionKey key) {
        ((Connection) key.attachment()).ready();
    }

    private void open(SocketChannel channel) {
        try {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            key.attach(new Connection(channel, key, new Session(store, status, pool), pool, status));
        } catch (IOException | RuntimeException | Error e) {
            MemcacheServer.closeQuietly(channel);
            status.connections.decrementAndGet();
            if (!(e instanceof IOException)) {
                report(e);
            }
        }
    }

    /** Returns true when its selector failed: it takes no more connections. Any thread. */
    boolean isEnded() {
        return ended;
    }

    private void end() {
        ended = true;
        for (SelectionKey key : selector.keys()) {
            ((Connection) key.attachment()).close();
        }
        dropArrived();
        MemcacheServer.closeQuietly(selector);
    }

    private void dropArrived() {
        for (SocketChannel channel = arrived.poll(); channel != null; channel = arrived.poll()) {
            MemcacheServer.closeQuietly(channel);
            status.connections.decrementAndGet();
        }
    }

    @Override
    public void close() {
        stopping = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
