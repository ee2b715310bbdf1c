package org.apache.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.zookeeper.PluginServer;

/** What ZooKeeper itself asks of a connection. */
class JvrpcServerCnxnTest {

    private static JvrpcServerCnxn only(PluginServer server) {
        return (JvrpcServerCnxn) server.factory().getConnections().iterator().next();
    }

    @Test
    void aConnectionThatMayNotReceiveTakesNothingUntilItMay() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper client = server.client();
            JvrpcServerCnxn cnxn = only(server);
            // ZooKeeper takes nothing of a session being made, and lets its client know before it takes again.
            PluginServer.until("it receives", () -> cnxn.getInterestOps() == SelectionKey.OP_READ);
            cnxn.disableRecv(true);
            assertEquals(0, cnxn.getInterestOps());
            CompletableFuture<Integer> result = new CompletableFuture<>();
            client.exists("/", false, (rc, path, context, stat) -> result.complete(rc), null);
            boolean came = true;
            try {
                result.get(300, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                came = false;
            }
            assertFalse(came, "was taken all the same");
            cnxn.enableRecv();
            assertEquals(0, result.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aConnectionKnowsItsClientAndHasNoTls() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper client = server.client();
            JvrpcServerCnxn cnxn = only(server);
            assertEquals(client.getSessionId(), cnxn.getSessionId());
            assertEquals(client.getSessionTimeout(), cnxn.getSessionTimeout());
            assertTrue(cnxn.getRemoteSocketAddress().getAddress().isLoopbackAddress());
            assertFalse(cnxn.isSecure());
            assertEquals("ip", cnxn.getAuthInfo().get(0).getScheme());
        }
    }

    @Test
    void requestsOfAnUnknownKindAreAnsweredAndEndTheConnectionAsOverTcp() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            server.client();
            JvrpcServerCnxn cnxn = only(server);
            server.server().submitRequest(
                    new Request(cnxn, cnxn.getSessionId(), 5, 4711, RequestRecord.fromBytes(new byte[0]), null));
            PluginServer.until("the connection ends", () -> cnxn.isStale());
        }
    }
}
