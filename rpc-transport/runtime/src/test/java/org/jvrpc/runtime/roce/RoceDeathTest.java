package org.jvrpc.runtime.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.ChildMain;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RoceUnderTest;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;

/** Processes that are killed or stopped in the midst of calls, which no socket tells of. */
class RoceDeathTest implements RoceUnderTest {

    private static final Duration IDLE = Duration.ofMillis(500);
    /** A ping after half a second, repeats for as long as that again, and a machine with other work. */
    private static final long ENDS_WITHIN_NS = 10_000_000_000L;
    /** The deadline of calls that are to end before. */
    private static final Duration PATIENT = Duration.ofSeconds(60);
    /** What a device keeps for the next session. */
    private static final long MEMORY_KEPT = 16L << 20;

    private static ChildJvm server(String address) {
        ChildJvm child = ChildMain.start("server", address);
        child.expect("READY");
        return child;
    }

    private static RpcClient client(String address) {
        return RpcClient.builder(address).keepAlive(IDLE).deadline(PATIENT).connect();
    }

    private static void endUnavailable(List<CompletableFuture<?>> calls, long sinceNs) {
        for (CompletableFuture<?> call : calls) {
            Object outcome = Await.outcome(call);
            assertTrue(outcome instanceof RpcException e && e.status() == Status.UNAVAILABLE, "ended with " + outcome);
        }
        long tookNs = System.nanoTime() - sinceNs;
        System.out.println("all calls ended within ms=" + tookNs / 1_000_000);
        assertTrue(tookNs < ENDS_WITHIN_NS, "calls ended after ns=" + tookNs);
    }

    /** Starts a thread that calls without end, and counts its turns. */
    private static CompletableFuture<?> calling(List<AtomicLong> turns, LongConsumer call) {
        AtomicLong turn = new AtomicLong();
        turns.add(turn);
        return Await.start(() -> {
            while (true) {
                call.accept(turn.getAndIncrement());
            }
        });
    }

