package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcnMarkingTest {

    private static final int LEAST_RANDOM = 0;
    private static final int LARGEST_RANDOM = -1;

    /** Returns the share of all 2^32 random numbers that mark a queue, by bisection. */
    private static double probability(EcnMarking marking, long queueBytes) {
        long marks = 0;
        long most = 1L << 32;
        while (marks < most) {
            long middle = (marks + most) / 2;
            if (marking.marks(queueBytes, (int) middle)) {
                marks = middle + 1;
            } else {
                most = middle;
            }
        }
        return marks / 0x1p32;
    }

    @ParameterizedTest
    @CsvSource({"5000, 0", "5001, 5.128205128e-8", "102500, 0.005", "200000, 0.01", "200001, 1"})
    void theProbabilityOfTheFluidModelGrowsFromKminToPmaxAndJumpsBehindKmax(long queueBytes, double expected) {
        assertEquals(expected, probability(EcnMarking.SIGCOMM15, queueBytes), 0x1p-31);
    }

    @ParameterizedTest
    @CsvSource({"40000, 0", "280000, 0.25", "1000000, 1", "5000000000, 1"})
    void theProbabilityOfNs3GrowsToOne(long queueBytes, double expected) {
        assertEquals(expected, probability(EcnMarking.NS3_RDMA, queueBytes), 0x1p-31);
    }

    @ParameterizedTest
    @CsvSource({"25000000000, 250000, 0.1", "100000000000, 1000000, 0.1", "100000000000, 400000, 0",
        "100000000000, 1600001, 1"})
    void theThresholdsOfHpccGrowWithTheRate(long bitsPerSecond, long queueBytes, double expected) {
        assertEquals(expected, probability(EcnMarking.hpcc(bitsPerSecond), queueBytes), 0x1p-31);
    }

    @Test
    void oneThresholdMarksEveryLongerQueueAndNoOther() {
        EcnMarking step = new EcnMarking("step", 30_000, 30_000, 0.5);
        assertFalse(step.marks(30_000, LEAST_RANDOM));
        assertTrue(step.marks(30_001, LARGEST_RANDOM));
    }

    @Test
    void valuesAtTheEndsOfTheirRangesAreTaken() {
        assertFalse(new EcnMarking("never", 0, 10, 0).marks(10, LEAST_RANDOM));
        assertTrue(new EcnMarking("surely", 0, 10, 1).marks(10, LARGEST_RANDOM));
        assertFalse(new EcnMarking("half", 0, 2, 0.5).marks(1, 1 << 30), "a quarter of all numbers are less");
        assertTrue(new EcnMarking("half", 0, 2, 0.5).marks(1, (1 << 30) - 1));
    }

    @Test
    void valuesThatMakeNoRuleAreRefusedByName() {
        assertRefused(-1, 5, 0.5);
        assertRefused(6, 5, 0.5);
        assertRefused(1, 5, 1.1);
        assertRefused(1, 5, Double.NaN);
    }

    private static void assertRefused(long kmin, long kmax, double pmax) {
        String message = assertThrows(
                IllegalArgumentException.class, () -> new EcnMarking("bad", kmin, kmax, pmax)).getMessage();
        assertEquals("name=bad kminBytes=" + kmin + " kmaxBytes=" + kmax + " pmax=" + pmax, message);
    }

    @Test
    void theNameStandsBesideTheValues() {
        assertEquals("SIGCOMM'15 kminBytes=5000 kmaxBytes=200000 pmax=0.01", EcnMarking.SIGCOMM15.toString());
    }
}
