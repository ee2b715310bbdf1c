package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** What an application asks of its hull, all in one process. */
class ControlTest {

    private static final long TIMEOUT_NS = Waits.limitNs();

    private final String address = SharedMemoryFolder.freshAddress();
    private final Path path = HullProcess.controlOf(address);
    private final CountDownLatch gone = new CountDownLatch(1);
    private Device hullDevice;
    private Device device;
    private EventChannel channel;
    private OffloadHost host;
    private ControlPort port;
    private HullDesk desk;

    @BeforeEach
    void open() throws IOException {
        hullDevice = Devices.open(address);
        device = Devices.open(address);
        channel = device.createChannel();
        host = new OffloadHost(hullDevice, address);
        MemoryRegion data = hullDevice.allocatePd().allocate(1 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
        desk = new HullDesk(host, data);
        desk.nextGeneration();
        port = ControlPort.open(path, desk);
    }

    @AfterEach
    void close() {
        port.close();
        host.close();
        device.close();
        hullDevice.close();
    }

    private HullClient attach() {
        return HullClient.attach(device, path, gone::countDown);
    }

    private OffloadClient connect(String name) {
        return OffloadClient.connect(device, address, name, 256, channel, TIMEOUT_NS);
    }

    @Test
    void whatAnApplicationWritesAndOffersIsThereForTheNext() {
        try (HullClient first = attach()) {
            assertEquals(1, first.generation());
            assertEquals(address, first.address());
            assertFalse(first.isFormatted());
            new HullTable(first.region()).format();
            first.formatted(true);
            assertTrue(first.isFormatted());
            assertEquals(Offered.NEW, first.offer("a b/%\u00e9\n", LookupKind.HASH_GET, 0));
        }
        desk.nextGeneration();
        try (OffloadClient client = connect("a b/%\u00e9\n"); HullClient second = attach()) {
            assertEquals(2, second.generation());
            assertTrue(second.isFormatted());
            HullTable.Reader reader = new HullTable.Reader(client);
            assertNull(reader.next());
            assertEquals(Offered.SAME, second.offer("a b/%\u00e9\n", LookupKind.HASH_GET, 0));
            assertNull(reader.next());
            new HullTable(second.region()).put(1, 77);
            assertEquals(Outcome.FOUND, reader.get(1));
            assertEquals(77 << 8 | 1, client.answer().getLong(0));
        }
        assertEquals(1, gone.getCount(), "closing is no loss of the hull");
    }

    @Test
    void whatIsOfferedInSecretIsToldNobodyAndEndsWithTheNextOfItsName() {
        try (HullClient hull = attach()) {
            new HullTable(hull.region()).format();
            hull.offer("table", LookupKind.HASH_GET, 0);
            String first = hull.offerInSecret("table", LookupKind.HASH_GET, 0);
            String other = hull.offerInSecret("tables", LookupKind.HASH_GET, 0);
            ConnectionException refused = assertThrows(ConnectionException.class, () -> connect("table~"));
            String why = new String(refused.privateData(), StandardCharsets.UTF_8);
            assertEquals("no lookup name=table~ here; lookups=[table]", why);
            try (OffloadClient client = connect(first)) {
                HullTable.Reader reader = new HullTable.Reader(client);
                String second = hull.offerInSecret("table", LookupKind.HASH_GET, 0);
                assertThrows(ConnectionException.class, () -> connect(first));
                awaitBroken(client, reader);
                connect(second).close();
                connect(other).close();
                connect("table").close();
            }
        }
    }

    @Test
    void anotherOfferReplacesTheOldOneForClientsToComeOnly() {
        try (HullClient hull = attach()) {
            new HullTable(hull.region()).format();
            hull.offer("x", LookupKind.HASH_GET, 0);
            try (OffloadClient before = connect("x")) {
                HullTable.Reader reader = new HullTable.Reader(before);
                assertEquals(Offered.REPLACED,
                        hull.offer("x", LookupKind.HASH_GET, 64, Offer.Rearm.PREPOSTED, 1_000_000, 1000));
                assertNull(reader.next());
                try (OffloadClient after = connect("x")) {
                    assertEquals(before.header() + 64, after.header());
                    Waits.until("two clients", () -> hull.clients().size() == 2);
                    assertTrue(hull.withdraw("x"));
                    awaitBroken(before, reader);
                }
            }
            assertFalse(hull.withdraw("x"));
            assertThrows(ConnectionException.class, () -> connect("x"));
        }
    }

    private void awaitBroken(OffloadClient client, HullTable.Reader reader) {
        Waits.until("a broken client", () -> reader.get(1) == Outcome.BROKEN);
        assertTrue(client.isBroken());
    }

    @Test
    void clientsAreListedWithWhatTheyExecutedAndCutOffByNumber() {
        try (HullClient hull = attach()) {
            new HullTable(hull.region()).format();
            hull.offer("x", LookupKind.HASH_GET, 0);
            assertEquals(List.of(), hull.clients());
            long quiet;
            try (OffloadClient idle = connect("x"); OffloadClient busy = connect("x")) {
                HullTable.Reader reader = new HullTable.Reader(busy);
                for (int i = 0; i < 1000; i++) {
                    assertNull(reader.next());
                }
                Waits.until("two clients", () -> hull.clients().size() == 2);
                List<HostedLookup> clients = hull.clients();
                HostedLookup loud = clients.get(clients.get(0).executed() > clients.get(1).executed() ? 0 : 1);
                assertEquals("x", loud.name());
                assertTrue(loud.executed() > 1000, loud::toString);
                assertEquals(loud.number(), clients.indexOf(loud) + clients.get(0).number(), "numbers count up");
                assertFalse(hull.cutOff(loud.number() + 1000));
                assertTrue(hull.cutOff(loud.number()));
                awaitBroken(busy, reader);
                assertNull(new HullTable.Reader(idle).next(), "others go on");
                quiet = clients.get(1 - clients.indexOf(loud)).number();
            }
            Waits.until("nobody of that number to cut off", () -> !hull.cutOff(quiet));
            Waits.until("no clients", () -> hull.clients().isEmpty());
        }
    }

    @Test
    void aClientWithInstancesWrittenAheadThatIsCutOffHarmsNobodyElse() {
        try (HullClient hull = attach()) {
            new HullTable(hull.region()).format();
            hull.offer("x", LookupKind.HASH_GET, 0, Offer.Rearm.PREPOSTED, Long.MAX_VALUE, Integer.MAX_VALUE);
            for (int round = 0; round < 20; round++) {
                try (OffloadClient client = connect("x"); OffloadClient other = connect("x")) {
                    HullTable.Reader reader = new HullTable.Reader(client);
                    HullTable.Reader others = new HullTable.Reader(other);
                    for (int i = 0; i < 50; i++) {
                        assertNull(reader.next());
                        assertNull(others.next());
                    }
                    HostedLookup first = hull.clients().get(0);
                    assertTrue(hull.cutOff(first.number()));
                    awaitBroken(client, reader);
                    for (int i = 0; i < 50; i++) {
                        assertNull(others.next());
                    }
                }
                Waits.until("no clients", () -> hull.clients().isEmpty());
            }
        }
    }

    @Test
    void aClientCutOffWhileItAsksGetsNoMoreAnswersAndTheNextIsServed() throws InterruptedException {
        try (HullClient hull = attach()) {
            new HullTable(hull.region()).format();
            hull.offer("x", LookupKind.HASH_GET, 0, Offer.Rearm.PREPOSTED, Long.MAX_VALUE, Integer.MAX_VALUE);
            for (int round = 0; round < 20; round++) {
                CountDownLatch cut = new CountDownLatch(1);
                try (OffloadClient client = connect("x")) {
                    HullTable.Reader reader = new HullTable.Reader(client);
                    Thread load = new Thread(() -> Waits.until("no more answers",
                            () -> reader.get(1, 20_000_000) != Outcome.FOUND && cut.getCount() == 0), "load");
                    load.start();
                    Waits.until("gets", () -> hull.clients().stream().anyMatch(c -> c.executed() > 2000));
                    assertTrue(hull.cutOff(hull.clients().get(0).number()));
                    cut.countDown();
                    load.join(Waits.limitNs() / 1_000_000);
                    assertFalse(load.isAlive(), "answers without end");
                }
                Waits.until("no clients", () -> hull.clients().isEmpty());
            }
        }
    }

    @Test
    void offersThatCannotBeAreRefusedByName() {
        try (HullClient hull = attach()) {
            for (long header : new long[] {-1, (1 << 20) - 31, Long.MAX_VALUE, Long.MIN_VALUE}) {
                VerbsException e = assertThrows(VerbsException.class,
                        () -> hull.offer("x", LookupKind.HASH_GET, header));
                assertTrue(e.getMessage().contains("header=" + header), e.getMessage());
            }
            assertThrows(VerbsException.class, () -> hull.offer("", LookupKind.HASH_GET, 0));
            assertThrows(VerbsException.class, () -> hull.offer("x".repeat(241), LookupKind.HASH_GET, 0));
            for (int i = 0; i < 1024; i++) {
                hull.offer("x" + i, LookupKind.HASH_GET, 0);
            }
            assertThrows(VerbsException.class, () -> hull.offer("one more", LookupKind.HASH_GET, 0));
            assertEquals(Offered.SAME, hull.offer("x5", LookupKind.HASH_GET, 0));
        }
    }

    @Test
    void theLossOfTheHullIsToldOnceAndFailsWhatIsAsked() throws InterruptedException {
        HullClient hull = attach();
        port.close();
        assertTrue(gone.await(10, TimeUnit.SECONDS));
        for (int i = 0; i < 3; i++) {
            VerbsException e = assertThrows(VerbsException.class, hull::clients);
            assertTrue(e.getMessage().contains(path.toString()), e.getMessage());
        }
        hull.close();
        hull.close();
    }

    @Test
    void thereIsOneApplicationAtATime() {
        try (HullClient first = attach()) {
            VerbsException e = assertThrows(VerbsException.class, this::attach);
            assertTrue(e.getMessage().endsWith(
                    "another application is attached: process=" + ProcessHandle.current().pid()), e.getMessage());
            assertEquals(List.of(), first.clients(), "the first goes on");
        }
        attach().close();
        assertEquals(1, gone.getCount(), "nobody lost the hull");
    }

    @Test
    void memoryThatIsNotFormattedAnyMoreIsSaidToBeSoToTheNext() {
        try (HullClient first = attach()) {
            first.formatted(true);
            first.formatted(false);
        }
        try (HullClient second = attach()) {
            assertFalse(second.isFormatted());
        }
    }

    private static String ask(ControlSocket socket, String line) throws IOException {
        socket.writeLine(line);
        return ControlLine.words(socket.readLine())[0];
    }

    @Test
    void garbageIsAnsweredWithAnErrorOrTheEndAndTheHullGoesOn() throws IOException {
        try (ControlSocket socket = ControlSocket.connect(path, 10_000)) {
            for (String line : new String[] {"", " ", "%", "%zz", "offer", "offer x HASH_GET 0 RECYCLED 1 1",
                "clients 1", "cut", "cut x", "cut 99999999999999999999", "attach", "formatted true", "withdraw x",
                "ok", "ATTACH 1", "\u0000\u00ff"}) {
                assertEquals(ControlLine.ERROR, ask(socket, line), line);
            }
            assertEquals(ControlLine.OK, ask(socket, "attach 1"));
            for (String line : new String[] {"formatted", "formatted maybe", "offer x HASH_SET 0 RECYCLED 1 1",
                "offer x HASH_GET zero RECYCLED 1 1", "offer x HASH_GET 0 NEVER 1 1",
                "offer x HASH_GET 0 RECYCLED 1 9999999999", "offer x HASH_GET 0 RECYCLED 1 1 1", "withdraw",
                "withdraw x y"}) {
                assertEquals(ControlLine.ERROR, ask(socket, line), line);
            }
            assertEquals(ControlLine.OK, ask(socket, "clients"));
        }
        Random random = new Random(seed());
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(10_000)];
            random.nextBytes(noise);
            try (SocketChannel raw = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                raw.connect(UnixDomainSocketAddress.of(path));
                raw.write(ByteBuffer.wrap(noise));
                raw.shutdownOutput();
                ByteBuffer answers = ByteBuffer.allocate(10_000);
                while (raw.read(answers.clear()) >= 0) {
                    Thread.onSpinWait(); // to the end of the session, of which there may be only so many
                }
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("ipe") || e.getMessage().contains("reset"), e::toString);
            }
        }
        try (HullClient hull = attach()) {
            assertEquals(List.of(), hull.clients());
        }
    }

    private static long seed() {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("garbage: jvrpc.test.seed=" + seed);
        return seed;
    }

    @Test
    void aLineWithoutAnEndIsCutShort() throws IOException {
        try (ControlSocket socket = ControlSocket.connect(path, 100)) {
            socket.writeLine("x".repeat(ControlSession.MAX_LINE * 4));
            String answer = null;
            try {
                answer = socket.readLine();
            } catch (IOException e) {
                System.out.println("reset: " + e);
            }
            assertNull(answer);
        }
    }

    @Test
    void wordsComeBackAsTheyWere() {
        String[] words = {"a", "", "b c", "%20", "+", "\n\r\t", "\u00e9\u4e2d\ud83d\ude00", "="};
        String line = ControlLine.of((Object[]) words);
        assertFalse(line.contains("\n"));
        assertArrayEquals(words, ControlLine.words(line));
    }
}
