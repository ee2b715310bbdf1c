package org.jvrpc.watch.rperf.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.PairEngine;
import org.jvrpc.watch.rperf.PairLoop;
import org.jvrpc.watch.rperf.RperfResult;
import org.jvrpc.watch.rperf.control.Order;

/** Pairs over the devices in software. */
class VerbsPairsTest {

    private static final int BYTES = 4096;
    private static final long MS = 1_000_000;

    /** A sink and the thread that runs it. */
    private static final class Peer implements AutoCloseable {
        final PairSink sink;
        final Thread thread;

        Peer(String address) {
            SharedMemoryFolder.path(); // fails where it would be the user's own folder
            sink = PairSink.open(address, BYTES);
            thread = new Thread(sink::run, "sink");
            thread.start();
        }

        @Override
        public void close() {
            sink.stop();
            try {
                thread.join(TimeUnit.NANOSECONDS.toMillis(Waits.limitNs()));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertTrue(!thread.isAlive(), "the sink goes on");
            sink.close();
        }
    }

    private static RperfResult measure(VerbsPairs pairs, LoadPattern pattern) {
        PairEngine engine = new PairEngine(pairs, pattern, 0, 200 * MS);
        PairLoop.run(engine, pairs, () -> true);
        return engine.result("test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce://127.0.0.1:0", "shm://rperf-test"})
    void pairsCompleteOverTheWireAndByLoopback(String address) {
        try (Peer peer = new Peer(address);
                VerbsPairs pairs = VerbsPairs.open(new VerbsPairs.Plan(peer.sink.address(), 3, 6, BYTES, true))) {
            RperfResult result = measure(pairs, LoadPattern.ofBytes(64).withOutstanding(6));
            assertEquals(null, result.trouble());
            assertEquals(null, result.notSubtracted());
            assertEquals(0, result.unfinished());
            assertTrue(result.pairs() >= 1, "pairs=" + result.pairs());
            assertEquals(result.pairs(), result.wire().count());
            assertEquals(result.pairs(), result.loopback().count());
            assertEquals(result.pairs(), result.rtt().count() + result.zeroOrLess());
        }
    }

    @Test
    void onlyWhatGoesOverTheWireIsSentWhereNoLoopbackIsAskedFor() {
        try (Peer peer = new Peer("roce://127.0.0.1:0");
                VerbsPairs pairs = VerbsPairs.open(new VerbsPairs.Plan(peer.sink.address(), 1, 8, BYTES, false))) {
            RperfResult result = measure(pairs, LoadPattern.ofBytes(BYTES).withOutstanding(8));
            assertEquals(null, result.trouble());
            assertTrue(!result.isSubtracted());
            assertTrue(result.pairs() >= 1, "pairs=" + result.pairs());
            assertTrue(result.gbps() > 0);
        }
    }

