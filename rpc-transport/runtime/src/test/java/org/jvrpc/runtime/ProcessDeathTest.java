package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;

/** Processes that are killed or stopped in the middle of calls. */
class ProcessDeathTest {

    /** 16 MiB of empty slabs, which a device keeps for the next session, and 20 for what the living have under way. */
    private static final long MEMORY_KEPT = 36L << 20;

    /** Far less than the deadline of the calls, 30 s, by which they would end in any case. */
    private static final long ENDS_WITHIN_NS = 15_000_000_000L;

    private static ChildJvm server(String address) {
        ChildJvm child = ChildMain.start("server", address);
        child.expect("READY");
        return child;
    }

    private static void endedBy(Status status, Object outcome) {
        assertTrue(outcome instanceof RpcException e && e.status() == status, "ended with " + outcome);
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

    /** Makes calls of every kind that are under way when the server dies; counts how often they end. */
    private static List<CompletableFuture<?>> everyKindOfCall(
            RpcClient client, AtomicLong endings, List<AtomicLong> turns) {
        Calls calls = client.stub(Calls.class);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(async.hang(i));
            all.add(calls.hangLater(i));
        }
        for (int i = 0; i < 2; i++) {
            all.add(Await.start(() -> calls.hang(9)));
            all.add(calling(turns, n -> assertEquals(n + 1, calls.add(n, 1))));
            byte[] body = Bytes.of(2_000_000 << 2 * i, 1);
            // Heavy ones wait behind those that hang.
            all.add(calling(new ArrayList<>(), n -> Bytes.assertSame(body, calls.echo(body), "rendezvous")));
        }
        all.add(calling(turns, calls::tick));
        all.forEach(call -> call.whenComplete((value, failure) -> endings.incrementAndGet()));
        return all;
    }

    @Test
    void aKilledServerEndsEveryCallAndItsSuccessorServesTheSameStubs() {
        String address = ShmFolder.address();
        ChildJvm server = server(address);
        try (RpcClient client = RpcClient.connect(address)) {
            Calls calls = client.stub(Calls.class);
            for (int round = 0; round < 3; round++) {
                AtomicLong endings = new AtomicLong();
                List<AtomicLong> turns = new ArrayList<>();
                List<CompletableFuture<?>> under = everyKindOfCall(client, endings, turns);
                long least = 5 + 7L * round;
                Await.until("calls to be under way",
                        () -> turns.stream().allMatch(turn -> turn.get() > least) || endings.get() > 0);
                assertEquals(0, endings.get(), () -> "ended before: " + under.stream().filter(CompletableFuture::isDone)
                        .map(Await::outcome).toList());
                long killedNs = System.nanoTime();
                server.kill();
                for (CompletableFuture<?> call : under) {
                    endedBy(Status.UNAVAILABLE, Await.outcome(call));
                }
                long tookNs = System.nanoTime() - killedNs;
                assertTrue(tookNs < ENDS_WITHIN_NS, "calls ended after ns=" + tookNs);
                Await.until("each ending once", () -> endings.get() == under.size());
                assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, calls::nothing).status());
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
    void aKilledServerOfManyClientsEndsTheCallsOfEach() {
        String address = ShmFolder.address();
        List<RpcClient> clients = new ArrayList<>();
        try (ChildJvm server = server(address)) {
            List<CompletableFuture<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                RpcClient client = RpcClient.connect(address);
                clients.add(client);
                calls.add(client.asyncStub(Calls.class, CallsAsync.class).hang(i));
            }
            long killedNs = System.nanoTime();
            server.kill();
            calls.forEach(call -> endedBy(Status.UNAVAILABLE, Await.outcome(call)));
            assertTrue(System.nanoTime() - killedNs < ENDS_WITHIN_NS, "ns=" + (System.nanoTime() - killedNs));
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    /** Returns the bytes of all files in the folder. */
    private static long bytes() {
        try (var files = Files.walk(SharedMemoryFolder.path())) {
            return files.mapToLong(file -> {
                try {
                    return Files.isRegularFile(file) ? Files.size(file) : 0;
                } catch (IOException e) {
                    return 0; // gone meanwhile
                }
            }).sum();
        } catch (UncheckedIOException e) {
            return Long.MAX_VALUE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasFolder(long pid) {
        try (var folders = Files.newDirectoryStream(SharedMemoryFolder.path(), "d-" + pid + "-*")) {
            return folders.iterator().hasNext();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aKilledClientDisturbsNobodyAndLeavesNothing() {
        String address = ShmFolder.address();
        CallsImpl impl = new CallsImpl();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong good = new AtomicLong();
        List<RpcClient> clients = new ArrayList<>();
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, impl).start()) {
            List<CompletableFuture<Boolean>> others = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                RpcClient client = RpcClient.connect(server.address());
                clients.add(client);
                Calls calls = client.stub(Calls.class);
                int mine = t;
                others.add(Await.start(() -> {
                    for (int i = 0; !over.get(); i++) {
                        byte[] body = Bytes.of(i % 9000, mine);
                        Bytes.assertSame(body, calls.echo(body), "echo");
                        good.incrementAndGet();
                    }
                    return true;
                }));
            }
            Await.until("the others", () -> good.get() > 100);
            long before = bytes();
            for (int round = 0; round < 3; round++) {
                try (ChildJvm victim = ChildMain.start("client", address)) {
                    victim.expect("PROGRESS " + (10 + round));
                    long soFar = good.get();
                    victim.kill();
                    Await.until("the folder of the dead to go", () -> !hasFolder(victim.pid()));
                    Waits.until("memory to be given back: before=" + before,
                            () -> bytes() <= before + MEMORY_KEPT, ProcessDeathTest::bytes);
                    Await.until("the others to go on", () -> good.get() > soFar + 100);
                }
            }
            impl.openGate();
            Waits.until("memory of handlers to be given back: before=" + before,
                    () -> bytes() <= before + MEMORY_KEPT, ProcessDeathTest::bytes);
            over.set(true);
            others.forEach(Await::join);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    @Test
    void deadlinesHoldWhileTheServerIsStopped() {
        String address = ShmFolder.address();
        try (ChildJvm server = server(address);
                RpcClient client = RpcClient.connect(address)) {
            CallOptions brief = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(150));
            Calls calls = client.stub(Calls.class, brief);
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class, brief);
            assertEquals(3, client.stub(Calls.class).add(1, 2));
            server.stop();
            long startNs = System.nanoTime();
            CompletableFuture<Long> future = async.add(1, 2);
            CompletableFuture<byte[]> heavy = async.echoHeavy(new byte[1_000_000]);
            assertEquals(Status.DEADLINE_EXCEEDED,
                    assertThrows(RpcException.class, () -> calls.add(1, 2)).status());
            assertEquals(Status.DEADLINE_EXCEEDED,
                    assertThrows(RpcException.class, () -> calls.echo(new byte[1_000_000])).status());
            endedBy(Status.DEADLINE_EXCEEDED, Await.outcome(future));
            endedBy(Status.DEADLINE_EXCEEDED, Await.outcome(heavy));
            assertEquals(Status.DEADLINE_EXCEEDED, assertThrows(RpcException.class, () -> {
                for (int i = 0; i < 1000; i++) {
                    calls.tick(i);
                }
            }).status());
            assertTrue(System.nanoTime() - startNs < ENDS_WITHIN_NS, "ns=" + (System.nanoTime() - startNs));
            server.resume();
            Calls patient = client.stub(Calls.class);
            for (int i = 0; i < 200; i++) {
                assertEquals(i + 1, patient.add(i, 1));
            }
        }
    }

    @Test
    void callsGivenUpWhileTheServerWasStoppedAreNotRun() {
        String address = ShmFolder.address();
        try (ChildJvm server = server(address);
                RpcClient client = RpcClient.builder(address).initialSlots(64).connect()) {
            Calls patient = client.stub(Calls.class);
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class,
                    CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(150)));
            assertEquals(0, patient.callBack(0));
            for (int round = 0; round < 3; round++) {
                server.stop();
                List<CompletableFuture<Void>> calls = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    calls.add(async.nothing());
                }
                calls.forEach(call -> endedBy(Status.DEADLINE_EXCEEDED, Await.outcome(call)));
                server.resume();
                assertEquals(0, patient.callBack(0), "handlers that ran for nobody, round " + round);
                for (int i = 0; i < 100; i++) {
                    assertEquals(i + 1, patient.add(i, 1));
                }
            }
        }
    }

