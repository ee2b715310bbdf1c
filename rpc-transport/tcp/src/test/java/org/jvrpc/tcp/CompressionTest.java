package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;

/** When sessions are compressed, and what becomes of those who make ill use of it. */
class CompressionTest {

    private static final String GZIP = "?compression=gzip";
    private static final String TLS_GZIP = "&compression=gzip&compress-secrets=yes";
    private static final int TIMEOUT_MS = 60_000;
    private static final int BODY_BYTES = 200_000;

    private static RpcServer serve(String address) {
        return RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
    }

    /** Returns how many bytes each way go with a body of many equal bytes that is echoed. */
    private static long[] carried(String bind, String query) {
        try (RpcServer server = serve(bind); Relay relay = new Relay(server.address());
                RpcClient client = RpcClient.connect(relay.address().replaceFirst("[?].*", "") + query)) {
            Calls calls = client.stub(Calls.class);
            int said = relay.said().length;
            int told = relay.told().length;
            byte[] body = new byte[BODY_BYTES];
            Bytes.assertSame(body, calls.echo(body), "echo");
            byte[] other = Bytes.of(3000, 5); // which fits in a slot
            Bytes.assertSame(other, calls.echo(other), "echo");
            return new long[] {relay.said().length - said, relay.told().length - told};
        }
    }

    private static void assertCompressed(boolean expected, String bind, String query) {
        for (long bytes : carried(bind, query)) {
            assertEquals(expected, bytes < BODY_BYTES / 4, "bytes=" + bytes);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', ?compression=gzip, true", "'', ?compression=identity, false", "'', '', false",
        "?compression=gzip, ?compression=gzip, true", "?compression=gzip, '', false",
        "?compression=identity, ?compression=gzip, false",
    })
    void overTcpItIsTheClientThatAsksUnlessTheServerSaysNo(String server, String client, boolean compressed) {
        assertCompressed(compressed, "tcp://127.0.0.1:0" + server, client);
    }

    @Test
    void overTlsBothSidesSayTwiceThatTheyWantIt() {
        String bind = "tls://127.0.0.1:0?" + TlsFiles.own().proof();
        String trust = "?" + TlsFiles.own().trust();
        assertCompressed(true, bind + TLS_GZIP, trust + TLS_GZIP);
        assertCompressed(false, bind, trust + TLS_GZIP);
        assertCompressed(false, bind + TLS_GZIP, trust);
        for (String query : new String[] {"&compression=gzip", "&compress-secrets=yes"}) {
            String says = assertThrows(IllegalArgumentException.class,
                    () -> RpcClient.connect("tls://127.0.0.1:1" + trust + query)).getMessage();
            assertTrue(says.contains("compress-secrets") && says.contains("compression=gzip"), says);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix:///tmp/x", "shm://x", "inproc://x", "roce://127.0.0.1:1", "rdma://127.0.0.1:1"})
    void addressesThatHaveNoneRefuseIt(String address) {
        for (String more : new String[] {GZIP, "?a=b&compression=identity"}) {
            String asked = address + more;
            String says = assertThrows(IllegalArgumentException.class, () -> RpcClient.connect(asked)).getMessage();
            assertTrue(says.contains(asked) && says.contains("[tcp://, tls://] have"), says);
            assertEquals(says, assertThrows(IllegalArgumentException.class, () -> serve(asked)).getMessage());
            assertEquals(says, assertThrows(IllegalArgumentException.class,
                    () -> MessageClient.builder(asked, (session, frame) -> { }).connect()).getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"compression=zstd", "compression=", "compression=gzip&compression=gzip", "color=red",
        "compress-secrets=yes", "compression"})
    void whatMakesNoSenseIsToldWithTheAddress(String query) {
        String address = "tcp://127.0.0.1:1?" + query;
        String says = assertThrows(IllegalArgumentException.class, () -> RpcClient.connect(address)).getMessage();
        assertTrue(says.contains(address), says);
    }

    // ---- peers that are no honest ones

    private static Socket connect(RpcServer server) throws IOException {
        Socket socket = new Socket("127.0.0.1", Integer.parseInt(server.address().replaceFirst(".*:", "")));
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    @Test
    void aBombEndsItsSessionAloneBeforeThereIsMemoryForIt() throws IOException {
        try (RpcServer server = serve("tcp://127.0.0.1:0"); RpcClient client = RpcClient.connect(server.address())) {
            ByteBuffer hello = Greeting.of(Greeting.HELLO,
                    Hello.request(Protocol.CALLS, 2, 512, 1 << 20).withGzip(true).encode());
            try (Socket socket = connect(server)) {
                socket.getOutputStream().write(hello.array(), 0, hello.remaining());
                byte[] answer = socket.getInputStream().readNBytes(hello.remaining());
                assertTrue(Hello.decode(Arrays.copyOfRange(answer, Greeting.HEAD_BYTES, answer.length)).gzip());
                socket.getOutputStream().write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(1 << 31 | 1000).putInt(1 << 30).array()); // and the bomb's bytes never come
                assertEquals(-1, socket.getInputStream().read());
            } catch (SocketException e) {
                assertFalse(server.address().isEmpty(), "it is put out");
            }
            assertEquals(3, client.stub(Calls.class).add(1, 2));
        }
    }
}
