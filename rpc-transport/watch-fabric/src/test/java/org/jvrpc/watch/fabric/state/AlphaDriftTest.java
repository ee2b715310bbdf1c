package org.jvrpc.watch.fabric.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Desired;
import org.jvrpc.watch.drift.DesiredException;
import org.jvrpc.watch.drift.Differ;
import org.jvrpc.watch.drift.Drift;
import org.jvrpc.watch.drift.Setting;
import org.jvrpc.watch.drift.Sightings;

/** The paper's incident, and what switches and QPs of the fabric tell. */
class AlphaDriftTest {

    private static final long MS = 1_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theAlphaOfAnUpdatedSwitchIsFoundBeforeItHurts(long seed) {
        AlphaIncident.Result left = AlphaIncident.run(false, 50 * MS, seed);
        assertEquals(150 * MS, left.foundNs(), "the first look after the update");
        assertEquals("T0", left.found().subject());
        assertEquals("alpha", left.found().key());
        assertEquals("1/16", left.found().desired());
        assertEquals("1/64", left.found().found());
        assertEquals(150, left.found().sinceMs());
        assertEquals(100, left.found().notBeforeMs());
        assertTrue(left.pauses() > 0 && left.firstPauseNs() >= 400 * MS, "it hurts later, and not before: " + left);
        AlphaIncident.Result repaired = AlphaIncident.run(true, 50 * MS, seed);
        assertEquals(left.foundNs(), repaired.foundNs());
        assertEquals(0, repaired.pauses(), "seed=" + seed);
        assertEquals(left.answers(), repaired.answers());
        assertEquals(0, left.drops() + repaired.drops());
    }

    @Test
    void aMonitorThatLooksTooSeldomFindsItTooLate() {
        AlphaIncident.Result late = AlphaIncident.run(true, 450 * MS, 1);
        assertTrue(late.pauses() > 0 && late.foundNs() > late.firstPauseNs(), late.toString());
    }

    private static Topology clos(SwitchSettings others) {
        return Topology.clos(new Network(1, false, 1024), Links.defaults(),
                name -> name.equals("L1") ? others : new SwitchSettings(), new NicSettings(), 4096, 1, 2, 2, 1, 2);
    }

    @Test
    void aSwitchThatDiffersInAllIsNamedForEachKey() throws DesiredException {
        SwitchSettings other = new SwitchSettings().lossless(1 << 3 | 1 << 4).lane(3, 4)
                .scheduling(Scheduling.DEFICIT_ROUND_ROBIN, Scheduling.FIRST_COME).weight(3, 4096 * 3)
                .marking(EcnMarking.SIGCOMM15).watchdog(100 * MS, 200 * MS).dropsIncomplete(true).sameHash(true);
        Desired desired = Desired.parse("wanted", """
                fabric:
                  alpha: 6.25%
                  pfc: [3]
                  dscp: {3: {class: 3, queue: 3}}
                  ecn: off
                  watchdog: 0
                  drops-incomplete: no
                  same-hash: no
                  scheduling: {lanes: strict_priority}
                """);
        Drift drift = Differ.look(desired, FabricConfiguration.switches(clos(other)), new Sightings(), 1);
        assertEquals(List.of("L1 drops-incomplete off on", "L1 dscp.3.class 3 4", "L1 ecn off on", "L1 pfc 3 3,4",
                "L1 same-hash off on", "L1 scheduling.lanes strict_priority deficit_round_robin",
                "L1 watchdog 0ns 100ms"), drift.differences().stream()
                .map(one -> one.subject() + " " + one.key() + " " + one.desired() + " " + one.found()).toList());
        assertEquals(List.of(), drift.unreadable());
        assertEquals(6 * 9 - 7, drift.same(), "six switches of nine keys");
    }

    @Test
    void sharesAndMarksAreToldWhereThereAreAny() {
        SwitchSettings other = new SwitchSettings().scheduling(Scheduling.DEFICIT_ROUND_ROBIN, Scheduling.FIRST_COME)
                .weight(3, 4096 * 3).marking(EcnMarking.SIGCOMM15);
        List<ConfigurationSource> switches = FabricConfiguration.switches(clos(other));
        SortedMap<String, Setting> leaf = switches.get(3).read();
        assertEquals("L1", switches.get(3).subject());
        assertEquals("12288/40960", leaf.get("queue.3.share").value());
        assertEquals("5000", leaf.get("ecn.kmin").value());
        SortedMap<String, Setting> tor = switches.get(0).read();
        assertNull(tor.get("queue.3.share").value());
        assertTrue(tor.get("queue.3.share").refusal().contains("strict_priority"));
        assertEquals("none", tor.get("ecn.kmin").value());
    }

    @Test
    void aQpWhoseTimeOutDiffersIsNamed() throws DesiredException {
        Desired desired = Desired.parse("wanted", """
                hosts:
                  qp: {timeout: 67108864ns, retries: 7, mtu: 1024, service-level: 3, dcqcn: "SIGCOMM'15"}
                """);
        EndpointSettings good = EndpointSettings.of(RcAttributes.defaults()).withDcqcn(DcqcnParameters.SIGCOMM15);
        EndpointSettings other = EndpointSettings.of(RcAttributes.defaults().withRetries(7, 7, 2 * MS));
        Drift drift = Differ.look(desired, List.of(FabricConfiguration.qp("H0/2", good),
                FabricConfiguration.qp("H1/2", other)), new Sightings(), 1);
        assertEquals(List.of("H1/2 dcqcn SIGCOMM'15 none", "H1/2 timeout 67108864ns 2ms"), drift.differences().stream()
                .map(one -> one.subject() + " " + one.key() + " " + one.desired() + " " + one.found()).toList());
        assertEquals(8, drift.same());
    }
}
