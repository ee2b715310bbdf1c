package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;

/** What a session's bytes go through counts for the memory that a server gives to sessions. */
class WireCostTest {

    private static final int MEMORY = 1 << 22;
    /** So many records, of 17 KiB each, does a TLS session have at most. */
    private static final int TLS_BYTES = 3 * (17 << 10);
    private static final int MOST_OVER_TLS = MEMORY / TLS_BYTES;

    /** Returns how many sessions a server with little memory takes. */
    private static int sessions(String address, String clients) {
        Deque<RpcClient> taken = new ArrayDeque<>();
        try (RpcServer server = RpcServer.builder().bind(address).service(Adder.class, Integer::sum)
                .limits(new SessionLimits().sessionMemory(MEMORY)).start()) {
            try {
                while (taken.size() < 1000) {
                    taken.push(RpcClient.connect(server.address().replaceFirst("[?].*", "") + clients));
                    assertEquals(5, taken.peek().stub(Adder.class).add(2, 3));
                }
                throw new AssertionError("nobody is refused: sessions=" + taken.size());
            } catch (RpcException e) {
                assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
                return taken.size();
            } finally {
                taken.forEach(RpcClient::close);
            }
        }
    }

    @Test
    void aSessionCountsWhatItsRecordsTake() {
        TlsFiles files = TlsFiles.own();
        String proof = "tls://127.0.0.1:0?" + files.proof();
        int plain = sessions("tcp://127.0.0.1:0", "");
        int overTls = sessions(proof, "?" + files.trust());
        String packed = "compression=gzip&compress-secrets=yes";
        int packedOverTls = sessions(proof + "&" + packed, "?" + files.trust() + "&" + packed);
        String all = "plain=" + plain + " tls=" + overTls + " tls and gzip=" + packedOverTls;
        assertTrue(plain > MOST_OVER_TLS && overTls <= MOST_OVER_TLS && overTls > 0, all);
        assertTrue(packedOverTls < overTls && packedOverTls > 0, all);
    }
}
