package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ReadingLink;
import org.jvrpc.runtime.thread.Events;

class ServerSessionTest {

    private static final int SLOTS = 4;

    private static final Events NO_EVENTS = new Events() {

        @Override
        public void await(long timeoutNs) {
            Thread.onSpinWait();
        }

        @Override
        public void wakeup() {
            // nobody sleeps
        }
    };

    /** No message comes by it; it may break. */
    private static final class QuietLink extends ReadingLink {

        private final ByteBuffer memory = ByteBuffer.allocateDirect(64);

        @Override
        public InetAddress peerHost() {
            return null;
        }

        @Override
        public ByteBuffer body(int slot) {
            return memory;
        }

        @Override
        public boolean poll() {
            return false;
        }

        @Override
        public void breakOff() {
            // nobody is at the other end
        }
    }

    /** Its poller looks once more before it sleeps, and nothing wakes it for a session that is found broken then. */
    @Test
    void aSessionThatBreaksInTheLastLookIsNotSleptOn() {
        QuietLink link = new QuietLink();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start()) {
            ServerSession session = new ServerSession(Cores.of(server), Cores.of(server).poller(0), 1, link, null,
                    Hello.request(Protocol.CALLS, SLOTS, 64, 1 << 20), Protocol.CALLS.oneWayCredits(SLOTS));
            assertEquals(0, session.poll(1));
            assertFalse(session.isUnfinished());
            link.fail("a cable is out");
            assertEquals(0, session.poll(1));
            assertTrue(session.isUnfinished(), "slept on");
        }
    }

    /** The control thread connects it while another thread ends the server: its memory comes back all the same. */
    @Test
    void aSessionThatArrivesBehindTheEndIsBuried() {
        CompletableFuture<Long> ended = new CompletableFuture<>();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .onSessionEnd(ended::complete).start()) {
            ServerCore core = Cores.of(server);
            ServerPoller poller = new ServerPoller(core, NO_EVENTS, IdleStrategy.BLOCK, "late");
            poller.start();
            poller.stop();
            poller.add(new ServerSession(core, poller, 7, new QuietLink(), null,
                    Hello.request(Protocol.CALLS, SLOTS, 64, 1 << 20), Protocol.CALLS.oneWayCredits(SLOTS)));
            assertEquals(7, ended.orTimeout(10, TimeUnit.SECONDS).join());
        }
    }
}
