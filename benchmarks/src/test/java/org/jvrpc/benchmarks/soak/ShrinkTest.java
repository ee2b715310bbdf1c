package org.jvrpc.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leaving out what a failure does not need. */
class ShrinkTest {

    @Test
    void shrinkingFindsTheFewest() {
        List<Integer> all = IntStream.range(0, 40).boxed().toList();
        assertEquals(List.of(7, 31), Shrink.fewest(all, some -> some.containsAll(List.of(7, 31))));
        assertEquals(List.of(), Shrink.fewest(all, some -> true));
        assertEquals(all, Shrink.fewest(all, some -> false));
        assertEquals(List.of(), Shrink.fewest(List.<Integer>of(), some -> true));
    }
}
