package org.jvrpc.runtime.stream.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/** Messages that come in parts, and the memory that they take. */
class MailboxTest {

    private static final int PART = 1000;
    private static final ByteBuffer BYTES = ByteBuffer.allocate(PART);

    private static ByteBuffer add(Mailbox mailbox, int rest) {
        return mailbox.add(StreamHeader.BIND, BYTES, 0, Math.min(PART, rest), rest);
    }

    @Test
    void aMessageOfTheSessionThatFindsNoMemoryIsRefusedWithTheValues() {
        StreamMemory memory = new StreamMemory(PART);
        Mailbox mailbox = new Mailbox(memory);
        assertNull(add(mailbox, 2 * PART));
        RpcException e = assertThrows(RpcException.class, mailbox::forget);
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals("memory of all streams: used=0 needed=2000 limit=1000", e.getMessage());
        assertEquals(0, memory.borrowed());
    }

    @Test
    void aMessageThatFindsNoMemoryIsRefusedWithItsLastPart() {
        Mailbox mailbox = new Mailbox(new StreamMemory(PART));
        assertNull(add(mailbox, 2 * PART));
        assertThrows(RpcException.class, () -> add(mailbox, PART));
    }

    @Test
    void messagesThatAreForgottenMakeRoomForMore() {
        StreamMemory memory = new StreamMemory(2 * PART);
        Mailbox mailbox = new Mailbox(memory);
        for (int i = 0; i < 10; i++) {
            assertNull(add(mailbox, 2 * PART));
            assertEquals(2 * PART, memory.borrowed());
            assertNotNull(add(mailbox, PART));
            mailbox.forget();
            assertEquals(0, memory.borrowed());
        }
    }
}
