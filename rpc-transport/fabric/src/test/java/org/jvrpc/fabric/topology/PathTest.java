package org.jvrpc.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/** What a topology says of a flow's way, beside the way its frames go. */
class PathTest {

    private static final int FLOWS = 60;

    private record Flow(int from, int to, int sourcePort) {
    }

    private static Topology clos(Network network, SwitchSettings switches) {
        return Topology.clos(network, Links.defaults(), switches, new NicSettings(), 4096, 2, 2, 3, 2, 8);
    }

    /** Sends by so many flows; their frames take the ports that come back, in the order of the first of them. */
    private static Map<Flow, Set<Port>> ways(Topology made, long seed) {
        Map<Flow, Set<Port>> ways = new HashMap<>();
        made.network().tap((nowNs, port, frame) -> {
            if (frame.kind() == Frame.Kind.PACKET) {
                ways.computeIfAbsent(new Flow(frame.source(), frame.destination(), frame.sourcePort()),
                        flow -> new LinkedHashSet<>()).add(port);
            }
        });
        Chance chance = new Chance(seed);
        int hosts = made.hosts().size();
        for (int i = 0; i < FLOWS; i++) {
            int from = chance.below(hosts);
            int to = (from + 1 + chance.below(hosts - 1)) % hosts;
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withPort(chance.below(1 << 14));
            RcEndpoint.connect(made.host(from).endpoint(settings, new Stream(Operation.SEND, 2048, 3)),
                    made.host(to).endpoint(settings, new Stream(Operation.SEND, 2048, 0)));
        }
        made.network().events().runUntil(made.network().nowNs() + 1_000_000);
        return ways;
    }

    private static void assertPathsAreTheFramesWays(SwitchSettings switches) {
        for (long seed = 1; seed <= 3; seed++) {
            Topology made = clos(new Network(seed, false, 1024), switches);
            Map<Flow, Set<Port>> ways = ways(made, seed);
            assertTrue(ways.size() > FLOWS, "flows and what acknowledges them, seed=" + seed);
            for (Map.Entry<Flow, Set<Port>> way : ways.entrySet()) {
                Flow flow = way.getKey();
                assertEquals(List.copyOf(way.getValue()), made.path(flow.from(), flow.to(), flow.sourcePort()),
                        flow + " seed=" + seed);
            }
        }
    }

    @Test
    void aPathIsTheWayThatTheFramesOfTheFlowGo() {
        assertPathsAreTheFramesWays(new SwitchSettings());
    }

    @Test
    void aPathIsTheFramesWayWhereAllSwitchesHaveTheSameHash() {
        assertPathsAreTheFramesWays(new SwitchSettings().sameHash(true));
    }

    @Test
    void portsOfAPairMeetAllPathsBetweenPodsets() {
        Topology made = clos(new Network(1, false, 1024), new SwitchSettings());
        Set<List<Port>> paths = new LinkedHashSet<>();
        for (int port = 0; port < 200; port++) {
            paths.add(made.path(0, 11, 0xc000 | port));
        }
        assertEquals(8, paths.size(), "two leaves with four spines each");
        paths.forEach(path -> assertEquals(6, path.size()));
    }

    @Test
    void aPathEndsAtTheSwitchThatWouldFlood() {
        Topology made = clos(new Network(1, false, 1024), new SwitchSettings().timeouts(50_000, 1_000_000));
        assertEquals(6, made.path(0, 11, 0xc000).size());
        made.network().events().runUntil(60_000 + made.network().nowNs());
        assertEquals(5, made.path(0, 11, 0xc000).size(), "its ToR has no MAC entry");
    }

    @Test
    void aHostHasNoPathToItself() {
        Topology made = clos(new Network(1, false, 1024), new SwitchSettings());
        String message = assertThrows(IllegalArgumentException.class, () -> made.path(3, 3, 0xc000)).getMessage();
        assertTrue(message.contains("from=3 to=3"), message);
        assertThrows(IllegalArgumentException.class, () -> made.path(3, 12, 0xc000));
    }
}
