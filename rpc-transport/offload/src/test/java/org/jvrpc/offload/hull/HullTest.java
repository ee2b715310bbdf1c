package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;

/** A hull, its application and a client of lookups, each in a process of its own; and who dies when. */
final class HullTest {

    private static final long TIMEOUT_NS = Waits.limitNs();

    private Device device;
    private EventChannel channel;

    @BeforeEach
    void openDevice() {
        device = Devices.open("shm://any");
        channel = device.createChannel();
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private OffloadClient connect(HullProcess hull) {
        return OffloadClient.connect(device, hull.address, HullApp.NAME, 256, channel, TIMEOUT_NS);
    }

    /** Gets without end, until it is stopped or a get goes wrong. */
    private final class Load implements AutoCloseable {

        private final AtomicLong gets = new AtomicLong();
        private final AtomicReference<String> failure = new AtomicReference<>();
        private final Thread thread = new Thread(this::run, "load");
        private final OffloadClient client;
        private volatile boolean stopped;
        private long longestNs;

        Load(HullProcess hull) {
            client = connect(hull);
            thread.start();
        }

        private void run() {
            try {
                HullTable.Reader reader = new HullTable.Reader(client);
                long beforeNs = System.nanoTime();
                while (!stopped) {
                    String wrong = reader.next();
                    if (wrong != null) {
                        failure.set(wrong + " after gets=" + gets);
                        return;
                    }
                    long nowNs = System.nanoTime();
                    longestNs = Math.max(longestNs, nowNs - beforeNs);
                    beforeNs = nowNs;
                    if ((gets.incrementAndGet() & 0x3ff) == 0) {
                        channel.await(0);
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                failure.set(e.toString());
            }
        }

        void awaitMore(long count) {
            long least = gets.get() + count;
            Waits.until("gets=" + least, () -> gets.get() >= least || failure.get() != null);
            assertNull(failure.get());
        }

        void stop() throws InterruptedException {
            stopped = true;
            thread.join(TIMEOUT_NS / 1_000_000);
            assertFalse(thread.isAlive(), "the load does not end");
            assertNull(failure.get());
        }

        @Override
        public void close() {
            stopped = true;
            try {
                thread.join(TIMEOUT_NS / 1_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            client.close();
        }
    }

    @Test
    void getsGoOnWhileTheApplicationIsKilledAndComesBack() throws InterruptedException {
        try (HullProcess hull = HullProcess.of("serve", "--quick-ms", "0")) {
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("formatted");
            assertEquals("1 NEW word=0", hull.expect("ready"));
            try (Load load = new Load(hull)) {
                for (int generation = 2; generation <= 5; generation++) {
                    assertEquals(Long.toString((generation - 1) * 1000 + 7), hull.expect("wrote"));
                    load.awaitMore(10_000);
                    Processes.kill(app);
                    long killed = app;
                    Waits.until("the end of the application", () -> !Processes.isRunning(killed));
                    long atDeath = load.gets.get();
                    app = Long.parseLong(hull.expect("started"));
                    // The word that the application before wrote is there: nothing was built anew.
                    assertEquals(generation + " SAME word=" + ((generation - 1) * 1000 + 7), hull.expect("ready"));
                    long meanwhile = load.gets.get() - atDeath;
                    assertTrue(meanwhile > 1000, "gets while there was no application: " + meanwhile);
                    System.out.println("generation " + generation + ": gets while there was no application="
                            + meanwhile);
                }
                load.awaitMore(10_000);
                load.stop();
                System.out.println("gets=" + load.gets + " longest us=" + load.longestNs / 1000);
            }
            hull.jvm.tell("exit 0");
            assertEquals(0, hull.end());
            assertFalse(Processes.isRunning(app));
            assertFalse(Files.exists(hull.control), "the control socket stays behind");
        }
    }

    @Test
    void clientsOfAKilledHullAreToldAndItsApplicationEnds() {
        try (HullProcess hull = HullProcess.outlived("serve")) {
            long process = hull.process();
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("ready");
            try (OffloadClient client = connect(hull)) {
                HullTable.Reader reader = new HullTable.Reader(client);
                for (int i = 0; i < 1000; i++) {
                    assertNull(reader.next());
                }
                Processes.kill(process);
                assertEquals("137", hull.expect("ended with"));
                Waits.until("the end of the connection", () -> {
                    Outcome outcome = reader.get(1);
                    assertTrue(outcome == Outcome.FOUND || outcome == Outcome.BROKEN, outcome::toString);
                    channel.await(0);
                    return outcome == Outcome.BROKEN;
                });
                assertTrue(client.isBroken());
                assertEquals(Outcome.BROKEN, reader.get(1));
            }
            Waits.until("the end of the application", () -> !Processes.isRunning(app));
            assertThrows(VerbsException.class, () -> connect(hull));
            assertThrows(VerbsException.class, () -> HullClient.attach(device, hull.control, () -> { }));
        }
    }

    @Test
    void anApplicationThatDoesNotEndIsHaltedWhenItsHullIsKilled() {
        try (HullProcess hull = HullProcess.outlived("stubborn")) {
            long process = hull.process();
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("ready");
            Processes.kill(process);
            hull.expect("asked to end");
            Waits.until("the end of the application", () -> !Processes.isRunning(app));
        }
    }

    @Test
    void aHullThatWasKilledIsFollowedByAnotherOfTheSameAddress() {
        try (HullProcess hull = HullProcess.of("serve")) {
            hull.expect("ready");
            hull.jvm.kill();
            hull.end();
            assertTrue(Files.exists(hull.control), "who is killed leaves its socket");
            try (HullProcess next = HullProcess.ofCommand(
                    List.of("true"), "--address", hull.address, "--control", hull.control.toString())) {
                assertEquals(0, next.end());
            }
        }
    }

    @Test
    void aSecondHullOfTheSameControlIsRefused() {
        try (HullProcess hull = HullProcess.of("idle")) {
            hull.expect("started");
            try (HullProcess next = HullProcess.of("idle", "--control", hull.control.toString())) {
                assertTrue(next.expect("hull: control=").contains("living hull"));
                assertEquals(1, next.end());
            }
            try (HullProcess next = HullProcess.of("idle", "--address", hull.address)) {
                assertTrue(next.expect("hull: listen:").contains(hull.address));
                assertEquals(1, next.end());
            }
        }
    }

    @Test
    void sigtermEndsTheApplicationThenTheHull() {
        try (HullProcess hull = HullProcess.of("serve")) {
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("ready");
            hull.jvm.terminate();
            hull.expect("asked to end");
            assertEquals(143, hull.end());
            assertFalse(Processes.isRunning(app));
            assertFalse(Files.exists(hull.control));
        }
    }

    @Test
    void anApplicationThatDoesNotEndIsKilled() {
        try (HullProcess hull = HullProcess.of("stubborn", "--stop-ms", "3000")) {
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("ready");
            hull.jvm.terminate();
            hull.expect("asked to end");
            hull.expect("hull: the application did not end in ms=3000: killing it");
            assertEquals(143, hull.end());
            assertFalse(Processes.isRunning(app));
        }
    }

    @Test
    void whatAScriptStartedEndsWithIt() {
        try (HullProcess hull = HullProcess.ofCommand(List.of("sh", "-c", "sleep 1000 & echo started $!; wait"))) {
            long sleep = Long.parseLong(hull.expect("started"));
            hull.jvm.terminate();
            assertEquals(143, hull.end());
            Waits.until("the end of what the script started", () -> !Processes.isRunning(sleep));
        }
    }

    @Test
    void sigtermEndsAHullThatWaitsToStartItsApplicationAgain() {
        try (HullProcess hull = HullProcess.of("dies", "--quick-deaths", "1000", "--quick-ms", "60000")) {
            long app = Long.parseLong(hull.expect("started"));
            assertTrue(hull.expect("hull: the application died, status=3").contains("in ms=100"));
            assertTrue(hull.expect("hull: the application died, status=3").contains("in ms=200"));
            hull.jvm.terminate();
            assertEquals(143, hull.end());
            assertFalse(Processes.isRunning(app));
        }
    }

    @Test
    void anApplicationThatKeepsDyingIsGivenUp() {
        try (HullProcess hull = HullProcess.of("dies", "--quick-deaths", "3", "--quick-ms", "60000")) {
            for (int i = 0; i < 3; i++) {
                hull.expect("started");
            }
            assertTrue(hull.expect("hull: the application died, status=3").contains("ending after quick deaths=3"));
            assertEquals(3, hull.end());
        }
    }

    @Test
    void withoutRestartTheApplicationsEndIsTheHulls() {
        try (HullProcess hull = HullProcess.of("idle", "--no-restart")) {
            Processes.kill(Long.parseLong(hull.expect("started")));
            hull.expect("hull: the application died, status=137");
            assertEquals(137, hull.end());
        }
    }

    @Test
    void aCommandThatCannotBeStartedIsNamed() {
        try (HullProcess hull = HullProcess.ofCommand(List.of("/no/such/command"))) {
            assertTrue(hull.expect("hull: cannot start the application:").contains("/no/such/command"));
            assertEquals(127, hull.end());
        }
    }

    @Test
    void moreMemoryThanThereIsIsRefusedWithTheAmount() {
        try (HullProcess hull = HullProcess.of("idle", "--bytes", "900000g")) {
            assertTrue(hull.expect("hull: alloc:").contains(Long.toString(900000L << 30)));
            assertEquals(1, hull.end());
        }
    }

    @Test
    void aBadCommandLineIsAnsweredWithTheUsage() {
        try (HullProcess hull = HullProcess.of("idle", "--byte", "1")) {
            hull.expect("hull: unknown option: --byte");
            hull.expect("usage:");
            assertEquals(2, hull.end());
        }
    }

    @Test
    void anOfferThatCannotBeIsTheApplicationsError() {
        try (HullProcess hull = HullProcess.of("overbearing", "--no-restart")) {
            assertTrue(hull.expect("Exception in thread \"main\"").contains("header=" + (1L << 40)));
            assertEquals(1, hull.end());
        }
    }

    @Test
    void getsNeedNoCpuOfTheHull() throws Exception {
        try (HullProcess hull = HullProcess.of("serve")) {
            hull.expect("ready");
            try (Load load = new Load(hull)) {
                load.awaitMore(100);
                hull.jvm.stop();
                load.awaitMore(50_000);
                hull.jvm.resume();
                load.stop();
            }
        }
    }

    @Test
    void onlyOneApplicationIsAttached() {
        try (HullProcess hull = HullProcess.of("serve")) {
            long app = Long.parseLong(hull.expect("started"));
            hull.expect("ready");
            VerbsException e = assertThrows(VerbsException.class,
                    () -> HullClient.attach(device, hull.control, () -> { }));
            assertTrue(e.getMessage().contains("another application is attached: process=" + app), e.getMessage());
        }
    }

    @Test
    void whoWasNotStartedByAHullIsTold() {
        assertFalse(HullClient.isInHull());
        assertTrue(assertThrows(VerbsException.class, () -> HullClient.attach(device)).getMessage()
                .contains(HullClient.VARIABLE));
        Path nowhere = SharedMemoryFolder.path().resolve("nowhere.control");
        assertTrue(assertThrows(VerbsException.class, () -> HullClient.attach(device, nowhere, () -> { })).getMessage()
                .contains(nowhere.toString()));
    }
}
