package org.jvrpc.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/** Settings of a switch that runs: what may be changed, and when that is felt. */
class LiveSettingsTest {

    private static final double TIGHT = 1.0 / 4096;
    private static final double WIDE = 16;
    /** A lane that holds no more than this is over the tight bound, or was, and holds nothing as headroom. */
    private static final int WITHOUT_HEADROOM = 6_000;

    private final Network network = new Network(1, false, 1024);

    private static SwitchSettings alpha(double alpha) {
        return new SwitchSettings().buffer(BufferSettings.defaults().withAlpha(alpha));
    }

    /** Three hosts send to the first without end. */
    private Topology incast(SwitchSettings switches, DcqcnParameters dcqcn) {
        Topology star = Topology.star(network, Links.defaults(), switches, new NicSettings(), 4096, 4);
        EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults()).withDcqcn(dcqcn);
        for (int host = 1; host < 4; host++) {
            RcEndpoint.connect(
                    star.host(host).endpoint(settings, new Stream(Operation.WRITE, 4096, Long.MAX_VALUE)),
                    star.host(0).endpoint(settings, new Stream(Operation.WRITE, 4096, 0)));
        }
        run();
        return star;
    }

    private void run() {
        network.events().runUntil(network.nowNs() + 200_000);
    }

    @Test
    void aLaneThatIsOverItsNewBoundPausesTheOtherEnd() {
        Topology star = incast(alpha(WIDE), null);
        assertEquals(0, star.switchPauses());
        star.tors().get(0).apply(alpha(TIGHT));
        run();
        assertTrue(star.switchPauses() > 0);
        assertEquals(0, star.switchDrops());
    }

    @Test
    void aLaneThatIsUnderItsNewBoundLetsTheOtherEndSendAtOnce() {
        Switch tor = incast(alpha(TIGHT), null).tors().get(0);
        int step = 0;
        while (tor.port(1).pausing() == 0 || tor.heldBytes(1, 3) > WITHOUT_HEADROOM) {
            network.events().runUntil(network.nowNs() + 50);
            assertTrue(step++ < 100_000, "an incast over a tight bound pauses, and its headroom is given back");
        }
        tor.apply(alpha(WIDE));
        assertEquals(0, tor.port(1).pausing());
    }

    @Test
    void theSameSettingsChangeNoFrame() {
        Topology star = incast(alpha(TIGHT), null);
        star.tors().get(0).apply(star.tors().get(0).settings());
        run();
        LiveSettingsTest other = new LiveSettingsTest();
        other.incast(alpha(TIGHT), null);
        other.run();
        assertEquals(other.network.traceHash(), network.traceHash());
    }

    @Test
    void marksBeginWhenMarkingIsSet() {
        Switch tor = incast(alpha(WIDE), DcqcnParameters.SIGCOMM15).tors().get(0);
        assertEquals(0, tor.counters().marked());
        tor.apply(tor.settings().marking(EcnMarking.SIGCOMM15));
        run();
        assertTrue(tor.counters().marked() > 0);
    }

    @Test
    void aServiceLevelMovesToAnotherLaneAndNothingIsLost() {
        Topology star = incast(alpha(WIDE).lossless(1 << 3 | 1 << 2), null);
        Switch tor = star.tors().get(0);
        long before = tor.port(0).sentFrames(3);
        tor.apply(tor.settings().lane(3, 2));
        run();
        assertTrue(tor.port(0).sentFrames(2) > 0);
        long after = tor.port(0).sentFrames(3);
        assertTrue(after >= before);
        run();
        assertEquals(after, tor.port(0).sentFrames(3), "lane 3 is empty");
        assertEquals(0, star.switchDrops());
        assertEquals(0, tor.heldBytes(1, 3));
    }

    @Test
    void whatIsFixedForLifeIsRefusedWithBothValuesAndNothingIsChanged() {
        Switch tor = incast(alpha(WIDE), null).tors().get(0);
        assertRefused(tor, "totalBytes has=12000000 wanted=9000000",
                settings -> settings.buffer(settings.buffer().withTotal(9_000_000).withAlpha(TIGHT)));
        assertRefused(tor, "headroomBytes has=40000 wanted=1",
                settings -> settings.buffer(settings.buffer().withHeadroom(1)));
        assertRefused(tor, "lossless has=3 wanted=3,5", settings -> settings.lossless(1 << 3 | 1 << 5));
        assertRefused(tor, "weightBytes.2 has=4096 wanted=1", settings -> settings.weight(2, 1));
        assertRefused(tor, "sameHash has=false wanted=true", settings -> settings.sameHash(true).lane(3, 4));
    }

    private static void assertRefused(Switch tor, String why, UnaryOperator<SwitchSettings> change) {
        String before = tor.settings().describe().toString();
        SwitchSettings wanted = change.apply(tor.settings());
        String message = assertThrows(IllegalArgumentException.class, () -> tor.apply(wanted)).getMessage();
        assertTrue(message.contains(why), message);
        assertEquals(before, tor.settings().describe().toString());
    }

    @Test
    void settingsThatAreReadReachNoSwitch() {
        SwitchSettings given = alpha(TIGHT);
        Switch tor = Topology.star(network, Links.defaults(), given, new NicSettings(), 4096, 4).tors().get(0);
        given.lane(3, 4);
        tor.settings().marking(EcnMarking.SIGCOMM15);
        assertEquals("3", tor.settings().describe().get("lane.3"));
        assertEquals("off", tor.settings().describe().get("ecn"));
    }

    @Test
    void aCopyIsDescribedAsItsOriginalWhateverWasSet() {
        SwitchSettings all = new SwitchSettings().buffer(new BufferSettings(9, 1, 2, 3, 4, 5)).lossless(6).lane(7, 0)
                .scheduling(Scheduling.ROUND_ROBIN,
                        Scheduling.DEFICIT_ROUND_ROBIN)
                .weight(3, 8).marking(EcnMarking.NS3_RDMA).pauses(9, 10).timeouts(11, 12).dropsIncomplete(true)
                .watchdog(13, 14).sameHash(true);
        assertEquals(all.describe(), all.copy().describe());
        SwitchSettings none = new SwitchSettings();
        all.describe().forEach((key, value) -> assertFalse(
                value.equals(none.describe().get(key)) && !key.matches("(lane|weightBytes)\\.[0-7]"), key));
    }

    @Test
    void aLaneThatIsNoneIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SwitchSettings().lane(3, 8));
        assertThrows(IllegalArgumentException.class, () -> new SwitchSettings().lane(8, 3));
    }

    @Test
    void switchesOfANetworkDifferByName() {
        Topology made = Topology.clos(network, Links.defaults(), name -> alpha("T1".equals(name) ? TIGHT : WIDE),
                new NicSettings(), 4096, 2, 1, 2, 1, 1);
        for (Switch device : made.switches()) {
            assertEquals("T1".equals(made.name(device)) ? TIGHT : WIDE, device.settings().buffer().alpha(),
                    made.name(device));
        }
    }
}
