package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageSession;

/** Receivers that are paused. */
public abstract class MessagePauseContract extends MessageFixture {

    /** Is paused from the beginning. */
    private static final class PausedRecorder extends Recorder {
        @Override
        public void opened(MessageSession opened) {
            opened.pause();
            super.opened(opened);
        }
    }

    @Test
    void aPausedReceiverHoldsTheSenderUpAndLosesNothing() {
        Served server = serve(PausedRecorder::new);
        MessageClient sender = keep(builder().window(8).pieceBytes(256).connect());
        until("the session is there", sender, () -> server.hasSession());
        for (int i = 0; i < 100; i++) {
            assertTrue(sender.send(ByteBuffer.wrap(pattern(i, 200))));
        }
        sender.poll(5_000_000);
        assertEquals(92 * 200, sender.session().queuedBytes());
        assertTrue(server.frames() == 0);
        server.tell(recorder -> recorder.session.resume());
        until("all frames came", sender, () -> server.frames() == 100);
        until("the sender heard of it", sender, () -> client.drains.get() > 0);
        assertEquals(0, sender.session().queuedBytes());
        int i = 0;
        for (byte[] frame : server.ask(recorder -> new ArrayList<>(recorder.frames))) {
            assertArrayEquals(pattern(i++, 200), frame);
        }
    }

    @Test
    void aPausedReceiverHearsThatItsPeerMadeRoomAndLosesNothing() {
        Served server = serve(PausedRecorder::new);
        MessageClient peer = keep(builder().window(8).pieceBytes(256).connect());
        until("the session is there", peer, () -> server.hasSession());
        for (int i = 0; i < 5; i++) {
            assertTrue(peer.send(ByteBuffer.wrap(pattern(i, 200)))); // in front of the credits
        }
        server.tell(recorder -> {
            for (int i = 0; i < 100; i++) {
                assertTrue(recorder.session.send(ByteBuffer.wrap(pattern(i, 200))));
            }
        });
        long queued = server.ask(recorder -> recorder.session.queuedBytes());
        until("all frames came, queued bytes=" + queued, peer, () -> client.frames.size() == 100);
        assertTrue(server.frames() == 0);
        server.tell(recorder -> recorder.session.resume());
        until("what was held is delivered", peer, () -> server.frames() == 5);
        int i = 0;
        for (byte[] frame : server.ask(recorder -> new ArrayList<>(recorder.frames))) {
            assertArrayEquals(pattern(i++, 200), frame);
        }
    }

    @Test
    void framesThatAPausedReceiverHoldsSurviveTheEndOfTheirSender() {
        Served server = serve(PausedRecorder::new);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.hasSession());
        for (int i = 0; i < 5; i++) {
            assertTrue(sender.send(ByteBuffer.wrap(pattern(i, 100))));
        }
        sender.close();
        server.tell(recorder -> recorder.session.resume());
        server.awaitEnd();
        assertNull(server.cause());
        assertEquals(5, server.frames());
    }
}
