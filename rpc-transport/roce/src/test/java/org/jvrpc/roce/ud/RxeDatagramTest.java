package org.jvrpc.roce.ud;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.roce.capture.Frame;
import org.jvrpc.roce.capture.RxeCapture;
import org.jvrpc.roce.ud.Receives.Arrived;
import org.jvrpc.roce.ud.UdResponder.Outcome;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;

/** Datagrams of rxe, ibv_ud_pingpong's and those of connections, are written as they came, and taken. */
class RxeDatagramTest {

    private static final int PINGPONG_QKEY = 0x11111111;
    private static final int MIG_REQ = 0x40;
    private static final int ACK_REQ = 0x80;
    private static final int ETHERNET_BYTES = 14;
    private static final int UDP_BYTES = 8;

    private final Frame frame = new Frame();
    private final Packet packet = new Packet();

    private static ByteBuffer frame(int number) {
        return RxeCapture.frames().get(number);
    }

    private void parse(ByteBuffer bytes) {
        assertTrue(frame.parse(bytes));
        assertEquals(Packet.Verdict.OK, packet.parse(bytes, frame.bth(), frame.length()));
    }

    static IntStream numbers() {
        RxeDatagramTest test = new RxeDatagramTest();
        return IntStream.range(0, RxeCapture.frames().size()).filter(number -> {
            test.parse(frame(number));
            return test.packet.opcode() == Opcode.UD_SEND_ONLY;
        });
    }

    @Test
    void theCaptureHasBothWaysOfAPingPong() {
        assertEquals(2, numbers().filter(number -> {
            ByteBuffer bytes = frame(number);
            parse(bytes);
            return Deth.qkey(bytes, packet.extension()) == PINGPONG_QKEY;
        }).count());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aDatagramIsWrittenAsItCame(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        UdRequester requester = new UdRequester(Deth.sourceQpn(bytes, packet.extension()), packet.psn());
        ByteBuffer written = ByteBuffer.allocate(bytes.limit());
        written.put(UdRequester.headerBytes(false), bytes, packet.payload(), packet.length());
        int length = requester.write(written, 0, packet.length(), false, 0, packet.isSolicited(), packet.qpn(),
                Deth.qkey(bytes, packet.extension()));
        written.put(1, (byte) (written.get(1) & ~MIG_REQ)); // rxe leaves it out
        if (packet.qpn() == 1) { // whose acknowledgement rxe asks for, which nobody sends
            written.put(8, (byte) (written.get(8) | ACK_REQ));
        }
        byte[] came = new byte[frame.length()];
        bytes.get(frame.bth(), came);
        assertArrayEquals(came, Arrays.copyOf(written.array(), length));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aDatagramIsTakenAndItsHeaderOfIpAsItCame(int number) {
        ByteBuffer bytes = frame(number);
        parse(bytes);
        int capacity = Grh.BYTES + packet.length();
        Receives receives = new Receives(capacity);
        receives.post(0, capacity);
        ByteBuffer grh = ByteBuffer.allocate(Grh.BYTES);
        int udpBytes = bytes.limit() - (frame.bth() - UDP_BYTES);
        Grh.write(grh, 0, frame.source(), frame.destination(), udpBytes, frame.fragment() >>> 16);
        UdResponder responder = new UdResponder(receives, Deth.qkey(bytes, packet.extension()), 1024);
        assertEquals(Outcome.DELIVERED, responder.receive(packet, grh));
        assertEquals(new Arrived(0, capacity, false, 0, Deth.sourceQpn(bytes, packet.extension())),
                receives.arrived.get(0));
        byte[] expected = new byte[capacity];
        int ip = frame.isIpv4() ? 20 : 0;
        bytes.get(ETHERNET_BYTES, expected, ip, Grh.BYTES - ip);
        if (!frame.isIpv4()) { // a flow label of Linux's choice
            expected[1] = 0;
            expected[2] = 0;
            expected[3] = 0;
        }
        bytes.get(packet.payload(), expected, Grh.BYTES, packet.length());
        assertArrayEquals(expected, receives.memory.array());
    }
}
