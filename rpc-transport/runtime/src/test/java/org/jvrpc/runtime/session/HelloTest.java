package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.RawClient;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.verbs.LinkLayout;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;

/** What the two sides say first, said well and badly. */
class HelloTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    private static String refusal(Hello hello) {
        return Hello.refusal(hello, Protocol.CALLS);
    }

    @Test
    void whatIsSaidIsHeard() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("whatIsSaidIsHeard: -Djvrpc.seed=" + SEED);
        for (int i = 0; i < 1000; i++) {
            Protocol protocol = Protocol.values()[random.nextInt(Protocol.values().length)];
            Versions versions = new Versions(random.nextInt(1 << 16), random.nextInt(1 << 16));
            int units = random.nextInt(1 << 16);
            int first = random.nextBoolean() ? units : 1 + random.nextInt(1 << 15);
            Hello hello = new Hello(protocol, versions, units, first, random.nextInt(), random.nextInt(),
                    random.nextLong(), random.nextLong(), random.nextBoolean(), random.nextBoolean(),
                    random.nextBoolean());
            assertEquals(hello, Hello.decode(hello.encode()));
        }
    }

    @Test
    void bytesThatAreNoHelloAreNone() {
        assertNull(Hello.decode(new byte[0]));
        assertNull(Hello.decode(new byte[31]));
        assertNull(Hello.decode(new byte[32]));
        assertNull(Hello.decode("GET / HTTP/1.1 and much more of that kind".getBytes(StandardCharsets.UTF_8)));
        assertEquals("not a jvRPC client", refusal(null));
    }

    @Test
    void aServerRefusesWhatCannotBe() {
        assertNull(refusal(RawClient.hello(RpcHeader.VERSION, 4096, 16384)));
        assertTrue(refusal(RawClient.hello(0, 64, 4096)).contains("server speaks 3, client 0"));
        assertEquals("server of jvRPC calls, not of jvRPC message sessions",
                refusal(Hello.request(Protocol.MESSAGES, 64, 4096, 1 << 20)));
        int version = RpcHeader.VERSION;
        for (Hello bad : new Hello[] {RawClient.hello(version, 0, 4096), RawClient.hello(version, 4097, 4096),
            RawClient.hello(version, 1, 255), RawClient.hello(version, 1, -1),
            RawClient.hello(version, 1, (1 << 20) + 1), Hello.request(Protocol.CALLS, 1, 4096, 0),
            Hello.request(Protocol.CALLS, 1, 4096, -1)}) {
            assertTrue(refusal(bad).contains("cannot be"), bad.toString());
        }
    }

    @Test
    void refusalsTravelWithTheirStatusAndAreCutToWhatFits() {
        String text = "grüße ".repeat(500);
        byte[] bytes = Hello.refuse(Status.UNAVAILABLE, text, Device.MAX_PRIVATE_BYTES);
        assertEquals(Device.MAX_PRIVATE_BYTES, bytes.length);
        byte[] cut = Hello.refuse(Status.UNAVAILABLE, "grü", 4);
        assertEquals("gr", new String(cut, 1, cut.length - 1, StandardCharsets.UTF_8), "no half characters");
        RpcException e = refused(
                new ConnectionException(ConnectionException.Reason.REJECTED, "refused", bytes, null));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains("grüße grüße"), e.getMessage());
        for (byte[] foreign : new byte[][] {{}, {0}, {17}, {-1, 2, 3}, "busy".getBytes(StandardCharsets.UTF_8)}) {
            assertEquals(Status.FAILED_PRECONDITION, refused(new ConnectionException(
                    ConnectionException.Reason.REJECTED, "refused", foreign, null)).status());
        }
    }

    @Test
    void clientsThatSpeakAnotherVersionOrNoneAreRefusedAndOthersGoOn() {
        String address = ShmFolder.address();
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("clientsThatSpeakAnotherVersion: -Djvrpc.seed=" + SEED);
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RpcClient good = RpcClient.connect(server.address());
                RawClient raw = new RawClient(address)) {
            Calls calls = good.stub(Calls.class);
            ConnectionException old = assertThrows(ConnectionException.class,
                    () -> raw.connect(address, RawClient.hello(0, 8, 1024).encode()));
            assertEquals(ConnectionException.Reason.REJECTED, old.reason());
            assertTrue(refused(old).getMessage().contains("server speaks 3, client 0"));
            assertEquals(Status.FAILED_PRECONDITION, refused(old).status());
            ConnectionException many = assertThrows(ConnectionException.class,
                    () -> raw.connect(address, RawClient.hello(RpcHeader.VERSION, 4097, 1024).encode()));
            assertTrue(refused(many).getMessage().contains("slots=4097"));
            for (int i = 0; i < 10; i++) {
                byte[] garbage = new byte[random.nextInt(Device.MAX_PRIVATE_BYTES + 1)];
                random.nextBytes(garbage);
                assertThrows(ConnectionException.class, () -> raw.connect(address, garbage));
                assertEquals(i, calls.add(i, 0));
            }
            raw.connect(address);
            assertTrue(raw.isConnected());
        }
    }

    @Test
    void bothSidesUseTheHighestVersionThatTheyHaveInCommon() {
        assertEquals(4, new Versions(2, 5).common(new Versions(3, 4)));
        assertEquals(5, new Versions(2, 5).common(new Versions(5, 9)));
        assertEquals(2, new Versions(2, 5).common(new Versions(1, 2)));
        assertEquals(3, new Versions(3, 3).common(new Versions(3, 3)));
        assertEquals(Versions.NONE, new Versions(2, 5).common(new Versions(6, 7)));
        assertEquals(Versions.NONE, new Versions(6, 7).common(new Versions(2, 5)));
        Versions wide = new Versions(1, 9);
        Hello asked = new Hello(Protocol.CALLS, wide, 8, 1024, 0, 1 << 20, 0);
        assertNull(refusal(asked));
        Hello granted = Hello.decode(asked.grant(1 << 20, 7).encode());
        assertEquals(new Versions(RpcHeader.VERSION, RpcHeader.VERSION), granted.versions());
        assertNull(asked.mismatch(granted));
        Hello ahead = new Hello(Protocol.CALLS, new Versions(7, 9), 8, 1024, 0, 1 << 20, 0);
        assertEquals("no protocol version in common: server speaks 3, client 7 to 9", refusal(ahead));
        assertTrue(ahead.mismatch(granted).contains("answers with version 3, this side speaks 7 to 9"));
    }

    /** What clients sent that knew of one version only, byte for byte. */
    @Test
    void aClientOfTheTimeBeforeThereWereRangesIsRefusedClearly() {
        byte[] calls = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN).putInt(0x5052766a)
                .putShort((short) 2).putShort((short) 64).putInt(4096).putInt(0).putLong(1 << 30).putLong(0).array();
        byte[] messages = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN).putInt(0x534d766a)
                .putShort((short) 1).putShort((short) 64).putInt(4096).putInt(1 << 24).putLong(0).array();
        String address = ShmFolder.address();
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
                RawClient raw = new RawClient(server.address())) {
            ConnectionException old = assertThrows(ConnectionException.class, () -> raw.connect(address, calls));
            assertEquals(Status.FAILED_PRECONDITION, refused(old).status());
            String message = refused(old).getMessage();
            assertTrue(message.contains("no protocol version in common: server speaks 3, client 2"), message);
        }
        MessageHandler handler = (session, frame) -> session.send(frame);
        try (MessageServer server = MessageServer.builder().bind(address).handler(() -> handler).start();
                RawClient raw = new RawClient(server.address())) {
            ConnectionException old = assertThrows(ConnectionException.class, () -> raw.connect(address, messages));
            assertEquals(Status.FAILED_PRECONDITION, refused(old).status());
            String message = refused(old).getMessage();
            assertTrue(message.contains("no protocol version in common: server speaks 2, client 1"), message);
        }
    }

    /** The other way round, a server of that time reads the highest version where it looks for the one. */
    @Test
    void theVersionIsWhereServersHaveEverLookedForIt() {
        ByteBuffer bytes = ByteBuffer.wrap(Hello.request(Protocol.CALLS, 64, 4096, 1 << 30).encode())
                .order(ByteOrder.LITTLE_ENDIAN);
        assertTrue(bytes.capacity() >= 32 && bytes.capacity() <= 55, "bytes=" + bytes.capacity());
        assertEquals(0x5052766a, bytes.getInt(0));
        assertEquals(RpcHeader.VERSION, bytes.getShort(4));
    }

    @Test
    void aGrantIsLessAsMemoryIsAndNeverMoreThanThat() {
        for (Protocol protocol : Protocol.values()) {
            Hello asked = Hello.request(protocol, protocol.maxUnits(), 1 << 20, 1 << 30);
            for (long bytes = 256L << 20; bytes > 200_000; bytes = bytes * 2 / 3) {
                Hello less = protocol.lessen(asked, bytes, LinkLayout::sessionBytes);
                long granted = LinkLayout.sessionBytes(protocol, less.units(), less.units(), less.unitBytes());
                assertTrue(granted <= bytes, less + " for bytes=" + bytes);
                assertTrue(granted * 5 >= bytes, less + " for bytes=" + bytes);
            }
            assertNull(protocol.lessen(asked, 10_000, LinkLayout::sessionBytes));
        }
        Hello modest = Hello.request(Protocol.CALLS, 8, 1024, 1 << 30);
        assertEquals(modest, Protocol.CALLS.lessen(modest, 64 << 20, LinkLayout::sessionBytes));
    }

    @Test
    void whatALaterVersionAppendsIsNotReadAndWhatAnEarlierOneLacksIsZero() {
        Hello hello = new Hello(Protocol.CALLS, new Versions(2, 3), 8, 1024, 16, 1 << 20, 7);
        byte[] bytes = hello.encode();
        assertEquals(hello, Hello.decode(Arrays.copyOf(bytes, 55)));
        assertEquals(new Hello(Protocol.CALLS, new Versions(3, 3), 8, 1024, 16, 1 << 20, 7),
                Hello.decode(Arrays.copyOf(bytes, 39)), "one version, since the lowest is not whole");
        assertEquals(new Hello(Protocol.CALLS, new Versions(3, 3), 8, 0, 0, 0, 0),
                Hello.decode(Arrays.copyOf(bytes, 8)));
        assertNull(Hello.decode(Arrays.copyOf(bytes, 7)));
    }

    @Test
    void aClientTakesNoGrantThatCannotBe() {
        Hello asked = Hello.request(Protocol.CALLS, 8, 1024, 1 << 20);
        Hello granted = asked.grant(1 << 20, 7);
        assertEquals(new Hello(Protocol.CALLS, asked.versions(), 8, 8, 1024, 3, 1 << 20, 7, true), granted);
        assertEquals(granted, Hello.decode(granted.encode()), "it takes several requests in a message");
        assertFalse(Hello.request(Protocol.MESSAGES, 8, 1024, 1 << 20).grant(1 << 20, 7).packed());
        assertNull(asked.mismatch(granted));
        assertNull(asked.mismatch(asked.withUnits(1, 256).grant(1, 0)), "the least");
        assertNull(asked.mismatch(new Hello(Protocol.CALLS, granted.versions(), 8, 1024, 0, 1, 0)));
        for (Hello bad : new Hello[] {granted.withUnits(9, 1024), granted.withUnits(8, 1025),
            granted.withUnits(0, 1024), granted.withUnits(8, 255), asked.grant(0, 7),
            new Hello(Protocol.CALLS, granted.versions(), 8, 1024, -1, 1 << 20, 7)}) {
            assertEquals("grants slots=" + bad.units() + " slotBytes=" + bad.unitBytes() + " maxBodyBytes="
                    + bad.maxBytes() + " to one who asks for slots=8 slotBytes=1024 maxBodyBytes=1048576",
                    asked.mismatch(bad));
        }
        assertEquals("answers not as a server of jvRPC calls: null", asked.mismatch(null));
        Hello messages = Hello.request(Protocol.MESSAGES, 8, 1024, 1 << 20);
        assertTrue(asked.mismatch(messages).startsWith("answers not as a server of jvRPC calls: "));
        assertEquals("grants window=9 pieceBytes=1024 maxFrameBytes=1048576 to one who asks for window=8"
                + " pieceBytes=1024 maxFrameBytes=1048576", messages.mismatch(messages.withUnits(9, 1024)));
    }

    @Test
    void aSessionOfCallsMayHaveFewerSlotsAtFirst() {
        Hello asked = Hello.request(Protocol.CALLS, 64, 1024, 1 << 20).withFirst(4);
        assertEquals(4, asked.firstUnits());
        assertNull(refusal(asked));
        Hello granted = Hello.decode(asked.grant(1 << 20, 7).encode());
        assertEquals(64, granted.units());
        assertEquals(4, granted.firstUnits());
        assertEquals(Protocol.CALLS.oneWayCredits(4), granted.oneWayCredits());
        assertNull(asked.mismatch(granted));
        assertEquals(2, asked.withUnits(2, 1024).firstUnits());
        assertEquals(3, Hello.request(Protocol.CALLS, 3, 1024, 1 << 20).withFirst(4).firstUnits());
        Hello more = new Hello(Protocol.CALLS, asked.versions(), 64, 65, 1024, 0, 1 << 20, 0, false);
        assertTrue(refusal(more).contains("slots=64 first=65 slotBytes=1024"), refusal(more));
        assertTrue(asked.mismatch(more).contains("slots=64 first=65"), asked.mismatch(more));
        assertTrue(asked.mismatch(asked.withFirst(3)).contains("slots=64 first=3"), "fewer than this side has");
        Hello messages = Hello.request(Protocol.MESSAGES, 64, 1024, 1 << 20).withFirst(8);
        assertTrue(Hello.refusal(messages, Protocol.MESSAGES).contains("window=64 first=8"));
    }

    /** Zeros lie where those who do not know of it leave it. */
    @Test
    void whoKnowsNothingOfSlotsAtFirstHasThemAll() {
        byte[] bytes = Hello.request(Protocol.CALLS, 64, 1024, 1 << 20).encode();
        assertEquals(0, bytes[34] | bytes[35]);
        assertEquals(64, Hello.decode(bytes).firstUnits());
        byte[] four = Hello.request(Protocol.CALLS, 64, 1024, 1 << 20).withFirst(4).encode();
        assertEquals(4, four[34]);
        four[34] = 0;
        assertArrayEquals(bytes, four);
    }

    @Test
    void aRefusalIsWholeWhereItFitsAndNeverEndsWithinACharacter() {
        byte code = (byte) Status.UNAVAILABLE.code();
        assertArrayEquals(new byte[] {code, 'a', 'b'}, Hello.refuse(Status.UNAVAILABLE, "ab", 3));
        assertArrayEquals(new byte[] {code, 'a'}, Hello.refuse(Status.UNAVAILABLE, "ab", 2));
        assertEquals(1, Hello.refuse(Status.UNAVAILABLE, "ü", 2).length);
        assertEquals(1, Hello.refuse(Status.UNAVAILABLE, "\ud83d\ude00", 4).length);
        assertEquals(5, Hello.refuse(Status.UNAVAILABLE, "\ud83d\ude00", 5).length);
    }

    @Test
    void aRefusalOfEachStatusIsReadAndAForeignOneIsText() {
        Exception cause = new IllegalStateException("refused");
        for (Status status : Status.values()) {
            if (status != Status.OK) {
                RpcException read = Hello.refused(Hello.refuse(status, "why", 100), cause);
                assertEquals(status, read.status());
                assertEquals("refused: why", read.getMessage());
            }
        }
        assertEquals("refused", Hello.refused(new byte[0], cause).getMessage());
        assertEquals("refused: x", Hello.refused(new byte[] {'x'}, cause).getMessage());
        byte[] beyond = {(byte) Status.values().length};
        assertEquals(Status.FAILED_PRECONDITION, Hello.refused(beyond, cause).status());
    }

    private static RpcException refused(ConnectionException e) {
        return Hello.refused(e.privateData(), e);
    }
}
