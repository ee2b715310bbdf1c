package org.jvrpc.roce.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Drep;
import org.jvrpc.roce.cm.message.Dreq;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.Rep;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.cm.message.Verdict;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Reth;

/**
 * Packets of rxe of Linux 6.1 (perftest's and ibv_*_pingpong's with an MTU of 256, rping's with its connection, one
 * that is refused; IPv4 and IPv6): each is read, its ICRC is right, and what is written here of the same fields is the
 * same bytes.
 */
class RxeCaptureTest {

    private static final int FLOW_LABEL_AND_RATE = Mad.BODY + 88;
    private static final int ACK_DELAY = Mad.BODY + 26;
    private final Packet packet = new Packet();
    private Frame frame;

    static IntStream numbers() {
        return IntStream.range(0, RxeCapture.frames().size());
    }

    private static ByteBuffer frame(int number) {
        return RxeCapture.frames().get(number);
    }

    private void parse(ByteBuffer bytes) {
        frame = new Frame();
        assertTrue(frame.parse(bytes));
        assertEquals(Packet.Verdict.OK, packet.parse(bytes, frame.bth(), frame.length()));
    }

    @Test
    void theCaptureHasEachOpcodeThatTheToolsUse() {
        Set<Integer> opcodes = new TreeSet<>();
        Set<Integer> messages = new TreeSet<>();
        Set<Boolean> versions = new TreeSet<>();
        for (ByteBuffer bytes : RxeCapture.frames()) {
            parse(bytes);
            opcodes.add(packet.opcode());
            versions.add(frame.isIpv4());
            if (packet.qpn() == 1) {
                messages.add(Mad.attribute(bytes.slice(packet.payload(), Mad.BYTES)));
            }
        }
        assertEquals(Set.of(Opcode.SEND_FIRST, Opcode.SEND_LAST, Opcode.SEND_ONLY, Opcode.WRITE_FIRST,
                Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.WRITE_ONLY, Opcode.READ_REQUEST,
                Opcode.READ_RESPONSE_FIRST, Opcode.READ_RESPONSE_MIDDLE, Opcode.READ_RESPONSE_LAST,
                Opcode.READ_RESPONSE_ONLY, Opcode.ACKNOWLEDGE, Opcode.ATOMIC_ACKNOWLEDGE, Opcode.COMPARE_SWAP,
                Opcode.FETCH_ADD, Opcode.UD_SEND_ONLY), opcodes);
        assertEquals(Set.of(Mad.REQ, Mad.REP, Mad.RTU, Mad.DREQ, Mad.DREP, Mad.REJ), messages);
        assertEquals(Set.of(true, false), versions);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void theCrcIsRight(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        Icrc icrc = new Icrc(frame.source(), frame.destination());
        int received = Icrc.read(bytes, frame.bth() + frame.length());
        assertEquals(received, compute(icrc, bytes, frame.fragment()));
        if (frame.isIpv4()) {
            int computed = compute(icrc, bytes, frame.fragment() & 0xffff);
            assertEquals(frame.fragment() >>> 16, Icrc.identification(computed, received, frame.length()));
        }
    }

    private int compute(Icrc icrc, ByteBuffer bytes, int fragment) {
        return icrc.compute(
                bytes, frame.bth(), frame.length(), frame.sourcePort(), frame.destinationPort(), fragment);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void theHeadersAreWrittenAsTheyCame(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        int headers = packet.payload() - frame.bth();
        ByteBuffer written = ByteBuffer.allocate(headers);
        int pad = frame.length() - headers - packet.length();
        Bth.write(written, 0, packet.opcode(), pad, packet.isSolicited(), packet.isAckRequested(), packet.qpn(),
                packet.psn());
        written.put(1, (byte) (written.get(1) & ~0x40)); // rxe leaves MigReq out
        writeExtension(bytes, written);
        assertArrayEquals(copy(bytes, frame.bth(), headers), written.array());
    }

    private void writeExtension(ByteBuffer from, ByteBuffer to) {
        int at = packet.extension();
        int opcode = packet.opcode();
        if (Opcode.hasAeth(opcode)) {
            Aeth.write(to, Bth.BYTES, Aeth.syndrome(from, at), Aeth.msn(from, at));
            if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
                to.putLong(Bth.BYTES + Aeth.BYTES, packet.original());
            }
        } else if (Opcode.isAtomic(opcode)) {
            AtomicEth.write(to, Bth.BYTES, AtomicEth.address(from, at), AtomicEth.rkey(from, at),
                    AtomicEth.swapOrAdd(from, at), AtomicEth.compare(from, at));
        } else if (opcode == Opcode.UD_SEND_ONLY) {
            Deth.write(to, Bth.BYTES, Deth.qkey(from, at), Deth.sourceQpn(from, at));
        } else if (Opcode.headerBytes(opcode) == Bth.BYTES + Reth.BYTES) {
            Reth.write(to, Bth.BYTES, Reth.address(from, at), Reth.rkey(from, at), (int) Reth.length(from, at));
        }
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void theHeadersOfIpAndUdpAreWrittenAsTheyCame(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        ByteBuffer written = ByteBuffer.allocate(bytes.limit());
        written.put(frame.bth(), bytes, frame.bth(), frame.length());
        int length = Frame.write(written, new Icrc(frame.source(), frame.destination()), frame.source(),
                frame.destination(), frame.length(), frame.fragment() >>> 16, frame.trafficClass(),
                frame.sourcePort());
        assertEquals(bytes.limit(), length);
        written.put(0, bytes, 0, 12); // addresses of Ethernet are others
        if (!frame.isIpv4()) { // flow labels are Linux's choice
            written.put(15, bytes, 15, 3);
        }
        assertArrayEquals(copy(bytes, 0, length), written.array());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void theMessagesOfConnectionsAreWrittenAsTheyCame(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        if (packet.qpn() != 1) {
            return;
        }
        assertEquals(Mad.QKEY, Deth.qkey(bytes, packet.extension()));
        assertEquals(1, Deth.sourceQpn(bytes, packet.extension()));
        ByteBuffer mad = bytes.slice(packet.payload(), packet.length());
        assertEquals(Verdict.ACCEPTED, Mad.check(mad));
        ByteBuffer written = written(mad);
        if (Mad.attribute(mad) == Mad.REQ) { // a flow label by Linux, and a rate that nobody asks for
            written.put(FLOW_LABEL_AND_RATE, mad, FLOW_LABEL_AND_RATE, Integer.BYTES);
        } else if (Mad.attribute(mad) == Mad.REP) { // rxe says how soon it acknowledges
            written.put(ACK_DELAY, mad, ACK_DELAY, 1);
        }
        assertArrayEquals(copy(mad, 0, Mad.BYTES), written.array());
    }

    private ByteBuffer written(ByteBuffer mad) {
        long tid = Mad.tid(mad);
        int localId = Mad.localId(mad);
        switch (Mad.attribute(mad)) {
            case Mad.REQ:
                assertEquals(Verdict.ACCEPTED, Req.check(mad, Gid.of(frame.source())));
                return ConnectRequest.decode(mad).encode();
            case Mad.REP:
                assertEquals(Verdict.ACCEPTED, Rep.check(mad));
                return ConnectReply.decode(mad).encode();
            case Mad.RTU:
                return Rtu.create(tid, localId, Mad.remoteId(mad));
            case Mad.DREQ:
                return Dreq.create(tid, localId, Mad.remoteId(mad), Dreq.remoteQpn(mad));
            case Mad.DREP:
                return Drep.create(tid, localId, Mad.remoteId(mad));
            default:
                return Rej.create(tid, localId, Mad.remoteId(mad), Rej.message(mad), Rej.reason(mad), new byte[0]);
        }
    }

    private static byte[] copy(ByteBuffer from, int at, int length) {
        byte[] bytes = new byte[length];
        from.get(at, bytes);
        return bytes;
    }
}
