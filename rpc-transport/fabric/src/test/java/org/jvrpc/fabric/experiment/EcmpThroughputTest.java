package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;

/** A small Clos: the paper's is run by {@link Experiments}. */
class EcmpThroughputTest {

    private static final long MS = 1_000_000;

    @Test
    void collidingFlowsLeaveCapacityUnusedAndNothingIsDropped() {
        EcmpThroughput.Result result = EcmpThroughput.run(EcmpThroughput.Size.small(), 128 << 10, 1024,
                EcmpThroughput.Coupling.ALL, DcqcnParameters.SIGCOMM15, EcnMarking.SIGCOMM15, 2 * MS, 2 * MS, 1);
        assertEquals(768, result.connections());
        assertEquals(0, result.drops(), result::toString);
        assertTrue(result.utilization() > 0.4 && result.utilization() < 0.95, result::toString);
        assertTrue(result.marked() > 0, result::toString);
    }
}
