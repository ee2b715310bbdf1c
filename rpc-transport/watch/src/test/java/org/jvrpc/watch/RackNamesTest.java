package org.jvrpc.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What racks are called. */
class RackNamesTest {

    private static AgentInfo agent(String pod, String rack) {
        return new AgentInfo(1, "h", rack, pod, new byte[0], 1, 1);
    }

    private static List<String> names(AgentInfo... agents) {
        RackNames names = RackNames.of(List.of(agents));
        return List.of(agents).stream().map(names::name).toList();
    }

    @Test
    void aRackThatIsTheOnlyOneOfItsNameHasThatName() {
        assertEquals(List.of("r0", "r1", "r1"), names(agent("p0", "r0"), agent("p1", "r1"), agent("p1", "r1")));
    }

    @Test
    void racksOfOneNameInTwoPodsAreToldByTheirPods() {
        assertEquals(List.of("p0/r0", "p1/r0", "r1"), names(agent("p0", "r0"), agent("p1", "r0"), agent("p1", "r1")));
    }

    @Test
    void aSlashInANameMakesNoTwoRacksOne() {
        List<String> names = names(agent("p", "r/s"), agent("p/r", "s"), agent("q", "s"), agent("p%2Fr", "s"));
        assertEquals(4, new HashSet<>(names).size(), names.toString());
    }
}
