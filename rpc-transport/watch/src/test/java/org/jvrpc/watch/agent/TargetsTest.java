package org.jvrpc.watch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;

/** Whom an agent probes. */
class TargetsTest {

    private static final int PER_RACK = 4;
    private static final int ROUNDS = 1_200;

    /** Two pods, each with racks r0 and r1. */
    private static AgentInfo agent(int id) {
        int rack = id / PER_RACK;
        return new AgentInfo(id, "h" + id, "r" + rack % 2, "p" + rack / 2, new byte[0], 1, 1);
    }

    @Test
    void racksOfOneNameInTwoPodsAreTwo() {
        List<Peer> peers = new ArrayList<>();
        for (int id = 1; id < 4 * PER_RACK; id++) {
            peers.add(new Peer(agent(id), 0, 1, 0, 128));
        }
        Targets targets = new Targets(agent(0), peers, 0.25);
        Map<String, Integer> probes = new HashMap<>();
        for (int i = 0; i < ROUNDS; i++) {
            AgentInfo to = targets.next().info;
            probes.merge(to.pod() + to.rack(), 1, Integer::sum);
        }
        assertEquals(Map.of("p0r0", 300, "p0r1", 300, "p1r0", 300, "p1r1", 300), probes);
    }
}
