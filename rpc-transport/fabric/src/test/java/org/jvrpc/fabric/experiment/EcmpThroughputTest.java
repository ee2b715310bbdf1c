package org.jvrpc.fabric.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.experiment.EcmpThroughput.Coupling;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;

/** A small Clos: the paper's is run by {@link Experiments}. */
class EcmpThroughputTest {

    private static final long MS = 1_000_000;

    private static EcmpThroughput.Result run(Coupling coupling, DcqcnParameters dcqcn, EcnMarking marking) {
        EcmpThroughput.Result result = EcmpThroughput.run(EcmpThroughput.Size.small(), 128 << 10, 1 << 14, coupling,
                dcqcn, marking, 2 * MS, 2 * MS, 1, Watcher.NOBODY);
        assertEquals(768, result.connections());
        assertEquals(0, result.drops(), result::toString);
        return result;
    }

    @Test
    void collidingFlowsLeaveCapacityUnusedTheMoreTheyWaitForEachOther() {
        EcmpThroughput.Result none = run(Coupling.NONE, null, null);
        EcmpThroughput.Result server = run(Coupling.SERVER, null, null);
        EcmpThroughput.Result all = run(Coupling.ALL, null, null);
        assertTrue(none.utilization() > server.utilization() + 0.03, () -> none + "\n" + server);
        assertTrue(server.utilization() > all.utilization() + 0.03, () -> server + "\n" + all);
        assertTrue(all.utilization() > 0.5 && all.utilization() < 0.75, all::toString);
    }

    @Test
    void marksKeepMostPausesAway() {
        EcmpThroughput.Result marked = run(Coupling.NONE, DcqcnParameters.SIGCOMM15, EcnMarking.SIGCOMM15);
        EcmpThroughput.Result none = run(Coupling.NONE, null, null);
        assertTrue(marked.marked() > 0 && marked.pauses() * 3 < none.pauses(), () -> marked + "\n" + none);
    }
}
