package org.jvrpc.fabric.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TablesTest {

    private final AddressTables tables = new AddressTables(300, 4000);

    @Test
    void anEntryIsIncompleteBetweenItsTimeouts() {
        assertEquals(AddressTables.NOBODY, tables.port(7, 0));
        tables.answered(7, 3, 0);
        assertEquals(3, tables.port(7, 299));
        assertEquals(AddressTables.UNKNOWN, tables.port(7, 300));
        assertEquals(AddressTables.UNKNOWN, tables.port(7, 3999));
        assertEquals(AddressTables.NOBODY, tables.port(7, 4000));
    }

    @Test
    void anyFrameOfAHostMakesItsEntryCompleteAgainButNotItsAnswer() {
        tables.answered(7, 3, 0);
        tables.heard(7, 4, 1000);
        assertEquals(4, tables.port(7, 1299));
        assertEquals(AddressTables.UNKNOWN, tables.port(7, 1300));
        tables.heard(7, 4, 3900);
        assertEquals(AddressTables.NOBODY, tables.port(7, 4000));
        tables.heard(9, 1, 0);
        assertEquals(AddressTables.NOBODY, tables.port(9, 1));
    }

    @Test
    void hashesOfPortsSpreadFlowsEvenlyAndSwitchesChooseDifferently() {
        int paths = 16;
        int flows = 16_000;
        int[] counts = new int[paths];
        int same = 0;
        Frame frame = new Frame(64);
        for (int flow = 0; flow < flows; flow++) {
            frame.address(flow % 50, 100 + flow % 31, 0xc000 + flow, 0, 3, 0);
            int path = Ecmp.choose(frame, 1, paths);
            counts[path]++;
            assertEquals(path, Ecmp.choose(frame, 1, paths), "a flow has one path");
            same += path == Ecmp.choose(frame, 2, paths) ? 1 : 0;
        }
        double squares = 0;
        for (int count : counts) {
            squares += Math.pow(count - 1000, 2) / 1000;
        }
        assertTrue(squares < 37.7, "chi square of 15 degrees of freedom, 0.1 %: " + squares);
        assertEquals(flows / paths, same, 150);
    }
}
