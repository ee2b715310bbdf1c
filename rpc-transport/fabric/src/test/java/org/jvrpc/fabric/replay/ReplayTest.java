package org.jvrpc.fabric.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.fabric.experiment.Livelock;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.fabric.trace.Pcap;
import org.jvrpc.fabric.trace.Watcher;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;

/** Captures of the kernel's rxe, and of the fabric. */
class ReplayTest {

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int BTH = 42;

    /** What rxe and its own peers said, captured for the tests of packets. */
    private static byte[] rxe() throws IOException {
        return Files.readAllBytes(Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/roce/src/test/resources/org/jvrpc/roce/capture/rxe.pcap"));
    }

    private static List<Flow> flows(byte[] file) {
        return Flow.in(Capture.read(ByteBuffer.wrap(file)));
    }

    /** Returns a capture of what both hosts send, where one packet of 256 is lost behind the place of the capture. */
    private static byte[] lossy(Operation operation) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Pcap pcap = new Pcap(out, port -> port.device().isHost());
        Livelock.run(operation, false, 2_000_000, 1, new Watcher() {
            @Override
            public void begins(Topology made, long durationNs) {
                made.network().tap(pcap);
            }

            @Override
            public boolean needsPayloads() {
                return true;
            }
        });
        return out.toByteArray();
    }

    /** Changes a byte of a frame, counted from the BTH on, and mends the ICRC. */
    private static byte[] changed(byte[] file, int number, int at, int value) {
        ByteBuffer bytes = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int frame = FILE_HEADER;
        for (int i = 1; i < number; i++) {
            frame += RECORD_HEADER + bytes.getInt(frame + 8);
        }
        int length = bytes.getInt(frame + 8);
        frame += RECORD_HEADER;
        bytes.put(frame + BTH + at, (byte) value);
        ByteBuffer packet = bytes.slice(frame, length);
        byte[] from = new byte[4];
        byte[] to = new byte[4];
        packet.get(26, from).get(30, to);
        int icrc = new Icrc(from, to).compute(packet, BTH, length - BTH - Icrc.BYTES, packet.getShort(34) & 0xffff,
                4791, packet.getInt(18));
        Icrc.write(packet, length - Icrc.BYTES, icrc);
        return bytes.array();
    }

    @Test
    void rxesFlowsAreFoundAndOursWouldDoTheSame() throws IOException {
        List<Flow> flows = flows(rxe());
        assertEquals(List.of(6, 6, 8, 4, 2, 2, 7), flows.stream().map(Flow::packets).toList());
        for (Flow flow : flows) {
            Replay replay = Replay.of(flow);
            assertEquals(List.of(), replay.differences(), flow::toString);
            assertEquals(List.of(), replay.events(), flow::toString);
        }
        assertTrue(Replay.of(flows.get(6)).states().get(2).startsWith(
                "10.9.0.2 QP 24 sends: messages=3 completed=2 packets=3 again=0"), Replay.of(flows.get(6))::toString);
    }

    /** Two QPs of the software RNIC, each of which sends 50 messages; 2 % of their packets were lost on purpose. */
    @Test
    void whatOurOwnNodesSentToEachOtherIsWhatOursWouldSend() throws IOException {
        List<Flow> flows = flows(lossyNodes());
        assertEquals(1, flows.size());
        Replay replay = Replay.of(flows.get(0));
        assertEquals(List.of(), replay.differences());
        for (int side = 0; side < 2; side++) {
            String sends = replay.states().get(2 * side);
            assertTrue(sends.contains("messages=50 completed=50") && !sends.contains("again=0"), sends);
        }
    }

    private static byte[] lossyNodes() throws IOException {
        try (InputStream file = ReplayTest.class.getResourceAsStream("lossy.pcap")) {
            return file.readAllBytes();
        }
    }

    @Test
    void anAcknowledgementThatIsANakIsADifference() throws IOException {
        Flow flow = flows(changed(rxe(), 3, 12, 0x63)).get(0);
        assertEquals(List.of("frame 3: 10.9.0.2 QP 17 answers with NAK 0x63 PSN 2287217; ours takes it"),
                Replay.of(flow).differences());
    }

    @Test
    void aReceiverThatWasNotReadyIsBelieved() throws IOException {
        byte[] file = changed(changed(rxe(), 3, 11, 2287216 & 0xff), 3, 12, 0x2e);
        Replay replay = Replay.of(flows(file).get(0));
        assertEquals(List.of(), replay.differences());
        assertTrue(replay.states().get(0).contains("completed=0") && replay.states().get(0).contains("RNR=1"),
                () -> replay.states().toString());
    }

