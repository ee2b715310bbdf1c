package org.jvrpc.fabric.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.host.Stream;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;

class PcapTest {

    private static final int MESSAGE = 100_000;
    private static final int BTH = 42;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final List<ByteBuffer> frames = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();

    /** Three hosts send to a fourth, until it is paused and marked. */
    private void capture(boolean payloads) throws IOException {
        Network network = new Network(1, payloads, 1024);
        BufferSettings buffer = BufferSettings.defaults().withTotal(2_000_000).withHeadroom(4_000).withFixed(20_000);
        SwitchSettings switches = new SwitchSettings().buffer(buffer)
                .marking(new EcnMarking("threshold", 5_000, 5_000, 1));
        Topology star = Topology.star(network, Links.defaults(), switches, new NicSettings(), MESSAGE, 4);
        for (int host = 0; host < 3; host++) {
            EndpointSettings settings = EndpointSettings.of(RcAttributes.defaults())
                    .withDcqcn(DcqcnParameters.SIGCOMM15);
            RcEndpoint.connect(star.host(host).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 2)),
                    star.host(3).endpoint(settings, new Stream(Operation.WRITE, MESSAGE, 0)));
        }
        network.tap(new Pcap(file, port -> !port.device().isHost() || port.device().mac() == 3));
        network.events().runUntil(1_000_000);
        ByteBuffer read = ByteBuffer.wrap(file.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(0xa1b23c4d, read.getInt());
        read.position(24);
        long lastNs = 0;
        while (read.hasRemaining()) {
            long ns = read.getInt() * 1_000_000_000L + read.getInt();
            assertTrue(ns >= lastNs, "in order");
            lastNs = ns;
            int there = read.getInt();
            lengths.add(read.getInt());
            frames.add(read.slice(read.position(), there).order(ByteOrder.BIG_ENDIAN));
            read.position(read.position() + there);
        }
    }

    private static boolean isPause(ByteBuffer frame) {
        return frame.getShort(12) == (short) 0x8808;
    }

    @Test
    void packetsHaveTheirChecksums() throws IOException {
        capture(true);
        int packets = 0;
        int cnps = 0;
        int marked = 0;
        for (ByteBuffer frame : frames) {
            if (isPause(frame)) {
                continue;
            }
            packets++;
            assertEquals(0x0800, frame.getShort(12));
            int sum = 0;
            for (int at = 14; at < 34; at += 2) {
                sum += frame.getShort(at) & 0xffff;
            }
            assertEquals(0xffff, (sum & 0xffff) + (sum >>> 16));
            byte[] from = new byte[4];
            byte[] to = new byte[4];
            frame.get(26, from).get(30, to);
            int length = frame.capacity() - BTH - Icrc.BYTES;
            assertEquals(Icrc.read(frame, BTH + length), new Icrc(from, to).compute(frame, BTH, length,
                    frame.getShort(34) & 0xffff, 4791, frame.getInt(18)), "packet " + packets);
            cnps += (frame.get(BTH) & 0xff) == Opcode.CNP ? 1 : 0;
            marked += (frame.get(15) & 3) == 3 ? 1 : 0;
        }
        assertTrue(packets > 600, "packets=" + packets);
        assertTrue(cnps > 0 && marked > 0, "cnps=" + cnps + " marked=" + marked);
    }

    @Test
    void pausesAreThoseOf8021Qbb() throws IOException {
        capture(true);
        int pauses = 0;
        for (ByteBuffer frame : frames) {
            if (isPause(frame)) {
                pauses++;
                assertEquals(60, frame.capacity());
                assertEquals(0x0180, frame.getShort(0));
                assertEquals(0xc2000001, frame.getInt(2));
                assertEquals(0x0101, frame.getShort(14));
                assertEquals(1 << 3, frame.getShort(16));
                int quanta = frame.getShort(18 + 2 * 3) & 0xffff;
                assertTrue(quanta == 0 || quanta == 0xffff, "quanta=" + quanta);
            }
        }
        assertTrue(pauses > 1, "pauses=" + pauses);
    }

    @Test
    void whatHasNoPayloadIsCutOff() throws IOException {
        capture(false);
        assertTrue(lengths.contains(1082), "frames of 1086 bytes, without FCS");
        for (ByteBuffer frame : frames) {
            assertTrue(frame.capacity() <= BTH + 64 + Icrc.BYTES);
        }
    }
}
