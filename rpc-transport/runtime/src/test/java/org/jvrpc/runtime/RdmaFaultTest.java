package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;

/** Calls over wires that lose, repeat, reorder and corrupt packets, are slow, or are cut and mended. */
@NeedsRdmaDevices
class RdmaFaultTest {

    private static final AtomicInteger PORT = new AtomicInteger(25_000);
    private static final int THREADS = 4;
    private static final int ROUNDS = 40;
    private static final int ONE_WAY_CALLS = 50;
    private static final long ROUND_TRIP_NS = 40_000_000;
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    /** What an emulated machine takes on top. */
    private static final long SLACK_NS = 5_000_000_000L;

    private static RdmaWire wire;

    @BeforeAll
    static void makeWire() {
        wire = RdmaWire.make(2);
    }

    @AfterAll
    static void takeWireAway() {
        if (wire != null) {
            wire.close();
        }
    }

    @AfterEach
    void repair() {
        wire.calm();
        wire.mend();
    }

    private static RpcServer serve(String driver, CallsImpl impl) {
        return RpcServer.builder().bind(wire.server(PORT.getAndIncrement(), driver)).service(Calls.class, impl).start();
    }

    private static RpcClient.Builder client(RpcServer server) {
        return RpcClient.builder(wire.client(server.address())).connectTimeout(CONNECT);
    }

    @ParameterizedTest(name = "{0} driver, {1}")
    @CsvSource({
        "user, loss 2%", "generic, loss 2%", "user, duplicate 5% corrupt 2%", "user, delay 1ms reorder 25% 50%",
    })
    void everyCallIsExecutedOnceAndItsContentsAreWhole(String driver, String netem) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("calls are executed once, " + driver + ", " + netem + ": jvrpc.test.seed=" + seed);
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = serve(driver, impl); RpcClient client = client(server).connect()) {
            Calls calls = client.stub(Calls.class);
            calls.nothing();
            wire.disturb(netem);
            long startNs = System.nanoTime();
            List<CompletableFuture<Boolean>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int mine = t;
                threads.add(Await.start(() -> call(calls, mine, new SplittableRandom(seed + mine))));
            }
            threads.forEach(Await::join);
            System.out.println(driver + ", " + netem + ": calls=" + 3 * THREADS * ROUNDS + " ms="
                    + (System.nanoTime() - startNs) / 1_000_000);
            wire.calm();
            Await.until("one-way calls", () -> impl.told.size() >= THREADS * ROUNDS);
            calls.nothing();
            assertEquals(THREADS * ROUNDS + 2, impl.calls.get());
            Set<Long> told = new HashSet<>();
            impl.told.forEach(bytes -> told.add(ByteBuffer.wrap(bytes).getLong()));
            assertEquals(THREADS * ROUNDS, impl.told.size());
            assertEquals(THREADS * ROUNDS, told.size());
        }
    }

    private static boolean call(Calls calls, int thread, SplittableRandom random) {
        for (int i = 0; i < ROUNDS; i++) {
            int length = random.nextInt(10) == 0 ? random.nextInt(40_000) : random.nextInt(200);
            byte[] body = Bytes.of(length, random.nextInt());
            Bytes.assertSame(body, calls.echo(body), "echo of thread=" + thread + " round=" + i);
            calls.nothing();
            calls.tell(ByteBuffer.allocate(8).putLong(thread * 1_000_000L + i).array());
        }
        return true;
    }

    @Test
    void oneWayCallsDoNotWaitForTheirAcknowledgements() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = serve("user", impl); RpcClient client = client(server).connect()) {
            Calls calls = client.stub(Calls.class);
            calls.nothing();
            wire.disturb("delay 20ms");
            long startNs = System.nanoTime();
            for (int i = 0; i < ONE_WAY_CALLS; i++) {
                calls.tell(ByteBuffer.allocate(8).putLong(i).array());
            }
            long tookNs = System.nanoTime() - startNs;
            System.out.println("one-way calls=" + ONE_WAY_CALLS + " us=" + tookNs / 1000);
            Await.until("one-way calls", () -> impl.told.size() == ONE_WAY_CALLS);
            for (int i = 0; i < ONE_WAY_CALLS; i++) {
                assertEquals(i, ByteBuffer.wrap(impl.told.remove()).getLong());
            }
            assertTrue(tookNs < ONE_WAY_CALLS * ROUND_TRIP_NS / 2, "ns=" + tookNs);
        }
    }

    @ParameterizedTest(name = "{0} driver, end {1}")
    @CsvSource({"user, 1", "user, 0", "generic, 1"})
    void aLinkThatGoesDownEndsEachCallInTimeAndOneThatComesBackServesOldAndNewClients(String driver, int end) {
        try (RpcServer server = serve(driver, new CallsImpl());
                RpcClient client = client(server).deadline(DEADLINE).connect()) {
            Load load = new Load(client, THREADS);
            Await.until("calls", () -> load.good.get() > 100);
            assertEquals(0, load.failed.get());
            wire.cut(end);
            Await.until("calls to fail", () -> load.failed.get() > THREADS);
            load.stop();
            System.out.println(driver + ", end " + end + ": good=" + load.good + " failed=" + load.failed
                    + " longest ms=" + load.longestNs.get() / 1_000_000 + " " + load.messages);
            assertTrue(load.longestNs.get() < DEADLINE.toNanos() + SLACK_NS, "longest ns=" + load.longestNs);
            String cause = end == 0 ? "network device v4 of device rxe4 is down: ip link set v4 up"
                    : "port 1 of device rxe4 is not active";
            assertTrue(load.messages.stream().anyMatch(m -> m.contains(" is lost: ") && m.contains(cause)),
                    () -> cause + " is not in " + load.messages);
            assertFalse(load.messages.stream().anyMatch(m -> m.contains("WR_FLUSH_ERR")),
                    () -> "the effect, not the cause: " + load.messages);
            wire.mend();
            long startNs = System.nanoTime();
            try (RpcClient fresh = client(server).connect()) {
                assertEquals(3, fresh.stub(Calls.class).add(1, 2));
            }
            Await.until("the old client to connect again", client::isConnected);
            assertEquals(5, client.stub(Calls.class).add(2, 3));
            System.out.println("connected again, ms=" + (System.nanoTime() - startNs) / 1_000_000);
        }
    }
}
