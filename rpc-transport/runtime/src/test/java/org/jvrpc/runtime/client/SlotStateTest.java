package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Claims of one slot that overlap. */
class SlotStateTest {

    private final BareSlot slot = new BareSlot();

    @Test
    void whoeverSentOneWayDoesNotTakeTheNextCallForItsOwn() {
        assertTrue(slot.tryClaim());
        long first = slot.claim();
        assertTrue(slot.isUnsent(first));
        slot.leave(7);
        assertFalse(slot.tryClaim(), "before the acknowledgement");
        slot.acknowledged = send -> send <= 7;
        assertTrue(slot.tryClaim());
        assertFalse(slot.isUnsent(first), "the first caller would free the second one's slot");
        assertTrue(slot.isUnsent(slot.claim()));
    }

    @Test
    void anAcknowledgementClaimsNoSlotThatIsLeavingAgain() {
        AtomicInteger steps = new AtomicInteger();
        assertTrue(slot.tryClaim());
        slot.leave(7);
        slot.acknowledged = send -> {
            if (steps.getAndIncrement() == 0) { // between the look at the slot and its claim: another thread
                assertTrue(slot.tryClaim());
                slot.leave(8);
            }
            return send <= 7;
        };
        assertFalse(slot.tryClaim(), "message 8 is still read from the slot's memory");
        assertEquals(SlotState.LEAVING, slot.state());
        slot.acknowledged = send -> send <= 8;
        assertTrue(slot.tryClaim());
    }

    @Test
    void anAcknowledgementFreesNoSlotThatIsLeavingAgain() {
        AtomicInteger steps = new AtomicInteger();
        assertTrue(slot.tryClaim());
        slot.leave(7);
        slot.acknowledged = send -> {
            if (steps.getAndIncrement() == 0) {
                assertTrue(slot.tryClaim());
                slot.leave(8);
            }
            return send <= 7;
        };
        slot.tryFreeLeaving(false);
        assertEquals(SlotState.LEAVING, slot.state());
    }

    @Test
    void aCallIsLeftOnceAndTheNextOneHasAnotherNumber() {
        assertTrue(slot.tryClaim());
        long first = slot.claim();
        slot.set(SlotState.SENT);
        assertTrue(slot.leaveSent(SlotState.ABANDONED));
        assertFalse(slot.leaveSent(SlotState.ARRIVING));
        slot.set(SlotState.FREE);
        assertTrue(slot.tryClaim());
        assertEquals(first + 1, slot.claim());
    }

    @Test
    void aClosedSlotIsNobodys() {
        assertTrue(slot.tryClaim());
        assertFalse(slot.tryClose());
        slot.set(SlotState.FREE);
        assertTrue(slot.tryClose());
        assertTrue(slot.tryClose());
        assertFalse(slot.tryClaim());
    }
}