    /**
     * Returns how many UDP sockets of this process are connected: a software RNIC has one for each class of service
     * and peer, that QPs have in common.
     */
    private static long sockets() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/udp"));
                DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            Set<String> own = new HashSet<>();
            for (Path file : files) {
                if (Files.isSymbolicLink(file)) {
                    own.add(link(file));
                }
            }
            return lines.skip(1).map(line -> line.strip().split(" +"))
                    .filter(words -> !words[2].equals("00000000:0000") && own.contains("socket:[" + words[9] + "]"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String link(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    @Test
    void qpsTakeServiceLevelsInTurnAndThePeersQpsHaveTheSame() {
        List<ServiceClass> services = List.of(ServiceClass.DEFAULT, ServiceClass.ofLevel(3));
        long before = sockets();
        try (Peer peer = new Peer("roce://127.0.0.1:0");
                VerbsPairs pairs = VerbsPairs.open(
                        new VerbsPairs.Plan(peer.sink.address(), 3, 6, 64, true, services))) {
            RperfResult result = measure(pairs, LoadPattern.ofBytes(64).withOutstanding(6));
            assertEquals(null, result.trouble());
            assertEquals(0, result.unfinished());
            Waits.until("two sockets here and two there", () -> sockets() == before + 4, () -> sockets() - before);
        }
        assertThrows(IllegalArgumentException.class, () -> new VerbsPairs.Plan("roce://x:1", 1, 1, 1, true, services));
    }

    @Test
    void aMeasurementThatSomebodyElseAsksForHasItsServiceLevels() {
        long before = sockets();
        try (Peer peer = new Peer("roce://127.0.0.1:0");
                VerbsMeasurement measurement = VerbsMeasurement.prepare(new Order(peer.sink.address(), 2, false,
                        LoadPattern.ofBytes(64), 0, MS, List.of(0, 3)))) {
            assertEquals(0, measurement.pairs());
            Waits.until("two sockets here and two there", () -> sockets() == before + 4, () -> sockets() - before);
        }
    }

    /** Where a connection manager tells nothing of it. */
    @Test
    void thePeersQpHasTheClassThatTheGreetingAsksFor() {
        long before = sockets();
        try (Peer peer = new Peer("roce://127.0.0.1:0"); Device device = Devices.open("roce://127.0.0.1:1")) {
            EventChannel channel = device.createChannel();
            ProtectionDomain pd = device.allocatePd();
            CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(4));
            for (ServiceClass service : List.of(ServiceClass.DEFAULT, ServiceClass.ofLevel(3))) {
                QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq));
                qp.init();
                device.connect(peer.sink.address(), qp, Greeting.of(64, service).encode(), channel, 30_000 * MS);
            }
            Waits.until("a socket here and two there", () -> sockets() == before + 3, () -> sockets() - before);
        }
    }

    @Test
    void withinAHostServiceLevelsMeanNothingWhichIsSaid() {
        VerbsException e = assertThrows(VerbsException.class, () -> VerbsPairs.open(new VerbsPairs.Plan(
                "shm://rperf-nobody", 1, 1, 64, true, List.of(ServiceClass.ofLevel(3)))));
        assertTrue(e.getMessage().contains("shm://rperf-nobody"), e.getMessage());
    }

    @Test
    void longerMessagesThanThePeerTakesAreRefusedWithBothLengths() {
        try (Peer peer = new Peer("roce://127.0.0.1:0")) {
            ConnectionException e = assertThrows(ConnectionException.class, () -> VerbsPairs.open(
                    new VerbsPairs.Plan(peer.sink.address(), 1, 1, BYTES + 1, true)));
            String reason = new String(e.privateData(), StandardCharsets.US_ASCII);
            assertTrue(reason.contains("bytes=" + (BYTES + 1)), reason);
        }
    }

    @Test
    void aPeerThatGoesAwayEndsTheMeasurement() {
        Peer peer = new Peer("shm://rperf-gone");
        try (VerbsPairs pairs = VerbsPairs.open(new VerbsPairs.Plan(peer.sink.address(), 1, 1, 64, true))) {
            PairEngine engine = new PairEngine(pairs, LoadPattern.ofBytes(64), 0, 20_000 * MS);
            engine.advance();
            peer.close();
            PairLoop.run(engine, pairs, () -> true);
            assertTrue(engine.result("x").trouble() != null, "it ran on to its end");
        }
    }

    @Test
    void aGreetingIsReadAsItWasWritten() {
        for (ServiceClass service : new ServiceClass[] {ServiceClass.DEFAULT, new ServiceClass(15, 255)}) {
            byte[] padded = Arrays.copyOf(Greeting.of(4096, service).encode(), 56);
            assertEquals(Greeting.of(4096, service), Greeting.decode(padded));
        }
        assertEquals(1, Greeting.of(1, ServiceClass.DEFAULT).version());
        assertEquals(2, Greeting.of(1, ServiceClass.ofLevel(1)).version());
        byte[] forged = Greeting.of(1, ServiceClass.DEFAULT).encode();
        forged[5] = 16;
        assertEquals(null, Greeting.decode(forged));
        assertEquals(null, Greeting.decode(new byte[11]));
        assertEquals(null, Greeting.decode(new byte[12]));
    }
}
