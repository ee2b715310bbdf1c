package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What sessions queue, by themselves and together, and the pieces that one holds back. */
class OutboxTest {

    private final QueueBudget budget = new QueueBudget(100, 250);
    private final List<Outbox> told = new ArrayList<>();
    private final Outbox outbox = make();

    private Outbox make() {
        Outbox[] made = new Outbox[1];
        made[0] = new Outbox(budget, () -> told.add(made[0]));
        return made[0];
    }

    private static boolean add(Outbox to, int length, int room) {
        return to.add(new ByteBuffer[] {ByteBuffer.allocate(length)}, length, room);
    }

    private static boolean queue(Outbox in, int length) {
        return add(in, length, 0);
    }

    private static void queueAndLook(Outbox in, int length) {
        assertTrue(queue(in, length));
        in.look();
    }

    // ---- one session

    @Test
    void aFrameIsCopiedAndLeavesByPieces() {
        ByteBuffer[] pieces = {ByteBuffer.wrap(new byte[] {9, 1, 2}, 1, 2), ByteBuffer.wrap(new byte[] {3})};
        assertTrue(outbox.isEmpty());
        assertTrue(outbox.add(pieces, 3, 0));
        pieces[0].put(1, (byte) 7);
        assertFalse(outbox.isEmpty());
        assertEquals(3, outbox.bytes());
        assertEquals(2, pieces[0].remaining(), "what the caller has is left as it is");
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), outbox.first());
        outbox.consume(1);
        assertEquals(ByteBuffer.wrap(new byte[] {2, 3}), outbox.first());
        assertEquals(2, outbox.bytes());
        outbox.consume(2);
        assertTrue(outbox.isEmpty());
        assertEquals(0, outbox.bytes());
    }

    @Test
    void aSessionIsFullBeyondAQuarterOfItsShare() {
        queue(outbox, 25);
        assertFalse(outbox.isFull());
        queue(outbox, 1);
        assertTrue(outbox.isFull());
    }

    @Test
    void aSessionQueuesNoMoreThanItsShareBeyondWhatLeavesAtOnce() {
        assertTrue(add(outbox, 120, 20));
        assertEquals(List.of(), told);
        assertNull(outbox.overflow());
        assertFalse(add(outbox, 1, 20));
        assertEquals("peer makes no room: queued bytes=120 and a frame of bytes=1, limit=100", outbox.overflow());
        assertEquals(List.of(outbox), told);
        assertEquals(120, outbox.bytes());
    }

    @Test
    void whatIsClearedIsNotQueuedAnyMore() {
        queueAndLook(outbox, 40);
        outbox.clear();
        assertTrue(outbox.isEmpty());
        assertEquals(0, outbox.bytes());
        Outbox[] others = {make(), make(), make()};
        for (Outbox other : others) {
            queueAndLook(other, 80);
        }
        assertEquals(List.of(), told, "240 bytes in all");
    }

    // ---- all together

    @Test
    void ofAllSessionsTheOneWithTheMostEndsOnceTheyHaveMoreThanTheirs() {
        Outbox most = make();
        Outbox least = make();
        queueAndLook(outbox, 80);
        queueAndLook(most, 100);
        queueAndLook(least, 70);
        assertEquals(List.of(), told, "250 bytes are not too many");
        queueAndLook(least, 1);
        assertEquals(List.of(most), told);
        assertEquals("sessions of this server have bytes=251 queued, limit=250, of which this one has bytes=100",
                most.overflow());
    }

    /** Which is the one that can be told at once. */
    @Test
    void ofThoseWithAsMuchTheOneThatQueuesMoreEnds() {
        QueueBudget many = new QueueBudget(100, 64);
        for (int i = 0; i < 64; i++) {
            Outbox other = new Outbox(many, () -> told.add(null));
            queueAndLook(other, 1);
        }
        Outbox[] last = new Outbox[1];
        last[0] = new Outbox(many, () -> told.add(last[0]));
        queueAndLook(last[0], 1);
        assertEquals(List.of(last[0]), told);
    }

    @Test
    void aSessionThatIsToEndCountsNoMore() {
        Outbox second = make();
        Outbox third = make();
        queueAndLook(outbox, 90);
        outbox.overflow("planted");
        told.clear();
        queueAndLook(second, 100);
        queueAndLook(third, 100);
        assertEquals(List.of(), told, "200 bytes beside its own");
    }

    @Test
    void justAllThatTheyMayHaveBesideOneThatIsToEndIsNotTooMuch() {
        Outbox second = make();
        Outbox third = make();
        Outbox fourth = make();
        queueAndLook(outbox, 1);
        outbox.overflow("planted");
        told.clear();
        queueAndLook(second, 100);
        queueAndLook(third, 100);
        queueAndLook(fourth, 50);
        assertEquals(List.of(), told, "250 bytes beside its own");
        queueAndLook(fourth, 1);
        assertEquals(1, told.size());
    }

    /** Or its memory stays for as long as the server's. */
    @Test
    void aSessionThatHasNothingQueuedIsForgotten() {
        Outbox cleared = make();
        queueAndLook(outbox, 1);
        outbox.consume(1);
        queueAndLook(cleared, 1);
        cleared.clear();
        queue(outbox, 100); // without a look it is not among those that are asked
        queue(cleared, 100);
        queueAndLook(make(), 100);
        queueAndLook(make(), 100);
        assertEquals(List.of(), told, "200 bytes are known of");
    }

    @Test
    void aSessionOfWhichSomeHasLeftIsNotForgotten() {
        Outbox second = make();
        Outbox third = make();
        queue(outbox, 10);
        queueAndLook(outbox, 90);
        outbox.consume(10);
        queueAndLook(second, 80);
        queueAndLook(third, 81);
        assertEquals(List.of(outbox), told);
    }

    @Test
    void whoLooksWithNothingQueuedIsNotAmongThoseWhoQueue() {
        outbox.look();
        queue(outbox, 100);
        queueAndLook(make(), 100);
        queueAndLook(make(), 100);
        assertEquals(List.of(), told, "200 bytes are known of");
    }

    @Test
    void aClientQueuesWhatItLikes() {
        Outbox own = new Outbox(QueueBudget.UNLIMITED, () -> told.add(null));
        queueAndLook(own, 1 << 20);
        queueAndLook(own, 1 << 20);
        assertFalse(own.isFull());
        assertEquals(2 << 20, own.bytes());
        assertEquals(List.of(), told);
    }

    // ---- what is held back

    @Test
    void heldPiecesAreCopiesInTheirOrder() {
        HeldPieces held = new HeldPieces(4);
        ByteBuffer first = ByteBuffer.wrap(new byte[] {1, 2});
        assertTrue(held.isEmpty());
        held.add(first.duplicate(), 5);
        held.add(ByteBuffer.wrap(new byte[] {3}), 1);
        first.put(0, (byte) 9);
        assertFalse(held.isEmpty());
        assertEquals(new HeldPieces.Piece(ByteBuffer.wrap(new byte[] {1, 2}), 5), held.remove());
        assertEquals(new HeldPieces.Piece(ByteBuffer.wrap(new byte[] {3}), 1), held.remove());
        assertTrue(held.isEmpty());
    }

    @Test
    void noMoreThanAWindowIsHeld() {
        HeldPieces held = new HeldPieces(2);
        held.add(ByteBuffer.allocate(1), 1);
        held.add(ByteBuffer.allocate(1), 1);
        assertEquals("peer sends more than it has credits for: window=2",
                assertThrows(IllegalStateException.class, () -> held.add(ByteBuffer.allocate(1), 1)).getMessage());
        held.clear();
        assertTrue(held.isEmpty());
    }
}
