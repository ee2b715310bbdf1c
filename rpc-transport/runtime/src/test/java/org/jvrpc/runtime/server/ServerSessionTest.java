package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ReadingLink;

class ServerSessionTest {

    private static final int SLOTS = 4;

    /** No message comes by it; it may break. */
    private static final class QuietLink extends ReadingLink {

        private final ByteBuffer memory = ByteBuffer.allocateDirect(64);

        @Override
        public ByteBuffer body(int slot) {
            return memory;
        }

        @Override
        public boolean poll() {
            return false;
        }
    }

    /** Its poller looks once more before it sleeps, and nothing wakes it for a session that is found broken then. */
    @Test
    void aSessionThatBreaksInTheLastLookIsNotSleptOn() {
        QuietLink link = new QuietLink();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start()) {
            ServerSession session = new ServerSession(Cores.of(server), 1, link, null,
                    Hello.request(Protocol.CALLS, SLOTS, 64, 1 << 20), Protocol.CALLS.oneWayCredits(SLOTS));
            assertEquals(0, session.poll(1));
            assertFalse(session.isUnfinished());
            link.fail("a cable is out");
            assertEquals(0, session.poll(1));
            assertTrue(session.isUnfinished(), "slept on");
        }
    }
}
