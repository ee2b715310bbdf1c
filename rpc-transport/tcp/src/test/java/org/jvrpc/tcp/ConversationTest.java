package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.Holdings;

/** A conversation of a client that was recorded, and what befalls it at each of its bytes. Others are served. */
class ConversationTest {

    private static final int TIMEOUT_MS = 60_000;
    private static final int MOST_BYTES = 2000;

    private enum Fate {
        /** Nothing more comes. */
        CUT,
        /** A bit is another. */
        DAMAGED,
        /** The connection is reset. */
        RESET
    }

    private static RpcServer serve() {
        return RpcServer.builder().bind("tcp://127.0.0.1:0").service(Adder.class, Integer::sum)
                .service(Calls.class, new CallsImpl()).start();
    }

    /** A call of a body that is packed, or several without, none of which waits for anything if it is damaged. */
    private static byte[] recorded(RpcServer server, boolean packed) {
        try (Relay relay = new Relay(server.address());
                RpcClient client = RpcClient.connect(relay.address() + (packed ? "?compression=gzip" : ""))) {
            if (packed) {
                byte[] body = new byte[3000];
                Bytes.assertSame(body, client.stub(Calls.class).echo(body), "echo");
            } else {
                Adder adder = client.stub(Adder.class);
                for (int i = 0; i < 5; i++) {
                    assertEquals(i + 7, adder.add(i, 7));
                }
            }
            return relay.said();
        }
    }

    /** Says something, and hears until the server ends. */
    private static void say(RpcServer server, byte[] bytes, int length, boolean reset) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(server.address().replaceFirst(".*:", "")))) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(bytes, 0, length);
            if (reset) {
                socket.setSoLinger(true, 0);
                return;
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            return; // it did not read all
        }
    }

    @ParameterizedTest
    @CsvSource({"CUT, false", "DAMAGED, false", "RESET, false", "CUT, true", "DAMAGED, true", "RESET, true"})
    void whateverBefallsItAtEachByteOthersAreServedAndNothingStays(Fate fate, boolean packed) throws IOException {
        try (RpcServer server = serve(); RpcClient client = RpcClient.connect(server.address())) {
            Adder others = client.stub(Adder.class);
            byte[] said = recorded(server, packed);
            assertTrue(said.length < MOST_BYTES, "bytes=" + said.length);
            assertEquals(3, others.add(1, 2));
            Holdings before = Holdings.settled();
            for (int at = 0; at < said.length; at++) {
                byte[] bytes = said.clone();
                if (fate == Fate.DAMAGED) {
                    bytes[at] ^= (byte) (1 << at % 8);
                }
                say(server, bytes, fate == Fate.DAMAGED ? bytes.length : at, fate == Fate.RESET);
                assertEquals(at, others.add(at, 0));
            }
            Holdings.awaitNoMoreThan(before, new Holdings(4, 16, 16, 16));
        }
    }
}
