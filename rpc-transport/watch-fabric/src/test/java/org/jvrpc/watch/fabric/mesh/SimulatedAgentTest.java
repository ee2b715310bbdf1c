package org.jvrpc.watch.fabric.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.watch.agent.AgentSettings;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** Agents as they run on hosts, at hosts of a fabric of two racks: what they say is what was done to their packets. */
class SimulatedAgentTest {

    private static final int PER_RACK = 4;
    private static final int HOSTS = 2 * PER_RACK;
    private static final long MS = 1_000_000;
    private static final int COSTLY_NS = 80 + 350 + 250;

    private final Network network = new Network(5, true, 2048);
    private final List<SimulatedAgent> agents = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();
    private Topology topology;

    private void begin(NicSettings nics) {
        topology = Topology.twoTier(network, Links.defaults(), new SwitchSettings(), nics, 1 << 16, 2, 2, PER_RACK);
        FixedRegistry registry = new FixedRegistry();
        for (int host = 0; host < HOSTS; host++) {
            agents.add(new SimulatedAgent(new SimulatedProbes(topology.host(host), 64), host, "H" + host,
                    "T" + host / PER_RACK, "P0"));
        }
        registry.set(agents.stream().map(SimulatedAgent::info).toList());
        AgentSettings settings = AgentSettings.defaults().withRate(20_000, 20 * MS).withTimeoutNs(MS).withSettleNs(0);
        for (int host = 0; host < HOSTS; host++) {
            agents.get(host).start(settings, ProbeKeys.of(1, new byte[16]), registry, reports::add, host);
        }
    }

    private void run(long ms) {
        network.events().runUntil(network.nowNs() + ms * MS);
    }

    private List<Tally> tallies(Predicate<Report> of) {
        return reports.stream().filter(of).flatMap(report -> report.tallies().stream()).toList();
    }

    private static int sum(List<Tally> tallies, ToIntFunction<Tally> of) {
        return tallies.stream().mapToInt(of).sum();
    }

    @Test
    void aSoundFabricLosesNothingAndAllHostsMeetByAllFlowsAndSizes() {
        begin(new NicSettings());
        run(45);
        assertEquals(HOSTS, reports.stream().map(report -> report.from().id()).distinct().count());
        List<Tally> all = tallies(report -> true);
        assertTrue(sum(all, Tally::sent) > HOSTS * 300, "probes: " + sum(all, Tally::sent));
        assertEquals(0, sum(all, t -> t.lostForward() + t.lostBack() + t.lostUnknown() + t.errors()));
        for (int host = 0; host < HOSTS; host++) {
            int of = host;
            List<Tally> own = tallies(report -> report.from().id() == of);
            assertEquals(IntStream.range(0, HOSTS).filter(other -> other != of).boxed().toList(),
                    own.stream().map(Tally::target).distinct().sorted().toList());
            assertEquals(List.of(0, 1, 2), own.stream().map(Tally::size).distinct().sorted().toList());
            assertEquals(64, own.stream().map(Tally::flow).distinct().count());
        }
        assertTrue(reports.stream().allMatch(report -> report.refusedForged() + report.refusedReplayed()
                + report.refusedVersion() + report.clockJumps() == 0), "something was refused");
    }

    @Test
    void whatHostsAddIsNotTheNetworks() {
        begin(new NicSettings());
        run(45);
        long soundNs = tallies(report -> true).stream().filter(tally -> tally.size() == 0 && tally.target() < PER_RACK)
                .mapToLong(Tally::networkP50Ns).min().orElseThrow();
        assertTrue(tallies(report -> true).stream().allMatch(t -> t.proberP99Ns() < COSTLY_NS
                && t.responderP99Ns() < COSTLY_NS), "only a frame before one's own takes time here");
        SimulatedAgentTest costly = new SimulatedAgentTest();
        costly.begin(new NicSettings().costs(new HostCosts(80, 350, 10, 250, 10, 50)));
        costly.run(45);
        List<Tally> with = costly.tallies(report -> true);
        long networkNs = with.stream().filter(tally -> tally.size() == 0 && tally.target() < PER_RACK)
                .mapToLong(Tally::networkP50Ns).min().orElseThrow();
        assertEquals(soundNs, networkNs, soundNs * 0.05, "the network's part");
        assertTrue(with.stream().filter(t -> t.sent() > t.errors()).allMatch(t -> t.proberP99Ns() >= COSTLY_NS
                && t.responderP99Ns() >= COSTLY_NS), "hosts' parts");
    }

