package org.jvrpc.router.leave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RouterOfTwo;
import org.jvrpc.router.RouterStatus;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.FrameWriter;
import org.jvrpc.softrnic.router.wire.Welcome;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** A tenant's device that ends in the middle of something costs its router and its tenant nothing afterwards. */
class LeavingTest extends RouterOfTwo {

    private static final String PATIENCE = "jvrpc.router.command.ms";

    private Map<QuotaKind, Long> has(String tenant) {
        return status().tenants().stream().filter(one -> one.id().name().equals(tenant)).findFirst().orElseThrow()
                .has();
    }

    /** Waits until nothing is left of the devices of the second tenant, at the router and in its folder. */
    private void awaitNothing() {
        Waits.until("all to be given back", () -> {
            RouterStatus now = status();
            return now.devices() == 0 && now.connections() == 0 && now.connecting() == 0 && now.listeners() == 0
                    && has("two").values().stream().allMatch(count -> count == 0);
        }, () -> status() + " " + devices());
        router.open("two").close(); // which removes what is left of a process that was killed
        assertEquals(List.of(), devices());
    }

    private List<Path> devices() {
        try (Stream<Path> files = Files.list(router.dir("two"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("d-")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the first tenant is on its way, so that who connects to it waits. */
    private void move() {
        router.view().put(new Home(new VirtualAddress("10.77.0.1"), ONE, "elsewhere", 2, Home.State.MOVING));
    }

    private static QueuePair qp(Device device) {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        QueuePair qp = device.allocatePd().createQp(new QueuePairAttributes(cq, cq).depth(4, 4));
        qp.init();
        return qp;
    }

    private Connection connect(Device device, QueuePair qp, long timeoutNs) {
        return device.connect("router://10.77.0.1:7000", qp, new byte[0], device.createChannel(), timeoutNs);
    }

    @Test
    void whoConnectsIsToldWhenItsDeviceIsClosed() {
        move();
        Device device = router.open("two");
        QueuePair qp = qp(device);
        CompletableFuture<Connection> connecting = CompletableFuture.supplyAsync(() ->
                connect(device, qp, 10 * Waits.limitNs()));
        Waits.until("the connector to wait", () -> status().connecting() == 1);
        device.close();
        CompletionException e = assertThrows(CompletionException.class, () ->
                connecting.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join());
        assertTrue(e.getCause() instanceof ConnectionException, () -> "ended with " + e.getCause());
        awaitNothing();
    }

    @Test
    void connectorsThatGaveUpWaitAtTheRouterNoMore() {
        move();
        try (Device device = router.open("two")) {
            for (int i = 0; i < 100; i++) { // more than a tenant may have that wait
                QueuePair qp = qp(device);
                ConnectionException e = assertThrows(ConnectionException.class, () -> connect(device, qp, 1_000_000));
                assertEquals(ConnectionException.Reason.TIMEOUT, e.reason(), e::toString);
                qp.close();
            }
            assertEquals(0, status().connecting());
        }
        awaitNothing();
    }

    @Test
    void aThreadThatIsInterruptedLosesNoAnswer() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try (Device device = router.open("two")) {
                Thread.currentThread().interrupt();
                for (int i = 0; i < 50; i++) {
                    Churn.round(device, 0);
                }
                done.complete(Thread.interrupted());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        thread.start();
        assertTrue(done.get(Waits.limitNs(), TimeUnit.NANOSECONDS), "the interrupt is lost");
        thread.join();
        awaitNothing();
    }

    @Test
    void aDeviceThatIsClosedWhileOthersMakeThingsOfItLeavesNothing() throws Exception {
        for (int round = 0; round < 10; round++) {
            Device device = router.open("two");
            CountDownLatch begun = new CountDownLatch(2);
            List<CompletableFuture<Void>> users = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                users.add(CompletableFuture.runAsync(() -> useUntilItEnds(device, begun)));
            }
            assertTrue(begun.await(Waits.limitNs(), TimeUnit.NANOSECONDS));
            device.close();
            for (CompletableFuture<Void> user : users) {
                user.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
            }
        }
        awaitNothing();
    }

    private static void useUntilItEnds(Device device, CountDownLatch begun) {
        VerbsException refusal = null;
        for (int i = 0; refusal == null; i++) {
            try {
                Churn.round(device, i);
            } catch (VerbsException e) {
                refusal = e;
            }
            begun.countDown();
        }
        assertNotNull(refusal.getMessage());
    }

    @Test
    void aProcessThatIsKilledLeavesNothingAndItsMemoryIsGivenBack() {
        for (int i = 0; i < 2; i++) {
            try (ChildJvm child = JavaCommand.of(Churn.class).option("-Xmx64m")
                    .arguments("router://10.77.0.2:0?dir=" + router.dir("two")).start()) {
                child.expect("BUSY");
                Waits.until("some QPs to be there", () -> has("two").getOrDefault(QuotaKind.QPS, 0L) > 4);
                child.kill();
            }
            awaitNothing();
        }
    }

    @Test
    void aRouterThatDoesNotAnswerIsLeftAndTheOthersWaitNoLonger() throws Exception {
        Path silent = Files.createDirectory(folder.resolve("silent"));
        String before = System.setProperty(PATIENCE, "200");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(silent.resolve("s")));
            CompletableFuture<Integer> frames = CompletableFuture.supplyAsync(() -> welcomeOnly(listener));
            try (Device device = Devices.open("router://10.77.0.2:0?dir=" + silent)) {
                VerbsException e = assertThrows(VerbsException.class, () -> qp(device));
                assertEquals(VerbsException.Why.GONE, e.why());
                assertTrue(e.getMessage().contains("did not answer in 200 ms"), e.getMessage());
                assertTrue(frames.get(Waits.limitNs(), TimeUnit.NANOSECONDS) > 0, "the socket is open still");
            }
        } finally {
            if (before == null) {
                System.clearProperty(PATIENCE);
            } else {
                System.setProperty(PATIENCE, before);
            }
        }
    }

    /** Lets a device in and says nothing more; returns how many commands came until it went. */
    private static int welcomeOnly(ServerSocketChannel listener) {
        int count = 0;
        try (SocketChannel socket = listener.accept()) {
            FrameReader reader = new FrameReader();
            ControlFrame hello = reader.read(socket);
            new FrameWriter(socket, () -> { }).write(new Welcome(ControlFrame.VERSION, 0, 1, 1, "two", "10.77.0.2")
                    .frame(hello.id()));
            while (reader.read(socket) != null) {
                count++;
            }
            return count;
        } catch (IOException e) {
            return count; // it has gone
        }
    }
}
