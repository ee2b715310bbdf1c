package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** An inbox, by one thread. */
final class InboxTest {

    private final Inbox<Integer> inbox = new Inbox<>();

    @Test
    void aNewOneIsEmpty() {
        assertFalse(inbox.isFilled());
        assertNull(inbox.peek());
        assertNull(inbox.poll());
    }

    @Test
    void whatIsAddedComesInItsOrder() {
        inbox.add(1);
        inbox.add(2);
        assertTrue(inbox.isFilled());
        assertEquals(1, inbox.peek());
        assertEquals(1, inbox.poll());
        assertTrue(inbox.isFilled());
        assertEquals(2, inbox.poll());
        assertNull(inbox.poll());
        assertFalse(inbox.isFilled(), "it was looked at");
    }

    @Test
    void aLookThatFindsNothingEmptiesIt() {
        inbox.add(1);
        assertEquals(1, inbox.poll());
        assertTrue(inbox.isFilled(), "nobody looked since");
        assertNull(inbox.peek());
        assertFalse(inbox.isFilled());
        inbox.add(2);
        assertTrue(inbox.isFilled());
        assertEquals(2, inbox.peek());
    }
}