    @Test
    void aStoppedClientHoldsUpNobodyAndGoesOnLater() {
        String address = ShmFolder.address();
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RpcClient other = RpcClient.builder(server.address()).deadline(Duration.ofSeconds(20)).connect();
                ChildJvm stopped = ChildMain.start("client", address)) {
            Calls calls = other.stub(Calls.class);
            stopped.expect("PROGRESS 5");
            for (int round = 0; round < 3; round++) {
                stopped.stop();
                long untilNs = System.nanoTime() + 200_000_000;
                for (int i = 0; i < 1000 || System.nanoTime() < untilNs; i++) {
                    assertEquals(i + 1, calls.add(i, 1));
                }
                stopped.forget();
                stopped.resume();
                stopped.expect("PROGRESS");
                stopped.expect("PROGRESS");
            }
        }
    }

    @Test
    void aNameInUseByAnotherProcessIsRefusedUntilThatDies() {
        String address = ShmFolder.address();
        ChildJvm owner = server(address);
        try (RpcClient client = RpcClient.connect(address)) {
            RuntimeException e = assertThrows(RuntimeException.class,
                    () -> RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start());
            assertTrue(e.getMessage().contains("in use by a living process"), e.getMessage());
            assertEquals(3, client.stub(Calls.class).add(1, 2));
        } finally {
            owner.close();
        }
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RpcClient client = RpcClient.connect(server.address())) {
            assertEquals(3, client.stub(Calls.class).add(1, 2));
        }
    }

    @Test
    void aThousandConnectsLeakNeitherDescriptorsNorMappingsNorFiles() throws IOException {
        Path folder = Files.createTempDirectory(SharedMemoryFolder.path(), "leak");
        try (ChildJvm child = ChildMain.command("leaks", ShmFolder.address()).option("-Xmx64m")
                .property(SharedMemoryFolder.PROPERTY, folder).start()) {
            Holdings early = Holdings.parse(child.expect("EARLY"));
            Holdings late = Holdings.parse(child.expect("LATE"));
            assertTrue(late.isWithin(early.plus(new Holdings(10, 10, 10, 10))), early + " then " + late);
        }
    }
}