    /** Frames that leave a host are lost: its probes there, and its answers to others on their way back. */
    @Test
    void theDirectionOfALossIsTold() {
        begin(new NicSettings());
        topology.host(2).port().faults().loses(0.05);
        run(105);
        List<Tally> own = tallies(report -> report.from().id() == 2);
        List<Tally> others = tallies(report -> report.from().id() != 2).stream().filter(t -> t.target() == 2).toList();
        int forward = sum(own, Tally::lostForward);
        int back = sum(others, Tally::lostBack);
        assertTrue(forward > 20 && back > 20, "forward=" + forward + " back=" + back);
        assertEquals(0, sum(own, Tally::lostBack));
        assertEquals(0, sum(others, Tally::lostForward));
        int unknown = sum(own, Tally::lostUnknown) + sum(others, Tally::lostUnknown);
        assertTrue(unknown * 5 < forward + back, "unknown=" + unknown + " of " + (forward + back));
        int elsewhere = sum(tallies(report -> report.from().id() != 2).stream().filter(t -> t.target() != 2).toList(),
                t -> t.lostForward() + t.lostBack() + t.lostUnknown());
        assertEquals(0, elsewhere);
    }

    @Test
    void aProcessThatStandsAddsToItsHostsPartAndLosesNothing() {
        begin(new NicSettings());
        run(5);
        agents.get(1).stand(network.nowNs() + MS / 2);
        run(40);
        List<Tally> toIt = tallies(report -> true).stream().filter(tally -> tally.target() == 1).toList();
        assertTrue(toIt.stream().anyMatch(tally -> tally.responderP99Ns() > MS / 4), "its part is seen");
        assertTrue(tallies(report -> report.from().id() == 1).stream().anyMatch(t -> t.proberP99Ns() > MS / 4),
                "by itself, too");
        assertTrue(tallies(report -> true).stream().allMatch(tally -> tally.networkP99Ns() < MS / 8), "network");
        assertEquals(0, sum(tallies(report -> true), t -> t.lostForward() + t.lostBack() + t.lostUnknown()));
    }

    @Test
    void aHostThatIsDownIsLostToAllAndTheOthersGoOn() {
        begin(new NicSettings());
        run(5);
        topology.host(3).kill();
        agents.get(3).die();
        run(65);
        List<Tally> toIt = tallies(report -> report.window() >= 2).stream().filter(t -> t.target() == 3).toList();
        assertTrue(!toIt.isEmpty() && sum(toIt, Tally::lostUnknown) == sum(toIt, Tally::sent),
                sum(toIt, Tally::lostUnknown) + " of " + sum(toIt, Tally::sent));
        assertEquals(0, sum(tallies(report -> true).stream().filter(t -> t.target() != 3).toList(),
                t -> t.lostForward() + t.lostBack() + t.lostUnknown()));
        assertTrue(reports.stream().filter(report -> report.window() >= 2).allMatch(r -> r.from().id() != 3));
    }

    @Test
    void equalSeedsGiveEqualReports() {
        begin(new NicSettings());
        run(25);
        SimulatedAgentTest again = new SimulatedAgentTest();
        again.begin(new NicSettings());
        again.run(25);
        assertEquals(tallies(report -> true), again.tallies(report -> true));
    }
}
