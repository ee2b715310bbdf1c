package org.jvrpc.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.benchmarks.soak.audit.CallEnd;
import org.jvrpc.benchmarks.soak.plan.Campaign;
import org.jvrpc.benchmarks.soak.plan.Fault;
import org.jvrpc.benchmarks.soak.plan.Place;
import org.jvrpc.benchmarks.soak.role.Plant;

/** Real campaigns, of seconds: a clean one finds nothing, and each planted fault is found. */
class FaultSoakTest {

    /** The fewest of which leaks are judged. */
    private static final int ROUNDS = 4;
    private static final Campaign CAMPAIGN = Campaign.of(113, Place.few(), 700, ROUNDS);

    private static FutureTask<Outcome> clean;
    private static FutureTask<Outcome> planted;

    /** Both at once: they wait most of the time. */
    @BeforeAll
    static void start() {
        clean = start("none");
        planted = start("double,swap,leak-fd");
    }

    private static FutureTask<Outcome> start(String plants) {
        FutureTask<Outcome> task = new FutureTask<>(() -> run(plants));
        new Thread(task, "campaign " + plants).start();
        return task;
    }

    /** No campaign goes on when a test has given up. */
    @AfterAll
    static void end() {
        clean.cancel(true);
        planted.cancel(true);
    }

    private static Outcome run(String plants) throws Exception {
        return CampaignRun.run(CAMPAIGN, List.of("-XX:TieredStopAtLevel=1", "-D" + Plant.PROPERTY + "=" + plants),
                System.out);
    }

    @Test
    void theCampaignHasFaults() {
        List<Fault> faults = CAMPAIGN.faults();
        assertTrue(faults.stream().map(Fault::kind).distinct().count() >= 3, faults::toString);
    }

    @Test
    void aCleanCampaignFindsNothing() throws Exception {
        Outcome outcome = clean.get();
        assertEquals(List.of(), outcome.violations());
        assertEquals(List.of(), outcome.leaks(), () -> outcome.slopes().table().toString());
        assertTrue(outcome.ends().getOrDefault(CallEnd.OK, 0L) > 20, () -> outcome.ends().toString());
        assertTrue(outcome.faults() > 0);
    }

    /** What is planted shows in ways that can be told apart, so that one campaign does for all. */
    @Test
    void whatIsPlantedIsFoundAndNothingElse() throws Exception {
        Outcome outcome = planted.get();
        List<String> twice = violations(outcome, "ran more than once");
        List<String> wrong = violations(outcome, "got a wrong answer");
        assertTrue(!twice.isEmpty() && !wrong.isEmpty(), outcome::toString);
        assertEquals(outcome.violations().size(), twice.size() + wrong.size(), outcome::toString);
        assertEquals(List.of("steady descriptors"),
                outcome.leaks().stream().map(leak -> leak.substring(0, leak.indexOf(':'))).toList(),
                () -> outcome.slopes().table().toString());
    }

    private static List<String> violations(Outcome outcome, String what) {
        return outcome.violations().stream().map(Outcome.Violation::text).filter(text -> text.contains(what)).toList();
    }
}
