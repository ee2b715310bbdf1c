package org.jvrpc.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.benchmarks.soak.plan.Campaign;
import org.jvrpc.benchmarks.soak.plan.Fault;
import org.jvrpc.benchmarks.soak.plan.Place;

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

    /** The command that is printed runs the needed fault, and nothing else. */
    @Test
    void shrinkingStopsAtTheFaultThatIsNeeded() {
        Campaign campaign = Campaign.of(3, Place.full(), 10_000, 5);
        List<Fault> faults = campaign.faultsOf(4);
        assertTrue(faults.size() > 3, faults::toString);
        Fault needed = faults.get(2);
        assertEquals(List.of(needed),
                Shrink.fewest(faults, some -> campaign.round(4, some).faults().contains(needed)));
        assertEquals(campaign.round(4, List.of(needed)), campaign.only(Set.of(needed.number())));
    }
}
