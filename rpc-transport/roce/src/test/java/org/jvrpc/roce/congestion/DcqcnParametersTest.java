package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DcqcnParametersTest {

    private static final long MEGABIT = 1_000_000;

    @Test
    void theNamedSetsHaveTheValuesOfTheirSources() {
        assertEquals("SIGCOMM'15 rules=EACH_CNP clamp=ALWAYS cnpIntervalNs=50000 alphaIntervalNs=55000"
                + " decreaseIntervalNs=0 increaseIntervalNs=55000 byteCounter=10000000 fastRecoveryStages=5"
                + " additiveIncreaseBitsPerSecond=40000000 hyperIncreaseBitsPerSecond=0 gain=0.00390625"
                + " initialAlpha=1.0 leastBitsPerSecond=1000000", DcqcnParameters.SIGCOMM15.toString());
        assertEquals("ns3-rdma rules=EACH_CNP clamp=ALWAYS cnpIntervalNs=50000 alphaIntervalNs=55000"
                + " decreaseIntervalNs=0 increaseIntervalNs=60000 byteCounter=300000000 fastRecoveryStages=5"
                + " additiveIncreaseBitsPerSecond=40000000 hyperIncreaseBitsPerSecond=200000000 gain=0.00390625"
                + " initialAlpha=0.5 leastBitsPerSecond=100000000", DcqcnParameters.NS3_RDMA.toString());
        assertEquals("NVIDIA rules=PERIODIC clamp=AFTER_INCREASE cnpIntervalNs=4000 alphaIntervalNs=1000"
                + " decreaseIntervalNs=4000 increaseIntervalNs=300000 byteCounter=32767 fastRecoveryStages=1"
                + " additiveIncreaseBitsPerSecond=5000000 hyperIncreaseBitsPerSecond=50000000 gain=0.0048828125"
                + " initialAlpha=0.9990234375 leastBitsPerSecond=1000000", DcqcnParameters.NVIDIA.toString());
        assertEquals("HPCC dcqcn rules=PERIODIC clamp=AFTER_INCREASE cnpIntervalNs=0 alphaIntervalNs=1000"
                + " decreaseIntervalNs=4000 increaseIntervalNs=300000 byteCounter=0 fastRecoveryStages=1"
                + " additiveIncreaseBitsPerSecond=20000000 hyperIncreaseBitsPerSecond=200000000 gain=0.00390625"
                + " initialAlpha=1.0 leastBitsPerSecond=1000000000",
                DcqcnParameters.hpcc(100_000 * MEGABIT).toString());
    }

    @Test
    void aChangedSetKeepsEveryOtherValueAndHasAnotherName() {
        for (DcqcnParameters set : FourSets.at(100_000 * MEGABIT)) {
            DcqcnParameters changed = set.as("changed").gain(0.25).build();
            assertEquals(set.toString().replace(set.name(), "changed").replace("gain=" + set.gain(), "gain=0.25"),
                    changed.toString());
            assertThrows(IllegalArgumentException.class, () -> set.as(set.name()));
        }
    }

    @Test
    void eachValueOutOfItsRangeIsRefusedByName() {
        refused("cnpIntervalNs=-1 ", b -> b.cnpIntervalNs(-1));
        refused("alphaIntervalNs=99 ", b -> b.alphaIntervalNs(99));
        refused("decreaseIntervalNs=99 ", b -> b.decreaseIntervalNs(99));
        refused("decreaseIntervalNs=4000 ", b -> b.rules(DcqcnParameters.Rules.EACH_CNP));
        refused("increaseIntervalNs=3600000000001 ", b -> b.increaseIntervalNs(3_600_000_000_001L));
        refused("byteCounter=-1 ", b -> b.byteCounter(-1));
        refused("fastRecoveryStages=0 ", b -> b.fastRecoveryStages(0));
        refused("additiveIncreaseBitsPerSecond=0 ", b -> b.additiveIncreaseBitsPerSecond(0));
        refused("hyperIncreaseBitsPerSecond=-1 ", b -> b.hyperIncreaseBitsPerSecond(-1));
        refused("gain=0.0 ", b -> b.gain(0));
        refused("gain=NaN ", b -> b.gain(Double.NaN));
        refused("initialAlpha=1.5 ", b -> b.initialAlpha(1.5));
        refused("leastBitsPerSecond=999999 ", b -> b.leastBitsPerSecond(999_999));
        assertThrows(NullPointerException.class, () -> DcqcnParameters.NVIDIA.as("x").clamp(null).build());
        assertThrows(NullPointerException.class, () -> DcqcnParameters.NVIDIA.as("x").rules(null).build());
    }

    @Test
    void valuesAtTheEndsOfTheirRangesAreTaken() {
        DcqcnParameters set = DcqcnParameters.NVIDIA.as("ends").gain(1).initialAlpha(1)
                .clamp(DcqcnParameters.Clamp.ALWAYS).build();
        assertEquals(1, set.gain());
        assertEquals(DcqcnParameters.Clamp.ALWAYS, set.clamp());
        assertEquals(4000, set.cnpIntervalNs());
        assertEquals("ends bitsPerSecond=1000000000 targetBitsPerSecond=1000000000 alpha=1.0 timeStage=0 byteStage=0",
                new ReactionPoint(set, 1_000_000_000).toString());
    }

    private static void refused(String message, UnaryOperator<DcqcnParameters.Builder> change) {
        DcqcnParameters.Builder changed = change.apply(DcqcnParameters.NVIDIA.as("changed"));
        String got = assertThrows(IllegalArgumentException.class, changed::build).getMessage();
        assertEquals(message, got.substring(0, Math.min(message.length(), got.length())));
    }

    @Test
    void aLineBelowTheLeastRateIsRefused() {
        assertEquals("lineBitsPerSecond=99999999 least=100000000 most=10000000000000",
                assertThrows(IllegalArgumentException.class,
                        () -> new ReactionPoint(DcqcnParameters.NS3_RDMA, 99_999_999)).getMessage());
    }
}
