package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.Waits;

/** Certificates that expire while their sessions live. */
class TlsExpiryTest {

    private static final int FIRST_SECONDS = 4;
    private static final int LAST_SECONDS = 24;
    private static final Duration OFTEN = Duration.ofMillis(200);

    private static RpcServer serve(String query) {
        return RpcServer.builder().bind("tls://127.0.0.1:0?" + query).service(Adder.class, Integer::sum).recheck(OFTEN)
                .start();
    }

    private static RpcClient connect(RpcServer server, String query) {
        return RpcClient.builder(server.address().replaceFirst("[?].*", "?") + query).keepAlive(OFTEN)
                .connect();
    }

    /** A machine that is slow has certificates that live longer. */
    @Test
    void sessionsEndWithTheCertificateOfEitherSide() {
        int seconds = FIRST_SECONDS;
        while (!endWith(TlsFiles.expiring(seconds))) {
            seconds *= 2;
            assertTrue(seconds <= LAST_SECONDS * 2, "certificates expire before anybody connects: s=" + seconds);
        }
    }

    /** Returns false where it expired before both clients had connected. */
    private static boolean endWith(TlsFiles expiring) {
        String own = TlsFiles.own().proof();
        try (RpcServer asks = serve(own + "&" + expiring.trust()); RpcServer shows = serve(expiring.proof())) {
            String proven = TlsFiles.own().trust() + "&" + expiring.proof();
            try (RpcClient client = connect(asks, proven); RpcClient other = connect(shows, expiring.trust())) {
                Adder adder = client.stub(Adder.class);
                Adder another = other.stub(Adder.class);
                assertEquals(5, adder.add(2, 3));
                assertEquals(5, another.add(2, 3));
                Waits.until("the end of the client's", () -> !client.isConnected());
                Waits.until("the end of the server's", () -> !other.isConnected());
                for (Adder each : new Adder[] {adder, another}) {
                    Status status = assertThrows(RpcException.class, () -> each.add(2, 3)).status();
                    assertTrue(Set.of(Status.UNAVAILABLE, Status.UNAUTHENTICATED).contains(status), status.toString());
                }
            } catch (RpcException e) {
                System.out.println("tries again with a certificate that lives longer: " + e.getMessage());
                return false;
            }
            String says = assertThrows(RpcException.class, () -> connect(asks, proven)).getMessage();
            assertTrue(says.contains("expired"), says);
            return true;
        }
    }
}
