package org.jvrpc.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A completion tells what a device put in, and nothing of the one before it. */
final class WorkCompletionTest {

    private final WorkCompletion wc = new WorkCompletion();

    @Test
    void aFreshOneHasNotSucceeded() {
        assertFalse(wc.succeeded());
        assertThrows(IllegalStateException.class, wc::opcode);
    }

    @Test
    void aSuccessTellsAll() {
        wc.succeed(5, 6, WcOpcode.RECV, 7);
        wc.immediate(-8);
        assertTrue(wc.succeeded());
        assertEquals(5, wc.wrId());
        assertEquals(6, wc.qpNumber());
        assertEquals(WcOpcode.RECV, wc.opcode());
        assertEquals(7, wc.byteLength());
        assertTrue(wc.hasImmediate());
        assertEquals(-8, wc.immediate());
        assertEquals(0, wc.vendorError());
        assertNull(wc.inlineBuffer());
    }

    @Test
    void theNextSuccessKeepsNothingOfTheLast() {
        ByteBuffer cqe = ByteBuffer.allocate(64);
        wc.succeed(1, 1, WcOpcode.RECV, 9);
        wc.immediate(1);
        wc.inline(cqe, 32);
        wc.datagram(99);
        assertTrue(wc.hasImmediate() && wc.isDatagram());
        assertEquals(99, wc.sourceQp());
        assertSame(cqe, wc.inlineBuffer());
        assertEquals(32, wc.inlineOffset());
        wc.succeed(2, 1, WcOpcode.SEND, 0);
        assertFalse(wc.hasImmediate());
        assertFalse(wc.isDatagram());
        assertNull(wc.inlineBuffer());
    }

    @Test
    void aFailureTellsFourThingsAndRefusesTheOthers() {
        wc.succeed(1, 1, WcOpcode.RECV, 9);
        wc.immediate(1);
        wc.fail(3, 4, WcStatus.LOC_LEN_ERR, 0x99);
        assertEquals(3, wc.wrId());
        assertEquals(4, wc.qpNumber());
        assertEquals(WcStatus.LOC_LEN_ERR, wc.status());
        assertEquals(0x99, wc.vendorError());
        assertThrows(IllegalStateException.class, wc::opcode);
        assertThrows(IllegalStateException.class, wc::byteLength);
        assertThrows(IllegalStateException.class, wc::hasImmediate);
        assertThrows(IllegalStateException.class, wc::sourceQp);
        assertThrows(IllegalStateException.class, wc::isDatagram);
        String message = assertThrows(IllegalStateException.class, wc::immediate).getMessage();
        assertTrue(message.contains("status=LOC_LEN_ERR") && message.contains("wrId=3"), message);
    }

    @Test
    void aFailureDoesNotShowTheInlineDataOfTheSuccessBeforeIt() {
        wc.succeed(1, 1, WcOpcode.RECV, 9);
        wc.inline(ByteBuffer.allocate(64), 32);
        wc.fail(3, 4, WcStatus.WR_FLUSH_ERR, 0);
        assertThrows(IllegalStateException.class, wc::inlineBuffer);
        assertThrows(IllegalStateException.class, wc::inlineOffset);
    }
}
