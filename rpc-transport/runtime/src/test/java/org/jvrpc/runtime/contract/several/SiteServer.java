package org.jvrpc.runtime.contract.several;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** One of several servers. */
public final class SiteServer implements Site, AutoCloseable {

    public final String name;
    public final String address;
    public final AtomicLong calls = new AtomicLong();
    public final AtomicInteger holding = new AtomicInteger();
    public volatile Status failure = Status.OK;
    private volatile CountDownLatch gate = new CountDownLatch(1);
    private volatile RpcServer server;

    public SiteServer(String name, String address) {
        this.name = name;
        this.address = address;
        start();
    }

    public void start() {
        server = RpcServer.builder().bind(address).service(Site.class, this).start();
    }

    public RpcServer server() {
        return server;
    }

    /** Takes no new calls, ends the others, and waits for that. */
    public void drain() {
        server.shutdown();
        try {
            if (!server.awaitTermination(java.time.Duration.ofNanos(Await.BOUND_NS))) {
                throw new AssertionError("server does not end: " + name);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public void kill() {
        server.shutdownNow();
    }

    public void open() {
        gate.countDown();
    }

    @Override
    public String name() {
        calls.incrementAndGet();
        if (failure != Status.OK) {
            throw new RpcException(failure, "as the test wants, name=" + name);
        }
        return name;
    }

    @Override
    public CompletableFuture<String> nameLater() {
        return CompletableFuture.completedFuture(name());
    }

    @Override
    public long twice(long number) {
        calls.incrementAndGet();
        return 2 * number;
    }

    @Override
    public CompletableFuture<Long> twiceLater(long number) {
        return CompletableFuture.completedFuture(twice(number));
    }

    @Override
    public String hold() {
        holding.incrementAndGet();
        try {
            if (!gate.await(Await.BOUND_NS, TimeUnit.NANOSECONDS)) {
                throw new AssertionError("nobody opens the gate");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            holding.decrementAndGet();
        }
        return name;
    }

    @Override
    public void fail(String status) {
        throw new RpcException(Status.valueOf(status), "as the test wants, name=" + name);
    }

    @Override
    public void close() {
        open();
        server.shutdownNow();
    }
}
