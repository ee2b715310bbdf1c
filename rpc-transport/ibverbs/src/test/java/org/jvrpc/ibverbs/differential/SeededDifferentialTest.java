package org.jvrpc.ibverbs.differential;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.contract.Pattern;

/** All verbs at a time, when many packets meet faults: one schedule for each part. */
@NeedsRdmaDevice
final class SeededDifferentialTest extends Differential {

    private static final int SCHEDULES = 12;
    private static final double CHANCE = 0.2;

    private static LongStream seeds() {
        return new SplittableRandom(Pattern.seed("differential")).longs(SCHEDULES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aScheduleOfFaultsEndsAsOnRxe(long seed) {
        compareBySeed(Scenario.MIXED, seed, CHANCE);
    }
}
