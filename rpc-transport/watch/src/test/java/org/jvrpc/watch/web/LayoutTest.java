package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;

class LayoutTest {

    private static AgentInfo agent(int id, String pod, String rack, String name) {
        return new AgentInfo(id, name, rack, pod, new byte[0], 1, 0);
    }

    @Test
    void hostsStandByPodRackAndNameWhereverTheyCome() {
        List<AgentInfo> agents = new ArrayList<>(List.of(agent(1, "p1", "r2", "h9"), agent(2, "p1", "r2", "h10"),
                agent(3, "p1", "r10", "a"), agent(4, "p2", "r2", "h1"), agent(5, "p10", "r1", "h1")));
        Collections.shuffle(agents, new Random(3));
        Layout layout = Layout.of(1, agents);
        assertEquals(List.of(1, 2, 3, 4, 5), layout.hosts().stream().map(AgentInfo::id).toList());
        assertEquals(List.of(new Layout.Rack("p1", "r2"), new Layout.Rack("p1", "r10"), new Layout.Rack("p2", "r2"),
                new Layout.Rack("p10", "r1")), layout.racks());
        assertEquals(2, layout.rackOf(3));
    }

    @Test
    void theOrderOfNamesIsTotal() {
        Random random = new Random(5);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            StringBuilder name = new StringBuilder();
            for (int j = random.nextInt(5); j > 0; j--) {
                name.append("a01b9".charAt(random.nextInt(5)));
            }
            names.add(name.toString());
        }
        for (String a : names) {
            for (String b : names) {
                assertEquals(a.equals(b), Layout.compareNames(a, b) == 0, () -> a + " and " + b);
                assertEquals(Integer.signum(Layout.compareNames(a, b)), -Integer.signum(Layout.compareNames(b, a)));
                for (String c : names) {
                    assertTrue(Layout.compareNames(a, b) > 0 || Layout.compareNames(b, c) > 0
                            || Layout.compareNames(a, c) <= 0, () -> a + ", " + b + ", " + c);
                }
            }
        }
    }
}
