package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** A client that sends more one-way calls than it has credits for, where the link has room for them. */
class OneWayLimitTest {

    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));

    private final StillServer server = new StillServer();

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void oneWayCallsThatNoCreditsAreForEndTheSession() {
        server.open();
        for (int i = 0; i < StillServer.CREDITS; i++) {
            server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), 0, NUMBER);
            server.poll();
        }
        assertEquals(StillServer.CREDITS, server.executor.tasks.size());
        assertTrue(server.session.isConnected());
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), 0, NUMBER);
        server.poll();
        assertEquals(StillServer.CREDITS, server.executor.tasks.size());
        assertFalse(server.session.isConnected());
    }
}
