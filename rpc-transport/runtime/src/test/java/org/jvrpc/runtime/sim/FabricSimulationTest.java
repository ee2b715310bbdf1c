package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.replay.Capture;
import org.jvrpc.fabric.replay.Flow;
import org.jvrpc.fabric.replay.Replay;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.runtime.sim.device.FabricNetwork;
import org.jvrpc.runtime.sim.world.World;

/** An RPC program over a simulated fabric, by a simulated clock. */
class FabricSimulationTest {

    private static final int SEEDS = 200;
    private static final int REPLAYED = 10;
    private static final double LOSS = 0.02;

    @BeforeAll
    static void needs() {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
    }

    @Test
    void theSameSeedGivesTheSameBytes() {
        long seed = System.nanoTime();
        FabricNetwork first = FabricSimulation.run(seed, LOSS);
        FabricNetwork second = FabricSimulation.run(seed, LOSS);
        assertArrayEquals(first.capture(), second.capture(), () -> "seed=" + seed);
        assertFalse(Arrays.equals(first.capture(), FabricSimulation.run(seed + 1, LOSS).capture()),
                () -> "seed=" + seed);
    }

    @Test
    void eachCallIsAnsweredOnceThoughPacketsAreLost() {
        long first = Long.getLong("jvrpc.sim.seed", System.nanoTime());
        System.out.println("eachCallIsAnsweredOnceThoughPacketsAreLost: -Djvrpc.sim.seed=" + first);
        long lost = 0;
        long resent = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            try {
                FabricNetwork fabric = FabricSimulation.run(seed, LOSS);
                lost += fabric.lost();
                resent += fabric.resent();
            } catch (Throwable t) {
                throw new AssertionError("seed=" + seed + " " + t.getMessage(), t);
            }
        }
        assertTrue(lost > SEEDS && resent > SEEDS, "lost=" + lost + " resent=" + resent);
    }

    /** By REQ, REP, RTU, DREQ or DREP: whoever waits for an answer asks again. */
    @ParameterizedTest
    @ValueSource(ints = {Mad.REQ, Mad.REP, Mad.RTU, Mad.DREQ, Mad.DREP})
    void connectionsComeAboutAndEndThoughAMessageIsLost(int attribute) {
        long first = Long.getLong("jvrpc.sim.seed", System.nanoTime());
        System.out.println("connectionsComeAboutAndEndThoughAMessageIsLost: -Djvrpc.sim.seed=" + first);
        long lost = 0;
        for (long seed = first; seed < first + REPLAYED; seed++) {
            try {
                lost += FabricSimulation.run(seed, 0, attribute).lost();
            } catch (Throwable t) {
                throw new AssertionError("seed=" + seed + " " + t.getMessage(), t);
            }
        }
        assertEquals(REPLAYED, lost, "seed=" + first);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, LOSS})
    void itsPacketsReplayWithoutDifferences(double loss) {
        for (long seed = 1; seed <= REPLAYED; seed++) {
            List<Flow> flows = Flow.in(Capture.read(ByteBuffer.wrap(FabricSimulation.run(seed, loss).capture())));
            assertEquals(1, flows.size(), "seed=" + seed);
            Replay replay = Replay.of(flows.get(0));
            assertEquals(List.of(), replay.differences(), "seed=" + seed + " " + replay.states());
        }
    }
}
