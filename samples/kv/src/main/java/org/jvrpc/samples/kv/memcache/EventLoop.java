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
    private volatile boolean stopping;

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
        selector.wakeup();
    }

    @Override
    public void run() {
        long ticked = System.nanoTime();
        try {
            while (!stopping) {
                selector.select(EventLoop::ready, TICK_MS);
                for (SocketChannel channel = arrived.poll(); channel != null; channel = arrived.poll()) {
                    open(channel);
                }
                long now = System.nanoTime();
                if (now - ticked > TICK_MS * 1_000_000) {
                    ticked = now;
                    store.tick();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the selector failed", e);
        } finally {
            end();
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
        } catch (IOException e) {
            status.connections.decrementAndGet();
        }
    }

    private void end() {
        for (SelectionKey key : selector.keys()) {
            ((Connection) key.attachment()).close();
        }
        for (SocketChannel channel = arrived.poll(); channel != null; channel = arrived.poll()) {
            MemcacheServer.closeQuietly(channel);
        }
        MemcacheServer.closeQuietly(selector);
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
