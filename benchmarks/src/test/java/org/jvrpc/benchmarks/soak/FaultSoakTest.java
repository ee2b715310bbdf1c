package org.jvrpc.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real campaigns, of seconds: a clean one finds nothing, and each planted fault is found. */
class FaultSoakTest {

    static final long SEED = 113;
    static final long LOAD_MS = 700;

    private static Outcome run(int rounds, String plant) throws Exception {
        Campaign campaign = Campaign.of(SEED, Place.few(), LOAD_MS, rounds);
        return CampaignRun.run(campaign, List.of("-XX:TieredStopAtLevel=1", "-D" + Plant.PROPERTY + "=" + plant),
                System.out);
    }

    @Test
    void aCleanCampaignFindsNothing() throws Exception {
        Outcome outcome = run(4, "none");
        assertEquals(List.of(), outcome.violations());
        assertEquals(List.of(), outcome.leaks(), () -> outcome.slopes().table().toString());
        assertTrue(outcome.ends().getOrDefault(CallEnd.OK, 0L) > 20, () -> outcome.ends().toString());
        assertTrue(outcome.faults() > 0);
    }

    @ParameterizedTest
    @CsvSource({"double,ran more than once", "swap,got a wrong answer"})
    void aPlantedViolationIsFound(String plant, String what) throws Exception {
        Outcome outcome = run(1, plant);
        Predicate<Outcome.Violation> found = violation -> violation.text().contains(what);
        assertTrue(outcome.violations().stream().anyMatch(found), () -> outcome.toString());
        assertTrue(outcome.violations().stream().allMatch(found), () -> outcome.toString());
    }

    @Test
    void aPlantedLeakIsFound() throws Exception {
        Outcome outcome = run(4, "leak-fd");
        assertEquals(List.of(), outcome.violations());
        assertEquals(List.of("steady descriptors"),
                outcome.leaks().stream().map(leak -> leak.substring(0, leak.indexOf(':'))).toList(),
                () -> outcome.slopes().table().toString());
    }
}
