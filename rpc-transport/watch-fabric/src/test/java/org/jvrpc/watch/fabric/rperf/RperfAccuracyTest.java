package org.jvrpc.watch.fabric.rperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.watch.fabric.rperf.Accuracy.Report;
import org.jvrpc.watch.fabric.rperf.Accuracy.Setup;
import org.jvrpc.watch.fabric.rperf.Accuracy.Way;
import org.jvrpc.watch.rperf.LoadPattern;

/** How far rperf's figures are from what the fabric knows. Seeds are fixed; times are simulated. */
class RperfAccuracyTest {

    private static final long DURATION_NS = 10_000_000;
    private static final double IDLE = 0.01;
    private static final double BUSY = 0.05;
    /** The fabric's time has whole nanoseconds: of 132 ns at one ToR they are more than 1 %. */
    private static final double ROUNDING_NS = 2;

    private static void within(double limit, double error, Report report) {
        assertTrue(Math.abs(error) <= limit, () -> "error=" + error + " limit=" + limit + " of " + report);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void betweenPodsetsMeanAndMedianAreWithinOnePercentOfTheTruth(long seed) {
        Report report = Accuracy.run(Setup.of(0, DURATION_NS, seed));
        within(IDLE, report.meanError(), report);
        within(IDLE, report.p50Error(), report);
        assertTrue(report.rawMeanError() > 0.05, () -> "what is subtracted is next to nothing: " + report);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withHostsAtNinetyPercentTheyAreWithinFivePercent(long seed) {
        Report report = Accuracy.run(Setup.of(0.9, DURATION_NS, seed));
        assertEquals(0.9, report.fetchLoad(), 0.015, report::toString);
        assertEquals(0.9, report.completeLoad(), 0.015, report::toString);
        within(BUSY, report.meanError(), report);
        within(BUSY, report.p50Error(), report);
    }

    /** On short ways the bits at the port, which loopback takes out, are a share that counts: they are added. */
    @ParameterizedTest
    @CsvSource({"TOR,1", "TOR,2", "TOR,3", "LEAF,1", "LEAF,2", "LEAF,3"})
    void soTheyAreOnShortWays(Way way, long seed) {
        Report idle = Accuracy.run(Setup.of(0, DURATION_NS, seed).withWay(way));
        double rounding = ROUNDING_NS / idle.truthMeanNs();
        within(Math.max(IDLE, rounding), idle.meanError(), idle);
        within(Math.max(IDLE, rounding), idle.p50Error(), idle);
        Report busy = Accuracy.run(Setup.of(0.9, DURATION_NS, seed).withWay(way));
        assertEquals(0.9, busy.fetchLoad(), 0.015, busy::toString);
        within(BUSY, busy.meanError(), busy);
        within(BUSY, busy.p50Error(), busy);
    }

    /** On a device nobody knows how fast its loopback is, and nothing is added. */
    @Test
    void withoutLoopbacksOwnBitsTheErrorOfAShortWayIsTheirShare() {
        Report report = Accuracy.run(Setup.of(0, DURATION_NS, 1).withWay(Way.TOR));
        assertEquals(-report.portNs() / report.truthMeanNs(), report.meanErrorWithoutBits(), 0.02, report::toString);
        assertTrue(report.meanErrorWithoutBits() < -0.2, report::toString);
    }

    /** Of a message of several packets, the last one's: behind its first bit the time begins. */
    @ParameterizedTest
    @ValueSource(ints = {1, 61, 1_024, 1_025, 2_000, 8_192})
    void theBitsThatAreAddedAreThoseOfTheLastPacketAndItsAcknowledgement(int bytes) {
        Setup setup = Setup.of(0, DURATION_NS / 10, 1);
        Report report = Accuracy.run(new Setup(setup.way(), 0, setup.itemNs(), setup.costs(), 0,
                LoadPattern.ofBytes(bytes), setup.durationNs(), 1));
        assertEquals(report.portNs(), report.result().loopbackBitsNs(), 2, report::toString);
    }

    /** What loopback takes in the NIC beyond the bits is missing from the figure: nothing else tells it. */
    @Test
    void theTimeThatLoopbackTakesIsMissing() {
        Report report = Accuracy.run(Setup.of(0, DURATION_NS, 1).withLoopbackNs(100));
        assertEquals(report.truthMeanNs() - 200, report.result().meanOfAllNs(), 5);
    }

    @Test
    void hostsWithoutCostsHaveNothingToSubtract() {
        Setup setup = new Setup(Way.SPINE, 0, 10, new HostCosts(0, 0, 0, 0, 0, 0), 0, LoadPattern.ofBytes(64),
                DURATION_NS, 1);
        Report report = Accuracy.run(setup);
        assertEquals(report.portNs(), report.result().loopback().meanNs(), 3);
        within(IDLE, report.meanError(), report);
    }

    @Test
    void theSameSeedGivesTheSameFigures() {
        Setup setup = Setup.of(0.9, DURATION_NS / 10, 7);
        Report first = Accuracy.run(setup);
        Report second = Accuracy.run(setup);
        assertEquals(first.result().rtt(), second.result().rtt());
        assertEquals(first.truthMeanNs(), second.truthMeanNs());
    }

    @Test
    void patternsRunInSimulatedTimeToo() {
        Setup setup = Setup.of(0, DURATION_NS, 1);
        LoadPattern pattern = LoadPattern.ofBytes(4096).withRate(200_000).withOutstanding(8).withOnOff(1_000_000,
                1_000_000);
        Report report = Accuracy.run(new Setup(setup.way(), 0, setup.itemNs(), setup.costs(), 0, pattern, DURATION_NS,
                1));
        assertEquals(200_000 * DURATION_NS / 2e9, report.result().pairs(), 20);
        assertEquals(0, report.result().unfinished());
        assertEquals(report.result().pairs(), report.messages(), 2);
    }
}
