package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;

/** What wakes a sleeper of a connection, and when its socket is read: behind what was sent, but always. */
final class WakeTest {

    private static final long LONG_NS = 60_000_000_000L;
    private static final long SHORT_NS = 2_000_000;

    private final WorkCompletion wc = new WorkCompletion();
    private Device left;
    private Device right;
    private ShmEnd from;
    private ShmEnd to;
    private Connection sender;
    private Connection sleeper;

    @BeforeEach
    void connect() throws Exception {
        left = ShmUnderTest.open();
        right = ShmUnderTest.open();
        from = new ShmEnd(left, 8);
        to = new ShmEnd(right, 8);
        try (Listener listener = right.listen(new ShmUnderTest() { }.address(), to.channel)) {
            CompletableFuture<Connection> connecting = CompletableFuture.supplyAsync(
                    () -> left.connect(listener.address(), from.qp, new byte[0], from.channel, LONG_NS));
            ConnectionRequest request = null;
            while (request == null) {
                to.channel.await(LONG_NS);
                request = listener.poll();
            }
            sleeper = request.accept(to.qp, new byte[0]);
            sender = connecting.get();
        }
        for (int i = 0; i < 8; i++) {
            to.qp.prepareReceive(ReceiveRequest.of(i, to.sge(64 * i, 64))).execute();
        }
        while (to.channel.await(SHORT_NS)) {
            // what came of connecting
        }
    }

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private void send() {
        assertEquals(1, from.qp.prepareSend(SendRequest.send(0, from.sge(0, 8))).execute());
    }

    private void takes(int messages) {
        for (int i = 0; i < messages; i++) {
            assertTrue(to.receiveCq.poll(wc), "message " + i);
        }
        assertFalse(to.receiveCq.poll(wc));
    }

    @Test
    void aMessageIsOneEventThoughItsWakeUpIsReadLater() {
        to.receiveCq.arm();
        send();
        assertTrue(to.channel.await(LONG_NS));
        assertFalse(to.channel.await(SHORT_NS), "the rest of the same wake-up");
        takes(1);
        assertFalse(to.channel.await(SHORT_NS));
    }

    @Test
    void aWakeUpBehindOneThatIsNotReadIsAnEvent() {
        to.receiveCq.arm();
        send();
        assertTrue(to.channel.await(LONG_NS));
        takes(1);
        to.receiveCq.arm();
        send();
        assertTrue(to.channel.await(LONG_NS));
        takes(1);
        assertFalse(to.channel.await(SHORT_NS), "both are read");
    }

    @Test
    void whoDisarmsReadsNextTime() {
        for (int i = 0; i < 5; i++) {
            to.receiveCq.arm();
            send();
            assertTrue(to.channel.await(LONG_NS), "wake-up " + i);
            to.receiveCq.disarm();
            takes(1);
            assertFalse(to.channel.await(0), "it was told already");
        }
    }

    @Test
    void anEndBehindAMessageIsHeard() {
        to.receiveCq.arm();
        send();
        sender.close();
        assertTrue(to.channel.await(LONG_NS));
        assertTrue(to.receiveCq.poll(wc) && wc.succeeded(), "what was sent before the end");
        assertTrue(to.channel.await(LONG_NS));
        assertFalse(sleeper.isConnected());
    }

    @Test
    void anEndWithoutAMessageIsHeardAtOnce() {
        to.receiveCq.arm();
        sender.close();
        assertTrue(to.channel.await(LONG_NS));
        assertFalse(sleeper.isConnected());
    }
}
