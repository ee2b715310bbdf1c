package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CellsTest {

    @Test
    void aTimeIsWithinHalfAStepOfWhatItsCodeStandsFor() {
        Random random = new Random(17);
        for (int i = 0; i < 10_000; i++) {
            long ns = (long) (512 * Math.pow(2, random.nextDouble() * 15.6));
            double shown = Cells.timeNs(Cells.time(ns));
            assertTrue(Math.abs(Math.log(shown / ns) / Math.log(2)) <= 1.01 / 16, () -> ns + " is shown as " + shown);
        }
    }

    @Test
    void timesOutOfRangeAreTheNearestThatThereIs() {
        assertEquals(1, Cells.time(0));
        assertEquals(1, Cells.time(-5));
        assertEquals(126, Cells.time(Long.MAX_VALUE));
    }

    @Test
    void aLossOfOneIsNeverShownAsNone() {
        assertEquals(1, Cells.loss(1_000_000, 0));
        assertEquals(2, Cells.loss(1_000_000, 1));
        assertEquals(Cells.DEAD, Cells.loss(10, 10));
        assertEquals(126, Cells.loss(1_000_000, 999_999));
        assertEquals(Cells.UNKNOWN, Cells.loss(0, 0));
    }

    @Test
    void aLossIsWithinFourPercentOfWhatItsCodeStandsFor() {
        for (int lost = 1; lost < 1000; lost++) {
            double share = lost / 1000.0;
            double shown = Cells.share(Cells.loss(1000, lost));
            assertEquals(1, shown / share, 0.04, "lost=" + lost);
        }
    }

    @Test
    void whatIsNotKnownIsNotOld() {
        assertEquals(Cells.UNKNOWN, Cells.old(Cells.UNKNOWN));
        assertEquals((byte) (Cells.OLD | 5), Cells.old((byte) 5));
        assertEquals(Cells.DEAD, Cells.time(4, 4, 0));
        assertEquals(Cells.UNKNOWN, Cells.time(0, 0, 700));
    }
}
