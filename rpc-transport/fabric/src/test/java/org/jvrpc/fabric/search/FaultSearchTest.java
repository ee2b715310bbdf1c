package org.jvrpc.fabric.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.network.LinkFaults.Fate;
import org.jvrpc.fabric.search.FaultSearch.Found;
import org.jvrpc.fabric.search.Trial.Fault;
import org.jvrpc.fabric.search.Trial.Setup;
import org.jvrpc.roce.wire.Psn;

class FaultSearchTest {

    /** Seeds of a run: {@code -Djvrpc.fabric.schedules=N}. */
    private static final long SCHEDULES = Long.getLong("jvrpc.fabric.schedules", 500);
    private static final long FIRST = Long.getLong("jvrpc.fabric.seed", 1);

    @Test
    void noScheduleOfFaultsBreaksThePromises() {
        Found found = new FaultSearch(7, true).search(FIRST, SCHEDULES);
        assertNull(found, () -> found.asTest());
    }

    @Test
    void aNicThatLooksAtNoIcrcIsFoundByOneDamagedFrame() {
        Found found = new FaultSearch(7, false).search(FIRST, 2_000);
        assertNotNull(found);
        assertEquals(1, found.faults().size(), found::asTest);
        assertEquals(Fate.DAMAGED, found.faults().get(0).fate(), found::asTest);
        assertNotNull(Trial.run(found.setup(), found.faults()), "it fails again");
        assertTrue(found.asTest().contains("new Fault("), found::asTest);
    }

    @Test
    void aQpThatNeverSendsAgainIsFoundByOneFault() {
        Found found = new FaultSearch(0, true).search(FIRST, 2_000);
        assertNotNull(found);
        assertEquals(1, found.faults().size(), found::asTest);
    }

    @Test
    void eachFateIsTakenByItself() {
        for (Fate fate : Fate.values()) {
            for (int port = 0; port < 4; port++) {
                Setup setup = new Setup(1, false, 8, 8, Psn.MASK - 20, 1, 7, true);
                assertNull(Trial.run(setup, List.of(new Fault(port, 5, fate))), fate + " at port " + port);
            }
        }
    }
}
