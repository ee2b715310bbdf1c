package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;

/** What the two sides say first, said well and badly. */
class HelloTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    private static String refusal(Hello hello) {
        return Hello.refusal(hello, new Settings());
    }

    @Test
    void whatIsSaidIsHeard() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("whatIsSaidIsHeard: -Djvrpc.seed=" + SEED);
        for (int i = 0; i < 1000; i++) {
            Hello hello = new Hello(random.nextInt(1 << 16), random.nextInt(1 << 16), random.nextInt(),
                    random.nextInt(), random.nextLong(), random.nextLong());
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
        assertTrue(refusal(RawClient.hello(0, 64, 4096)).contains("server=2 client=0"));
        int version = RpcHeader.VERSION;
        for (Hello bad : new Hello[] {RawClient.hello(version, 0, 4096), RawClient.hello(version, 4097, 4096),
            RawClient.hello(version, 1, 255), RawClient.hello(version, 1, -1),
            RawClient.hello(version, 1, (1 << 20) + 1), new Hello(version, 1, 4096, 0, 4095, 0),
            new Hello(version, 1, 4096, 0, -1, 0)}) {
            assertTrue(refusal(bad).contains("cannot be"), bad.toString());
        }
        assertTrue(refusal(RawClient.hello(RpcHeader.VERSION, 4096, 1 << 20)).contains("4294967296"));
    }

    @Test
    void refusalsTravelWithTheirStatusAndAreCutToWhatFits() {
        String text = "grüße ".repeat(500);
        byte[] bytes = Hello.refuse(Status.UNAVAILABLE, text, Device.MAX_PRIVATE_BYTES);
        assertEquals(Device.MAX_PRIVATE_BYTES, bytes.length);
        byte[] cut = Hello.refuse(Status.UNAVAILABLE, "grü", 4);
        assertEquals("gr", new String(cut, 1, cut.length - 1, StandardCharsets.UTF_8), "no half characters");
        RpcException e = Hello.refused(
                new ConnectionException(ConnectionException.Reason.REJECTED, "refused", bytes, null));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains("grüße grüße"), e.getMessage());
        for (byte[] foreign : new byte[][] {{}, {0}, {17}, {-1, 2, 3}, "busy".getBytes(StandardCharsets.UTF_8)}) {
            assertEquals(Status.FAILED_PRECONDITION, Hello.refused(new ConnectionException(
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
            assertTrue(Hello.refused(old).getMessage().contains("protocol version differs: server=2 client=0"));
            assertEquals(Status.FAILED_PRECONDITION, Hello.refused(old).status());
            ConnectionException many = assertThrows(ConnectionException.class,
                    () -> raw.connect(address, RawClient.hello(RpcHeader.VERSION, 4097, 1024).encode()));
            assertTrue(Hello.refused(many).getMessage().contains("slots=4097"));
            ConnectionException large = assertThrows(ConnectionException.class,
                    () -> raw.connect(address, RawClient.hello(RpcHeader.VERSION, 4096, 1 << 20).encode()));
            assertTrue(Hello.refused(large).getMessage().contains("67108864"));
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
}
