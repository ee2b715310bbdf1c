package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class SummaryTest {

    @Test
    void shouldTakeTheStatisticsOfARound() {
        Histogram round = new Histogram(1, 1_000_000, 3);
        for (int i = 1; i <= 1000; i++) {
            round.recordValue(i);
        }
        assertEquals(new Summary(500, 900, 990, 999, 1000, 1000), Summary.of(round));
    }

    @Test
    void shouldRefuseARoundWithoutCalls() {
        Histogram empty = new Histogram(1, 1000, 3);
        assertThrows(IllegalArgumentException.class, () -> Summary.of(empty));
        assertThrows(IllegalArgumentException.class, () -> Summary.median(List.of()));
        assertThrows(IllegalArgumentException.class, () -> Summary.median());
    }

    @Test
    void shouldTakeTheMedianOfEachStatisticByItself() {
        Summary median = Summary.median(List.of(
                new Summary(100, 900, 1000, 2000, 9000, 10),
                new Summary(300, 700, 1500, 2500, 8000, 20),
                new Summary(200, 800, 1200, 9999, 9500, 30)));
        assertEquals(new Summary(200, 800, 1200, 2500, 9000, 60), median);
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumberOfRounds() {
        assertEquals(2.5, Summary.median(4, 1, 3, 2));
        assertEquals(7, Summary.median(7));
        assertEquals(new Summary(150, 2, 3, 4, 5, 2), Summary.median(List.of(
                new Summary(100, 2, 3, 4, 5, 1), new Summary(200, 2, 3, 4, 5, 1))));
    }
}
