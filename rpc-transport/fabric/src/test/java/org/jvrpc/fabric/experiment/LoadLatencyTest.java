package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.trace.Watcher;

/** SIGCOMM'16, Figure 8: load makes round trips of its class longer, those of another class stay as they were. */
class LoadLatencyTest {

    private static final long MS = 1_000_000;

    private static LoadLatency.Result run(double gbps) {
        LoadLatency.Result result = LoadLatency.run(gbps, 32 << 10, 2 * MS, 6 * MS, 1, Watcher.NOBODY);
        assertEquals(0, result.drops(), result::toString);
        return result;
    }

    @Test
    void loadIsFeltInItsOwnClassAlone() {
        LoadLatency.Result idle = run(0);
        LoadLatency.Result half = run(4);
        LoadLatency.Result full = run(8);
        assertEquals(4, half.gotGbps(), 0.2, half::toString);
        assertTrue(full.gotGbps() > 5 && full.gotGbps() < 7.5, () -> "the links between the tiers are full: " + full);
        assertTrue(half.p99Ns() > 4 * idle.p99Ns(), () -> idle + "\n" + half);
        assertTrue(full.p99Ns() > 4 * half.p99Ns(), () -> half + "\n" + full);
        assertTrue(full.p999Ns() >= full.p99Ns() && full.p99Ns() > full.medianNs(), full::toString);
        assertTrue(full.otherP99Ns() < 3 * idle.otherP99Ns(), () -> idle + "\n" + full);
        assertTrue(full.pauses() > 1000 && idle.pauses() == 0, () -> idle + "\n" + full);
    }
}
