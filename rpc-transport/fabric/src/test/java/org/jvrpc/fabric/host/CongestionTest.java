package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;

/** Several hosts send to one. */
class CongestionTest {

    private static final long MESSAGE = 256 << 10;
    private static final long RUN_NS = 3_000_000;
    private static final int SENDERS = 4;
    /** What pauses need: cables of 2 m, frames of 1086 bytes. */
    private static final BufferSettings BUFFER = BufferSettings.defaults().withTotal(2_000_000).withHeadroom(4_000);

    private final SwitchSettings switches = new SwitchSettings().buffer(BUFFER);
    private final NicSettings nics = new NicSettings().lossless(3 << 3);
    private final List<Stream> streams = new ArrayList<>();
    private final List<RcEndpoint> senders = new ArrayList<>();
    private Topology star;
    private long most;

    /** Lets all send, by service levels 3, or 3 and 4 in turns; then lets all end. */
    private void incast(DcqcnParameters dcqcn, boolean twoLevels, int window) {
        Network network = new Network(5, false, 1024);
        star = Topology.star(network, Links.defaults(), switches, nics, MESSAGE,
                SENDERS + 1);
        for (int host = 0; host < SENDERS; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults().withWindow(window, 32))
                    .withServiceLevel(twoLevels ? 3 + host % 2 : 3).withDcqcn(dcqcn);
            Stream stream = new Stream(Operation.WRITE, MESSAGE, Long.MAX_VALUE);
            RcEndpoint sender = star.host(host).endpoint(settings, stream);
            RcEndpoint.connect(sender, star.host(SENDERS).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
            streams.add(stream);
            senders.add(sender);
        }
        Switch device = star.tors().get(0);
        network.tap((nowNs, from, frame) -> most = Math.max(most, device.queuedBytes(SENDERS, 3)));
        network.events().runUntil(network.nowNs() + RUN_NS);
        streams.forEach(Stream::stop);
    }

    private void end() {
        assertTrue(star.network().events().runUntil(2_000_000_000L), "something is left to happen");
        assertEquals(0, star.tors().get(0).heldBytes());
        assertEquals(0, star.network().framesOut());
        for (Port port : star.network().ports()) {
            assertEquals(0, port.paused() | port.pausing());
        }
    }

    private long pauses() {
        return star.network().ports().stream().mapToLong(Port::sentPauses).sum();
    }

    private double gigabits(int sender) {
        return streams.get(sender).completedBytes() * 8.0 / RUN_NS;
    }

    private double allGigabits() {
        return streams.stream().mapToLong(Stream::completedBytes).sum() * 8.0 / RUN_NS;
    }

    @Test
    void pausesKeepLosslessPacketsFromBeingDropped() {
        incast(null, false, 4096);
        assertTrue(pauses() > 100, () -> "pauses=" + pauses());
        assertEquals(0, star.tors().get(0).counters().headroomDrops());
        assertEquals(36, allGigabits(), 2);
        end();
        senders.forEach(sender -> assertEquals(0, sender.counters().resentPackets()));
    }

    @Test
    void headroomThatIsTooSmallIsSeenByDrops() {
        switches.buffer(BUFFER.withHeadroom(1_500));
        incast(null, false, 4096);
        assertTrue(star.tors().get(0).counters().headroomDrops() > 0);
        end();
    }

    @Test
    void lossyPacketsAreDroppedAndSentAgain() {
        switches.lossless(0);
        incast(null, false, 4096);
        assertEquals(0, star.tors().get(0).counters().headroomDrops());
        assertTrue(star.tors().get(0).counters().lossyDrops() > 0);
        end();
    }

    @Test
    void dcqcnKeepsTheQueueBelowWherePausesBegin() {
        switches.marking(EcnMarking.SIGCOMM15);
        incast(DcqcnParameters.SIGCOMM15, false, 4096);
        long withControl = pauses();
        assertTrue(star.tors().get(0).counters().marked() > 0);
        assertTrue(star.host(SENDERS).counters().cnpsSent() > 0);
        assertTrue(senders.get(0).bitsPerSecond() < 40_000_000_000L);
        end();
        streams.clear();
        switches.marking(null);
        incast(null, false, 4096);
        assertTrue(pauses() > 4 * withControl, () -> pauses() + " without, " + withControl + " with");
    }

    @Test
    void eachCnpThatWasSentIsCountedWhereItComes() {
        switches.marking(EcnMarking.SIGCOMM15);
        incast(DcqcnParameters.SIGCOMM15, false, 4096);
        end();
        long sent = star.host(SENDERS).counters().cnpsSent();
        long received = 0;
        for (int host = 0; host < SENDERS; host++) {
            received += star.host(host).counters().cnpsReceived();
        }
        assertTrue(sent > 0);
        assertEquals(sent, received);
        assertEquals(0, star.host(SENDERS).counters().cnpsReceived());
    }

    @Test
    void marksBeginAtKminAndAreEverywhereAboveKmax() {
        switches.marking(new EcnMarking("never", 10_000_000, 10_000_000, 1));
        incast(DcqcnParameters.SIGCOMM15, false, 64);
        assertTrue(most > 100_000, () -> "most=" + most);
        assertEquals(0, star.tors().get(0).counters().marked());
        streams.clear();
        switches.marking(new EcnMarking("always", 0, 0, 1));
        incast(DcqcnParameters.SIGCOMM15.as("slow").cnpIntervalNs(1_000_000_000).build(), false, 64);
        Switch device = star.tors().get(0);
        long data = device.port(SENDERS).sentFrames(3);
        // all but the announcements and acknowledgements from the receiver; CNPs are not capable
        assertTrue(device.counters().marked() >= data, () -> device.counters().marked() + " of " + data);
        streams.clear();
        long before = device.counters().marked();
        switches.marking(new EcnMarking("some", 0, 10_000_000, 1));
        incast(DcqcnParameters.SIGCOMM15.as("slow").cnpIntervalNs(1_000_000_000).build(), false, 64);
        long some = star.tors().get(0).counters().marked();
        assertTrue(some > 0 && some < before / 10, () -> some + " of " + before);
    }

    @Test
    void aLaneWithTwiceTheWeightGetsTwiceTheBytes() {
        switches.lossless(3 << 3).scheduling(Scheduling.DEFICIT_ROUND_ROBIN, Scheduling.FIRST_COME)
                .weight(3, 2048).weight(4, 4096);
        incast(null, true, 4096);
        assertEquals(2, (gigabits(1) + gigabits(3)) / (gigabits(0) + gigabits(2)), 0.15);
    }

    @Test
    void strictPriorityLeavesTheLowerLaneNothing() {
        switches.lossless(3 << 3);
        incast(null, true, 4096);
        assertEquals(0, gigabits(0) + gigabits(2), 1);
        assertEquals(36, gigabits(1) + gigabits(3), 2);
    }

    @Test
    void serviceLevelsOfOneLaneShareIt() {
        switches.lossless(1 << 3).lane(4, 3);
        nics.lane(4, 3); // else the switch pauses a lane that the NIC does not send on
        incast(null, true, 4096);
        assertEquals(1, (gigabits(1) + gigabits(3)) / (gigabits(0) + gigabits(2)), 0.15);
        assertEquals(0, star.tors().get(0).port(SENDERS).sentFrames(4));
    }
}
