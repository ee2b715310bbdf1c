package org.jvrpc.samples.quickstart.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.samples.quickstart.NoSuchOrderException;
import org.jvrpc.samples.quickstart.Order;
import org.jvrpc.samples.quickstart.OrderBook;
import org.jvrpc.samples.quickstart.Orders;

/** Threads that call whichever server they get, and note which that was. Any thread. */
final class Load implements AutoCloseable {

    private static final long PAUSE_NS = 200_000;
    private static final long END_MS = 40_000;
    private static final int FAILURES_SHOWN = 5;

    private final Orders orders;
    private final long id;
    private final long begunNs;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Answers> servers = new TreeMap<>(); // this and what follows is under the lock of this
    private long failed;
    private long longestNs;
    private volatile boolean stopped;

    /** What one server answered. @param first and {@code last}, in nanoseconds of the run */
    record Answers(long calls, long first, long last) {
    }

    /** @param begunNs when the run began, by {@link System#nanoTime} */
    Load(Orders orders, int threadCount, long begunNs) {
        this.orders = orders;
        this.begunNs = begunNs;
        this.id = new OrderBook(1).place(MemberMain.firstOrder(1)); // the same in each book
        for (int i = 0; i < threadCount; i++) {
            Thread thread = new Thread(this::run, "load-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void run() {
        while (!stopped) {
            long startNs = System.nanoTime();
            try {
                answered(orders.find(id), startNs);
            } catch (NoSuchOrderException | RpcException e) {
                failed(e);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private synchronized void answered(Order order, long startNs) {
        long nowNs = System.nanoTime();
        longestNs = Math.max(longestNs, nowNs - startNs);
        servers.merge(order.symbol(), new Answers(1, nowNs - begunNs, nowNs - begunNs),
                (old, one) -> new Answers(old.calls + 1, old.first, one.last));
    }

    private synchronized void failed(Exception e) {
        if (failed++ < FAILURES_SHOWN) {
            System.err.printf("quickstart: at %.1f s a call failed: %s%n", (System.nanoTime() - begunNs) / 1e9,
                    e.getMessage());
        }
    }

    synchronized Map<String, Answers> servers() {
        return Map.copyOf(servers);
    }

    synchronized long failed() {
        return failed;
    }

    synchronized long longestNs() {
        return longestNs;
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends the calls: those in flight are answered first. Idempotent. */
    void stop() {
        stopped = true;
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
                if (thread.isAlive()) {
                    failed(new IllegalStateException("a call had no answer after " + END_MS + " ms"));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