    /** Makes calls of every kind; they are under way when this returns. */
    private static List<CompletableFuture<?>> everyKindOfCall(RpcClient client) {
        Calls calls = client.stub(Calls.class);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        List<CompletableFuture<?>> all = new ArrayList<>();
        List<AtomicLong> turns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(async.hang(i));
            all.add(calls.hangLater(i));
        }
        all.add(Await.start(() -> calls.hang(9)));
        all.add(calling(turns, n -> assertEquals(n + 1, calls.add(n, 1))));
        all.add(calling(turns, calls::tick));
        byte[] body = Bytes.of(500_000, 1);
        all.add(calling(turns, n -> Bytes.assertSame(body, calls.echo(body), "rendezvous")));
        Await.until("calls to be under way", () -> turns.stream().allMatch(turn -> turn.get() > 5));
        all.forEach(call -> assertFalse(call.isDone(), () -> "ended before: " + Await.outcome(call)));
        return all;
    }

    @Test
    void aKilledServerEndsEveryCallAndItsSuccessorAtThePortServesTheSameStubs() {
        String address = newAddress();
        ChildJvm server = server(address);
        try (RpcClient client = client(address)) {
            Calls calls = client.stub(Calls.class);
            for (int round = 0; round < 2; round++) {
                List<CompletableFuture<?>> under = everyKindOfCall(client);
                long killedNs = System.nanoTime();
                server.kill();
                endUnavailable(under, killedNs);
                server.close();
                server = server(address);
                assertEquals(3, client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady()).add(1, 2));
                assertEquals(7, calls.add(3, 4));
            }
        } finally {
            server.close();
        }
    }

    @Test
    void anOldConnectionEndsAndNewOnesAreMadeAtOnceWhenTheServerIsBackBeforeAnybodyNoticed() {
        String address = newAddress();
        ChildJvm first = server(address);
        try (RpcClient old = RpcClient.builder(address).reconnect(false).keepAlive(IDLE).deadline(PATIENT).connect()) {
            assertEquals(3, old.stub(Calls.class).add(1, 2));
            CompletableFuture<?> pending = old.stub(Calls.class).hangLater(1);
            long killedNs = System.nanoTime();
            first.kill();
            try (ChildJvm second = server(address); RpcClient fresh = client(address)) {
                assertEquals(7, fresh.stub(Calls.class).add(3, 4));
                endUnavailable(List.of(pending), killedNs);
                RpcException e = assertThrows(RpcException.class, () -> old.stub(Calls.class).add(1, 2));
                assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
                assertEquals(9, fresh.stub(Calls.class).add(4, 5));
                assertTrue(second.isAlive());
            }
        } finally {
            first.close();
        }
    }

    @Test
    void aKilledServerLeavesItsClientsNothing() {
        String address = newAddress();
        try (ChildJvm warm = server(address); RpcClient client = client(address)) {
            assertEquals(3, client.stub(Calls.class).add(1, 2)); // threads of the process that stay have begun
            assertTrue(warm.isAlive());
        }
        Holdings before = Holdings.settled();
        endWithTheirServer(address);
        RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start().close(); // sweeps up the dead
        Holdings.awaitNoMoreThan(before);
    }

    /** Has a server killed that clients have calls under way at; in a method of its own, so that nothing holds them. */
    private static void endWithTheirServer(String address) {
        List<RpcClient> clients = new ArrayList<>();
        try (ChildJvm server = server(address)) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RpcClient client = client(address);
                clients.add(client);
                calls.add(client.stub(Calls.class).hangLater(i));
            }
            long killedNs = System.nanoTime();
            server.kill();
            endUnavailable(calls, killedNs);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    /** Returns the bytes of the memory of this process's devices. */
    static long bytes() {
        long pid = ProcessHandle.current().pid();
        try (var files = Files.walk(SharedMemoryFolder.path())) {
            return files.filter(file -> file.toString().contains("/d-" + pid + "-")).mapToLong(RoceDeathTest::size)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0; // gone meanwhile
        }
    }

    @Test
    void aKilledClientDisturbsNobodyAndLeavesNothing() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = RpcServer.builder().bind(newAddress()).service(Calls.class, impl).keepAlive(IDLE)
                .start()) {
            try (RpcClient other = client(server.address())) {
                Calls calls = other.stub(Calls.class);
                assertEquals(3, calls.add(1, 2));
                long bytes = bytes();
                Holdings before = Holdings.settled();
                for (int round = 0; round < 2; round++) {
                    try (ChildJvm victim = ChildMain.start("client", server.address())) {
                        victim.expect("PROGRESS " + (2 + round));
                        victim.kill();
                        for (int i = 0; i < 1000; i++) {
                            assertEquals(i, calls.add(i, 0));
                        }
                    }
                }
                impl.openGate(); // handlers of the dead end
                Await.until("one session to be left",
                        () -> Cores.of(server).budget().toString().startsWith("sessions=1 "));
                Waits.until("memory to be given back: before=" + bytes, () -> bytes() <= bytes + MEMORY_KEPT,
                        RoceDeathTest::bytes);
                // Threads of the executor stay for a while; files and mappings are what the device keeps.
                Holdings.awaitNoMoreThan(before, new Holdings(0, 16, 16, 16));
            }
            Await.until("sessions to be freed", () -> Cores.of(server).budget().isEmpty());
        }
    }

    @Test
    void aServerThatIsStoppedForLongIsGivenUpAndServesAgain() {
        String address = newAddress();
        try (ChildJvm server = server(address); RpcClient client = client(address)) {
            Calls calls = client.stub(Calls.class);
            assertEquals(3, calls.add(1, 2));
            server.stop();
            long stoppedNs = System.nanoTime();
            endUnavailable(List.of(Await.start(() -> calls.add(1, 2)), calls.hangLater(1)), stoppedNs);
            server.resume();
            assertEquals(3, client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady()).add(1, 2));
        }
    }

    @Test
    void aPortOfAnotherProcessIsRefusedUntilThatDies() {
        String address = newAddress();
        ChildJvm owner = server(address);
        try (RpcClient client = client(address)) {
            RuntimeException e = assertThrows(RuntimeException.class,
                    () -> RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start());
            assertTrue(e.getMessage().contains("in use"), e.getMessage());
            assertEquals(3, client.stub(Calls.class).add(1, 2));
        } finally {
            owner.close();
        }
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RpcClient client = client(server.address())) {
            assertEquals(3, client.stub(Calls.class).add(1, 2));
        }
    }

    @Test
    void aThousandConnectsLeakNeitherSocketsNorMappingsNorFiles() throws IOException {
        Path folder = Files.createTempDirectory(SharedMemoryFolder.path(), "leak");
        try (ChildJvm child = ChildMain.command("leaks", newAddress()).option("-Xmx64m")
                .property(SharedMemoryFolder.PROPERTY, folder).start()) {
            Holdings early = Holdings.parse(child.expect("EARLY"));
            Holdings late = Holdings.parse(child.expect("LATE"));
            assertTrue(late.isWithin(early.plus(new Holdings(10, 10, 10, 10))), early + " then " + late);
        }
    }
}
