package org.jvrpc.micrometer;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.counters.Counters;

/** Servers, clients and what reads their counters, which tests have read when they want. */
abstract class CountedPair {

    static final String SERVICE = Shop.class.getName();
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long LIMIT_NS = 30_000_000_000L;

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        while (!made.isEmpty()) {
            made.pop().close();
        }
    }

    <T extends AutoCloseable> T keep(T one) {
        made.push(one);
        return one;
    }

    JvrpcMetrics metrics() {
        return keep(new JvrpcMetrics(Counters.own(), Duration.ofHours(1)));
    }

    RpcServer serve(String address) {
        return keep(RpcServer.builder().bind(address).service(Shop.class, new Shop.Impl()).start());
    }

    /** Starts a server whose address no other has had. */
    RpcServer serve() {
        return serve("inproc://counted-" + NUMBER.incrementAndGet());
    }

    RpcClient connect(RpcServer server) {
        return keep(RpcClient.connect(server.address()));
    }

    /** A condition that a test waits for. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws Exception;
    }

    static void until(String what, Condition condition) throws Exception {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNs > LIMIT_NS) {
                fail("waited in vain for " + what);
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }
}
