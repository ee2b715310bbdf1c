package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Processes;

/** Servers that are killed while programs answer for them. */
class OffloadDeathTest {

    private static final int KEYS = 50;

    private static ChildJvm server(String... arguments) {
        ChildJvm child = ChildMain.start(arguments);
        child.expect("READY");
        return child;
    }

    private static RpcClient connect(String address) {
        return RpcClient.builder(address).offloadWait(Duration.ofSeconds(10)).connect();
    }

    private static void untilOffloaded(RpcClient client, Quotes stub) {
        Await.until("a program", () -> {
            long before = client.offloadedCalls();
            try {
                return stub.last(3) == 9 && client.offloadedCalls() > before;
            } catch (RpcException e) {
                assertEquals(Status.UNAVAILABLE, e.status(), e::getMessage);
                return false;
            }
        });
    }

    @Test
    void programsDieWithTheServerThatHostsThemAndComeBackWithItsSuccessor() {
        String address = ShmFolder.address();
        ChildJvm server = server("quotes", address);
        try (RpcClient client = connect(address)) {
            Quotes stub = client.stub(Quotes.class);
            for (int round = 0; round < 3; round++) {
                untilOffloaded(client, stub);
                server.kill();
                server.close();
                Await.until("the end of the programs", () -> {
                    try {
                        assertEquals(9, stub.last(3));
                        return false;
                    } catch (RpcException e) {
                        return e.status() == Status.UNAVAILABLE;
                    }
                });
                server = server("quotes", address);
                assertEquals(12, client.stub(Quotes.class, CallOptions.DEFAULT.withWaitForReady()).last(4));
                assertEquals(12, stub.last(4));
            }
        } finally {
            server.close();
        }
    }

    @Test
    void programsOfAHostThatLivesAnswerWhileTheServerIsDeadAndItsOtherCallsComeBackByThemselves() {
        String address = ShmFolder.address();
        QuotesImpl quotes = new QuotesImpl();
        try (RpcServer host = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, quotes).start()) {
            OffloadedMethod<Quotes> last =
                    host.offload(Quotes.class, "last(long)", new OffloadSettings().capacity(KEYS));
            for (long i = 0; i < KEYS; i++) {
                long id = i;
                last.publish(q -> q.last(id), 3 * i);
            }
            ChildJvm server = server("quotes", address, last.address(), last.name());
            try (RpcClient client = connect(address)) {
                Quotes stub = client.stub(Quotes.class);
                untilOffloaded(client, stub);
                AtomicBoolean over = new AtomicBoolean();
                AtomicLong reads = new AtomicLong();
                CompletableFuture<Long> reader = Await.start(() -> read(stub, over, reads));
                for (int round = 0; round < 2; round++) {
                    assertEquals(6, stub.lastOfServer(2));
                    server.kill();
                    server.close();
                    long before = reads.get();
                    Await.until("reads without a server", () -> reads.get() > before + 10_000 || reader.isDone());
                    assertEquals(Status.UNAVAILABLE,
                            assertThrows(RpcException.class, () -> stub.lastOfServer(2)).status());
                    server = server("quotes", address, last.address(), last.name());
                    Await.until("ordinary calls", () -> {
                        try {
                            return stub.lastOfServer(2) == 6;
                        } catch (RpcException e) {
                            return false;
                        }
                    });
                }
                over.set(true);
                long longestNs = Await.join(reader);
                System.out.println("reads=" + reads + " longest ns=" + longestNs);
                assertTrue(client.offloadedCalls() > 20_000, "by program=" + client.offloadedCalls());
            } finally {
                server.close();
            }
        }
    }

    @Test
    void answersInAHullOutliveTheirServerWhoseSuccessorTakesThemUp() {
        String address = ShmFolder.address();
        try (ChildJvm hull = ChildMain.startInHull(ShmFolder.address(), "hulled", address)) {
            hull.expect("FOUND 0");
            long pid = Long.parseLong(hull.expect("READY"));
            try (RpcClient client = connect(address)) {
                Quotes stub = client.stub(Quotes.class);
                untilOffloaded(client, stub);
                AtomicBoolean over = new AtomicBoolean();
                AtomicLong reads = new AtomicLong();
                CompletableFuture<Long> reader = Await.start(() -> read(stub, over, reads));
                for (int round = 0; round < 2; round++) {
                    assertEquals(6, stub.lastOfServer(2));
                    Processes.kill(pid);
                    long before = reads.get();
                    Await.until("reads without a server", () -> reads.get() > before + 1000 || reader.isDone());
                    hull.expect("FOUND 50");
                    pid = Long.parseLong(hull.expect("READY"));
                    Await.until("ordinary calls", () -> {
                        try {
                            return stub.lastOfServer(2) == 6;
                        } catch (RpcException e) {
                            return false;
                        }
                    });
                }
                over.set(true);
                System.out.println("longest ns=" + Await.join(reader) + " reads=" + reads);
            }
        }
    }

    /** Reads without end; none may fail. Returns the longest time of one. */
    private static long read(Quotes stub, AtomicBoolean over, AtomicLong reads) {
        long longestNs = 0;
        while (!over.get()) {
            long startNs = System.nanoTime();
            long key = reads.get() % KEYS;
            assertEquals(key * 3, stub.last(key));
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
            reads.incrementAndGet();
        }
        return longestNs;
    }
}
