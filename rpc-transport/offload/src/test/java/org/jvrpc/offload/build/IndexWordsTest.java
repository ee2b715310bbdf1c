package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.Wr;

/** How numbers share words, and which READs hand them out. */
final class IndexWordsTest {

    private final Sketch sketch = new Sketch();
    private final ChainQueue queue = sketch.managed("W", 64);
    private final ChainCq cq = new ChainCq("cq", 1, 0);
    private final Place unwanted = Place.of(sketch.memory(64), 0, 64, "unwanted");
    private final IndexWords words = new IndexWords();
    private int block;

    private OrderRequest placed(OrderRequest order, int index, int increment) {
        order.place(queue, block++);
        order.resolve(index, increment, 0);
        return order;
    }

    /** Adds a number of 3 bytes. */
    private void addWait(int index, int increment) {
        words.add(placed((OrderRequest) Wr.await(cq, 0), index, increment), true, false);
    }

    /** Adds a number of 2 bytes. */
    private void addEnable(int index, int increment) {
        words.add(placed((OrderRequest) Wr.enableBlocks(queue, 0), index, increment), true, false);
    }

    private static String ranges(List<IndexWords.Scatter> scatters) {
        StringBuilder text = new StringBuilder();
        for (IndexWords.Scatter scatter : scatters) {
            text.append(text.length() == 0 ? "" : ", ").append(scatter.from()).append('+').append(scatter.length())
                    .append(" into ").append(scatter.into().length);
        }
        return text.toString();
    }

    @Test
    void aWordIsFullWithEightBytes() {
        for (int i = 1; i <= 4; i++) {
            addEnable(0, i);
        }
        assertEquals(1, words.pack());
        addEnable(0, 5);
        assertEquals(2, words.pack());
    }

    @Test
    void moreFieldsThanThereIsRoomForAreRefused() {
        for (int i = 1; i <= 32; i++) {
            addWait(0, i);
        }
        assertEquals(16, words.pack());
        addWait(0, 33);
        String message = assertThrows(IllegalArgumentException.class, words::pack).getMessage();
        assertEquals("a recycled program has too many WAITs and ENABLEs: fields=33", message);
    }

    @Test
    void anAddendThatIsNegativeStaysInItsField() {
        words.add(new IndexWords.Cursor(2, 0, -16, null, null));
        addEnable(0, 3);
        words.pack();
        assertArrayEquals(new long[] {0x0003_fff0L, 0x8000_8000L}, words.addAndBoundary(0));
    }

    @Test
    void nothingIsLeftOfTheFieldsBefore() {
        addEnable(0, 7);
        words.pack();
        words.clear();
        addEnable(0, 8);
        words.pack();
        assertArrayEquals(new long[] {8, 0x8000}, words.addAndBoundary(0));
    }

    @Test
    void anEnableALapAheadOfAnotherTakesTheOldNumberOfTheSameField() {
        addEnable(10, 2);
        addEnable(8, 2);
        words.pack();
        assertEquals(8, words.oldAt(0));
        assertEquals("0+10 into 5", ranges(words.scatter(unwanted)), "new, a gap, old");
    }

    @Test
    void numbersAreTheSameInAsManyBitsAsTheDeviceLooksAt() {
        addEnable(10, 2);
        addEnable(8 + 65536, 2);
        words.pack();
        assertArrayEquals(new long[] {2, 0x8000}, words.addAndBoundary(0), "one field");
    }

    @Test
    void numbersThatAreNoLapApartHaveFieldsOfTheirOwn() {
        addEnable(10, 2);
        addEnable(10, 2);
        words.pack();
        assertArrayEquals(new long[] {0x2_0002, 0x8000_8000L}, words.addAndBoundary(0));
        assertEquals(-1, words.oldAt(0));
    }

    @Test
    void theRestOfAnOldWordIsNotRead() {
        addWait(0, 1);
        addWait(10, 2);
        addWait(8, 2);
        assertEquals(1, words.pack());
        assertEquals("0+11 into 10", ranges(words.scatter(unwanted)), "the field with an old number is the first");
    }

    @Test
    void aReadHasAtMostSixteenPieces() {
        for (int i = 1; i <= 8; i++) {
            addEnable(0, i);
        }
        words.pack();
        assertEquals("0+16 into 16", ranges(words.scatter(unwanted)));
        addEnable(0, 9);
        words.pack();
        assertEquals("0+16 into 16, 16+2 into 2", ranges(words.scatter(unwanted)));
    }

    /** A gap and what is behind it are two pieces. */
    @Test
    void aGapIsReadWhereThereIsRoomForItAndWhatIsBehind() {
        for (int i = 1; i <= 7; i++) {
            addEnable(0, i);
        }
        addWait(0, 8);
        words.pack();
        assertEquals("0+17 into 16, 17+2 into 2", ranges(words.scatter(unwanted)), "14 pieces before the gap");
    }

    @Test
    void aGapIsNotReadWhereThereIsNoRoomForWhatIsBehind() {
        for (int i = 1; i <= 6; i++) {
            addEnable(0, i);
        }
        addWait(0, 7);
        addWait(0, 8);
        words.pack();
        assertEquals("0+15 into 15, 16+3 into 3", ranges(words.scatter(unwanted)), "15 pieces before the gap");
    }

    @Test
    void aGapThatIsLongerThanWhatTakesItIsNotRead() {
        addWait(0, 1);
        addWait(0, 2);
        addWait(0, 3);
        words.pack();
        assertEquals("0+11 into 10", ranges(words.scatter(unwanted.slice(0, 2))));
        assertEquals("0+6 into 6, 8+3 into 3", ranges(words.scatter(unwanted.slice(0, 1))));
    }

    @Test
    void whatNobodyWantsIsNotRead() {
        words.add(new IndexWords.Cursor(4, 0, 1, null, null));
        words.pack();
        assertEquals("", ranges(words.scatter(unwanted)));
    }
}
