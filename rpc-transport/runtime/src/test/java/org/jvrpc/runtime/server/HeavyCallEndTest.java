package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** Calls that end while they wait for the executor. */
class HeavyCallEndTest {

    private static final byte[] THREE = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1, 2, 3}));
    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));

    private final StillServer server = new StillServer(options -> options.settings().queuedCalls(2));

    HeavyCallEndTest() {
        server.open();
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Puts memory where the next call takes it from. */
    private ByteBuffer lend() {
        ByteBuffer memory = server.core.scratch().take(1);
        server.core.scratch().give(memory);
        return memory;
    }

    @Test
    void aCallWhoseCallerGivesUpLeavesTheQueueAndIsAnswered() {
        ByteBuffer memory = lend();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        server.poll();
        assertEquals("1 CANCELLED caller gave up before the handler ran", server.failure());
        assertSame(memory, server.core.scratch().take(1));
        server.core.scratch().give(memory);
        server.peer.sent.clear();
        server.executor.run();
        server.poll();
        assertEquals(List.of(), server.peer.sent, "it is over");
        server.call(0, CallsService.ECHO_HEAVY, THREE);
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        assertEquals(List.of(), server.peer.sent, "there is room for two");
        server.call(2, CallsService.ECHO_HEAVY, THREE);
        assertEquals("2 RESOURCE_EXHAUSTED too many heavy calls wait for the executor: waiting=2 limit=2",
                server.failure());
    }

    @Test
    void aCallOfASessionThatIsBuriedLeavesTheQueueAndGivesItsMemoryBack() {
        ByteBuffer memory = lend();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.session.bury();
        assertSame(memory, server.core.scratch().take(1));
        server.executor.run();
        assertEquals(List.of(), server.peer.sent, "it is not run");
    }

    @Test
    void aCallWhoseTurnComesWhenItsSessionIsLostIsNotRun() {
        server.call(1, CallsService.HANG, NUMBER);
        server.session.breakOff("planted");
        server.executor.run(); // where a handler would wait for ever
        assertEquals(1, server.session.open(), "its answer waits for the poller");
    }
}
