package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.experiment.ProductionLatency.Result;
import org.jvrpc.fabric.experiment.ProductionLatency.Service;
import org.jvrpc.fabric.trace.Watcher;

/** SIGCOMM'16, Figure 6: few round trips meet a burst, and wait for it; where frames are dropped, for time-outs. */
class ProductionLatencyTest {

    private static final long MS = 1_000_000;

    private static Result run(Service service, boolean lossless) {
        return ProductionLatency.run(service, lossless, 1.0 / 64, 5 * MS, 4 * MS, 30 * MS, 1, Watcher.NOBODY);
    }

    @Test
    void aBurstIsWaitedForByAFewAndNothingIsDropped() {
        Result result = run(Service.paper(), true);
        assertEquals(0, result.drops(), result::toString);
        assertEquals(0, result.timeouts(), result::toString);
        assertEquals(0.35, result.gotGbps(), 0.1, result::toString);
        assertTrue(result.medianNs() < 10_000, result::toString);
        assertTrue(result.p99Ns() > 10 * result.medianNs(), result::toString);
        assertTrue(result.p999Ns() > result.p99Ns() && result.p999Ns() < MS, result::toString);
    }

    @Test
    void whereFramesAreDroppedTheTailIsATimeOut() {
        Result lossy = run(Service.paper(), false);
        assertTrue(lossy.drops() > 0 && lossy.pauses() == 0 && lossy.timeouts() > 0, lossy::toString);
    }
}
