package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;

/** Calls over wires that lose packets. */
@NeedsRdmaDevices
class RdmaFaultTest {

    private static final AtomicInteger PORT = new AtomicInteger(25_000);
    private static final int THREADS = 4;
    private static final int ROUNDS = 60;

    private static RdmaWire wire;

    @BeforeAll
    static void makeWire() {
        wire = RdmaWire.make();
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
    }

    @ParameterizedTest(name = "{0} driver, {1}")
    @CsvSource({
        "user, loss 2%", "generic, loss 2%",
    })
    void everyCallIsExecutedOnceAndItsContentsAreWhole(String driver, String netem) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("calls are executed once, " + driver + ", " + netem + ": jvrpc.test.seed=" + seed);
        int port = PORT.getAndIncrement();
        CallsImpl impl = new CallsImpl();
        try (RpcServer server =
                RpcServer.builder().bind(RdmaWire.server(port, driver)).service(Calls.class, impl).start();
                RpcClient client = RpcClient.connect(RdmaWire.client(server.address()))) {
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
}
