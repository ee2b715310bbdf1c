package org.jvrpc.watch.agent.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** By which ports flows go. */
class FlowPortsTest {

    @Test
    void aCardFoldsALabelIntoADynamicPort() {
        assertEquals(0xc000 | 0x9e5, FlowPorts.ofCard(0));
        assertEquals(0xd469, FlowPorts.ofCard(14), "of label 0x946b, whose upper six bits are 2");
    }

    @Test
    void flowsHavePortsOfTheirOwn() {
        assertEquals(64, IntStream.range(0, 64).map(FlowPorts::ofCard).distinct().count());
        assertTrue(IntStream.range(0, 64).map(FlowPorts::ofCard).allMatch(port -> port >= 0xc000 && port <= 0xffff));
    }
}
