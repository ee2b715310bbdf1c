package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Pieces of one slab: where they lie, what they hold, when they may be taken. */
class RoomTest {

    private static final int BYTES = 4096;
    private static final int PIECE = 1024;

    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(BYTES), 0);
    private final ByteBuffer memory = slab.window(slab.base());
    private final Room room = new Room(slab);

    private long take(long bytes) {
        return room.take(bytes, true) - slab.base();
    }

    private void give(long offset, long bytes) {
        room.retire();
        room.give(slab.base() + offset, bytes);
    }

    private void fill(int offset, int bytes) {
        for (int i = 0; i < bytes; i++) {
            memory.put(offset + i, (byte) 7);
        }
    }

    private void assertZero(int offset, int bytes) {
        for (int i = offset; i < offset + bytes; i++) {
            assertEquals(0, memory.get(i), "offset=" + i);
        }
    }

    @Test
    void piecesFollowEachOtherUntilTheSlabIsFull() {
        for (int i = 0; i < BYTES / PIECE; i++) {
            assertTrue(room.fits(PIECE));
            assertEquals((long) i * PIECE, take(PIECE));
        }
        assertFalse(room.fits(1));
        assertThrows(IllegalStateException.class, () -> take(1));
    }

    @Test
    void aPieceGivenBackIsTakenAgainWithZeros() {
        take(PIECE);
        take(PIECE);
        fill(0, 2 * PIECE);
        give(0, PIECE);
        assertEquals(0, take(PIECE));
        assertZero(0, PIECE);
        assertEquals(7, memory.get(PIECE), "the neighbour's first byte");
    }

    @Test
    void aPieceThatIsUsedInPartIsZeroInAll() {
        take(PIECE);
        fill(0, PIECE);
        give(0, PIECE);
        assertEquals(0, take(2 * PIECE));
        assertZero(0, 2 * PIECE);
    }

    @Test
    void whatWasNeverTakenIsNotWrittenTo() {
        fill(0, BYTES); // stands for memory that is not there yet: a write would be seen
        take(PIECE);
        assertEquals(7, memory.get(0));
        assertEquals(7, memory.get(PIECE));
    }

    @Test
    void freeRangesJoinWithBothNeighbours() {
        for (int i = 0; i < 4; i++) {
            take(PIECE);
        }
        give(0, PIECE);
        give(2 * PIECE, PIECE);
        assertFalse(room.fits(PIECE + 1), "ranges that do not touch were joined");
        give(PIECE, PIECE);
        assertTrue(room.fits(3 * PIECE));
        assertFalse(room.fits(3 * PIECE + 1));
        give(3 * PIECE, PIECE);
        assertTrue(room.fits(BYTES));
        assertTrue(room.isEmpty());
    }

    @Test
    void aRoomIsEmptyAfterTheLastPieceCameBackOnly() {
        assertTrue(room.isEmpty());
        take(PIECE);
        assertTrue(room.isInUse());
        assertFalse(room.isUnused());
        room.retire();
        assertFalse(room.isInUse());
        assertFalse(room.isUnused(), "a piece waits in quarantine");
        room.give(slab.base(), PIECE);
        assertTrue(room.isUnused());
        assertTrue(room.isEmpty());
    }

    @Test
    void aCondemnedRoomIsNeitherSharedNorEmpty() {
        take(PIECE);
        assertTrue(room.isShared());
        give(0, PIECE);
        room.condemn();
        assertTrue(room.isCondemned());
        assertFalse(room.isShared());
        assertFalse(room.isEmpty());
        assertTrue(room.isUnused());
    }

    @Test
    void aPieceOfItsOwnSharesNothing() {
        room.take(BYTES, false);
        assertFalse(room.isShared());
    }

    @Test
    void aFullRoomHasNoPlaceEvenForAPieceWithoutBytes() {
        take(BYTES);
        assertFalse(room.fits(0));
    }
}
