package org.jvrpc.ibverbs.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** The gate around native calls. */
final class GateTest {

    private static final int SECONDS = 30;

    @Test
    void aGateThatIsClosedLetsNobodyInAndWaitsForWhoIsInside() {
        Gate gate = new Gate();
        assertTrue(gate.enter());
        Background<Boolean> closer = Background.start("closer", gate::close);
        Deadline.until("the gate to close", gate::isClosed);
        assertFalse(gate.enter());
        assertFalse(closer.isDone(), "somebody is inside");
        gate.leave();
        assertTrue(closer.join(SECONDS));
        assertFalse(gate.close(), "it was closed before");
        assertFalse(gate.enter());
    }
}
