package org.jvrpc.fabric.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.replay.Capture;
import org.jvrpc.fabric.replay.Flow;
import org.jvrpc.fabric.replay.Replay;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Pcap;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;

/** Captures of two hosts that send all kinds of messages to each other over links that lose frames, replayed. */
class TwoWayReplayTest {

    private static final int MESSAGES = 60;
    private static final int SEEDS = 40;
    private static final int MTU = 1024;
    private static final long FAR_NS = 5_000_000_000L;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int BTH = 42;

    /** What leaves hosts: each packet, whatever becomes of it. */
    private static final Predicate<Port> AT_HOSTS = port -> port.device().isHost();
    /** What passes the first host's cable: what comes there was not lost before, and may be lost there. */
    private static final Predicate<Port> AT_THE_FIRST =
            port -> port.device().mac() == 0 || port.peer().device().mac() == 0;

    private long resent;

    private byte[] capture(long seed, double loss, int mostRefusals, Predicate<Port> place) throws IOException {
        Network network = new Network(seed, true, MTU);
        Topology star = Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(),
                Transfers.memory(MESSAGES), 2);
        network.ports().forEach(port -> port.faults().loses(loss));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        network.tap(new Pcap(out, place));
        Transfers fromA = new Transfers(network.chance(1000), MESSAGES, star.host(0).memory(), mostRefusals);
        Transfers fromB = new Transfers(network.chance(1001), MESSAGES, star.host(1).memory(), mostRefusals);
        EndpointSettings settings =
                EndpointSettings.of(RcAttributes.defaults().withMtu(MTU).withRetries(7, 7, 100_000));
        RcEndpoint a = star.host(0).endpoint(settings, fromA);
        RcEndpoint b = star.host(1).endpoint(settings, fromB);
        RcEndpoint.connect(a, b);
        assertTrue(network.events().runUntil(FAR_NS), "seed=" + seed);
        assertNull(Transfers.check(fromA, fromB), "seed=" + seed);
        resent += a.counters().resentPackets() + b.counters().resentPackets();
        return out.toByteArray();
    }

    private static Replay replay(byte[] file) {
        List<Flow> flows = Flow.in(Capture.read(ByteBuffer.wrap(file)));
        assertEquals(1, flows.size());
        return Replay.of(flows.get(0));
    }

    private void assertNoDifferences(int mostRefusals, Predicate<Port> place) throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Replay replay = replay(capture(seed, 0.02, mostRefusals, place));
            assertEquals(List.of(), replay.differences(), "seed=" + seed + " " + replay.states());
        }
        assertTrue(resent > SEEDS, "resent=" + resent);
    }

    @Test
    void whatHostsSendIsWhatOursWouldSendThoughFramesAreLost() throws IOException {
        assertNoDifferences(0, AT_HOSTS);
    }

    /**
     * Who leaves one out that is sent again is told from a loss before the cable by other losses there; where there
     * are none, in one of these captures, it stays a difference.
     */
    @Test
    void soIsWhatPassesACable() throws IOException {
        List<String> differences = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            differences.addAll(replay(capture(seed, 0.02, 0, AT_THE_FIRST)).differences());
        }
        assertEquals(1, differences.size(), differences::toString);
    }

    @Test
    void soItIsWhereReceiversAreNotReady() throws IOException {
        assertNoDifferences(2, AT_HOSTS);
    }

    /** Changes the first request that is or is not sent again, and is not once more, to the PSN behind its own. */
    private static byte[] shifted(byte[] file, boolean again) {
        ByteBuffer bytes = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
        Map<Long, Integer> times = new HashMap<>();
        for (int at = FILE_HEADER; at < file.length; at += RECORD_HEADER + bytes.getInt(at + 8)) {
            ByteBuffer frame = bytes.slice(at + RECORD_HEADER, bytes.getInt(at + 8)); // big-endian
            if (isMoved(frame)) {
                times.merge(key(frame), 1, Integer::sum);
            }
        }
        Map<Long, Integer> seen = new HashMap<>();
        for (int at = FILE_HEADER; at < file.length; at += RECORD_HEADER + bytes.getInt(at + 8)) {
            ByteBuffer frame = bytes.slice(at + RECORD_HEADER, bytes.getInt(at + 8));
            if (isMoved(frame) && seen.merge(key(frame), 1, Integer::sum).equals(times.get(key(frame)))
                    && again == seen.get(key(frame)) > 1) {
                shift(frame);
                return bytes.array();
            }
        }
        throw new AssertionError("no such packet, again=" + again);
    }

    private static boolean isMoved(ByteBuffer frame) {
        int opcode = Bth.opcode(frame, BTH);
        return !Opcode.isResponse(opcode) && opcode != Opcode.READ_REQUEST;
    }

    private static long key(ByteBuffer frame) {
        return (long) frame.getInt(26) << 32 | Bth.psn(frame, BTH);
    }

    private static void shift(ByteBuffer frame) {
        int icrcAt = frame.limit() - Icrc.BYTES;
        frame.putInt(BTH + 8, frame.getInt(BTH + 8) & 0xff000000 | Psn.plus(Bth.psn(frame, BTH), 1));
        byte[] from = new byte[4];
        byte[] to = new byte[4];
        frame.get(26, from).get(30, to);
        Icrc.write(frame, icrcAt, new Icrc(from, to).compute(frame, BTH, icrcAt - BTH, frame.getShort(34) & 0xffff,
                4791, frame.getInt(18)));
    }

    /** Somebody who leaves out a packet is found in the midst of losses. */
    @Test
    void aPacketOfAnotherPsnIsADifference() throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            byte[] file = capture(seed, 0.02, 0, AT_HOSTS);
            assertFalse(replay(shifted(file, false)).differences().isEmpty(), "seed=" + seed);
        }
    }

    /** So is one who goes back to the wrong packet, mostly: he may have had an acknowledgement of what is before. */
    @Test
    void aPacketOfAnotherPsnThatIsSentAgainIsADifference() throws IOException {
        int found = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            found += replay(shifted(capture(seed, 0.02, 0, AT_HOSTS), true)).differences().isEmpty() ? 0 : 1;
        }
        assertTrue(found > SEEDS * 3 / 4, "found=" + found + " of " + SEEDS);
    }
}
