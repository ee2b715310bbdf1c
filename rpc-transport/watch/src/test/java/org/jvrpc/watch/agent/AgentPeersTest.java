package org.jvrpc.watch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.agent.FakeNet.Host;
import org.jvrpc.watch.agent.FakeNet.Packet;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.report.Tally;

/** An agent whose peers come and go. */
class AgentPeersTest {

    private static final AgentSettings SETTINGS = AgentSettings.defaults().withRate(50, 1_000_000_000)
            .withTimeoutNs(100_000_000).withSettleNs(0);

    private final FakeNet net = new FakeNet();
    private final Host a = net.host(1, "r1");
    private final Host b = net.host(2, "r1");

    private void startBoth() {
        net.start(a, SETTINGS, FakeNet.KEYS);
        net.start(b, SETTINGS, FakeNet.KEYS);
    }

    private List<Packet> sent(int kind) {
        return net.packets.stream().filter(packet -> packet.from() == 1 && packet.kind() == kind).toList();
    }

    @Test
    void theHandleOfAPeerThatWentIsGivenBackAndTakenAnewWhenItComesBack() {
        Host c = net.host(3, "r2");
        startBoth();
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of(2, 3), a.handles);
            net.run(100);
            net.registry.set(List.of(a.info, b.info));
            net.run(50);
            assertEquals(List.of(2), a.handles);
            net.registry.set(List.of(a.info, b.info, c.info));
            net.run(50);
        }
    }

    @Test
    void theHandleOfAnAgentThatStartedAnewIsItsAlone() {
        startBoth();
        net.run(100);
        for (int incarnation = 1; incarnation <= 3; incarnation++) {
            net.registry.set(List.of(a.info, new AgentInfo(2, "h2", "r1", "p", new byte[] {2}, 1, incarnation)));
            net.run(50);
            net.registry.set(net.registry.agents()); // nothing new
            net.run(50);
            assertEquals(List.of(2), a.handles);
        }
    }

    @Test
    void anAnswerIsNotFollowedByItsTimeWhenItsProberHasGone() {
        startBoth();
        net.loses = packet -> {
            if (packet.kind() == ProbeLayout.ACK) {
                net.registry.set(List.of(a.info)); // before it is known when that left
            }
            return false;
        };
        net.run(500);
        assertEquals(List.of(), a.handles);
        assertEquals(List.of(), sent(ProbeLayout.TIMES));
    }

    @Test
    void whereManyInARowWereLostIsKnownByTheNextAnswer() {
        startBoth();
        int[] probes = new int[1];
        net.loses = packet -> packet.from() == 1 && packet.kind() == ProbeLayout.PROBE && ++probes[0] > 5
                && probes[0] <= 15;
        net.run(2_500);
        assertEquals(10, net.reports.stream().flatMap(report -> report.tallies().stream())
                .mapToInt(Tally::lostForward).sum());
    }

    @Test
    void aRegistryThatSaysTheSameAgainLetsTheTurnOfTargetsGoOn() {
        for (int id = 3; id < 23; id++) {
            net.host(id, "r2");
        }
        net.start(a, SETTINGS, FakeNet.KEYS);
        List<AgentInfo> all = net.registry.agents();
        for (int i = 0; i < 100; i++) {
            net.run(20);
            net.registry.set(all);
        }
        assertEquals(21, sent(ProbeLayout.PROBE).stream().map(Packet::to).distinct().count(), "hosts probed");
    }
}