    /** A READ of 1 GB that somebody made up is answered in pieces: all at once would be 4,128,771 packets. */
    @Test
    void anEnormousReadTakesLittleMemory() throws IOException {
        List<Flow> flows = flows(changed(rxe(), 23, 12 + 12, 0x3f));
        Outgoing out = new Outgoing();
        out.allow(Long.MAX_VALUE);
        int sent = 0;
        while (out.isReady()) {
            Bth.write(out.buffer(), 0, Opcode.ACKNOWLEDGE, 0, false, false, 1, sent++);
            Aeth.write(out.buffer(), Bth.BYTES, Aeth.ACK, 0);
            out.send(Bth.BYTES + Aeth.BYTES);
        }
        assertEquals(1 << 12, sent);
        assertTrue(Replay.of(flows.get(3)).states().get(3).contains("received=1"));
    }

    @Test
    void aCountOfMessagesThatSkipsOneIsADifference() throws IOException {
        byte[] file = rxe();
        Flow flow = flows(changed(file, 26, 15, 9)).get(3);
        String differences = Replay.of(flow).differences().toString();
        assertTrue(differences.contains("has MSN 9; ours has 1"), differences);
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"SEND", "WRITE", "READ"})
    void lossesBehindTheCaptureAreNamedAndNoDifference(Operation operation) throws IOException {
        List<Flow> flows = flows(lossy(operation));
        assertEquals(1, flows.size());
        Replay replay = Replay.of(flows.get(0));
        assertEquals(List.of(), replay.differences());
        assertTrue(replay.events().get(0).contains("lost behind the place of the capture"), replay.events()::toString);
    }

    @Test
    void aLostPacketIsSentAgainAndItsMessageEndsLater() throws IOException {
        List<Flow> flows = flows(rxe());
        String write = String.join("\n", WhatIf.lost(flows.get(2), 16, 67_000_000));
        assertTrue(write.contains("with the loss: completed=1 of 1 sent=6 again=2 timeouts=0 NAKs=1"), write);
        String ack = String.join("\n", WhatIf.lost(flows.get(0), 3, 67_000_000));
        assertTrue(ack.contains("timeouts=1"), ack);
        assertTrue(ack.contains("SEND of 301 bytes, frame 1, ends 67000.0 us later"), ack);
        String read = String.join("\n", WhatIf.lost(flows.get(3), 25, 67_000_000));
        assertTrue(read.contains("implied=1"), read);
    }

    @Test
    void aCaptureMayBeginAnywhere() throws IOException {
        byte[] file = rxe();
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int first = RECORD_HEADER + bytes.getInt(FILE_HEADER + 8);
        byte[] later = new byte[file.length - first];
        System.arraycopy(file, 0, later, 0, FILE_HEADER);
        System.arraycopy(file, FILE_HEADER + first, later, FILE_HEADER, later.length - FILE_HEADER);
        for (Flow flow : flows(later)) {
            assertEquals(List.of(), Replay.of(flow).differences(), flow::toString);
        }
    }

    @Test
    void whatIsNoCaptureIsRefusedAndDamageIsCounted() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> Capture.read(ByteBuffer.allocate(100)));
        byte[] file = rxe();
        file[FILE_HEADER + RECORD_HEADER + BTH + 60] ^= 1;
        assertTrue(Capture.read(ByteBuffer.wrap(file)).summary().contains("RC=34 otherServices=9 damaged=1"));
    }

    /** Nothing in a file can make it end otherwise than by a report or a refusal. */
    @Test
    void changedCapturesAreFollowedOrRefused() throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] file = rxe();
        for (int round = 0; round < 300; round++) {
            byte[] bad = file;
            for (int i = 0; i <= random.nextInt(4); i++) {
                bad = changed(bad, 1 + random.nextInt(6), random.nextInt(16), random.nextInt(256));
            }
            try {
                for (Flow flow : flows(bad)) {
                    Replay.of(flow);
                }
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().contains("capture"), () -> "seed=" + seed + " " + e);
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + " round=" + round, e);
            }
        }
    }

    @Test
    void sidesHaveNamesOfTheirAddresses() throws IOException {
        assertEquals("10.9.0.1 QP 17 <-> 10.9.0.2 QP 17|"
                + "fe80:0:0:0:54ad:abff:febc:dbde QP 18 <-> fe80:0:0:0:7882:e5ff:fe7c:ce0d QP 18",
                flows(rxe()).stream().limit(2).map(Flow::toString).collect(Collectors.joining("|")));
    }
}
