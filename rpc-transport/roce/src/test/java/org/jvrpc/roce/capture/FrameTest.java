package org.jvrpc.roce.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;

class FrameTest {

    private static final int TRAFFIC_CLASS = 0xa6;
    private static final int SOURCE_PORT = 0xc123;

    private static byte[] address(int bytes, int last) {
        byte[] address = new byte[bytes];
        Arrays.fill(address, (byte) 0x20);
        address[bytes - 1] = (byte) last;
        return address;
    }

    /** A frame with an acknowledgement. */
    private static ByteBuffer frame(int addressBytes) {
        byte[] source = address(addressBytes, 1);
        byte[] destination = address(addressBytes, 2);
        ByteBuffer frame = ByteBuffer.allocate(200);
        int at = Frame.headerBytes(source);
        Bth.write(frame, at, Opcode.ACKNOWLEDGE, 0, false, false, 5, 6);
        int length = Frame.write(frame, new Icrc(source, destination), source, destination, 16, 7, TRAFFIC_CLASS,
                SOURCE_PORT);
        return frame.limit(length);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void whatIsWrittenIsRead(int addressBytes) {
        Frame frame = new Frame();
        ByteBuffer bytes = frame(addressBytes);
        assertTrue(frame.parse(bytes));
        assertEquals(addressBytes == 4, frame.isIpv4());
        assertEquals(TRAFFIC_CLASS, frame.trafficClass());
        assertEquals(SOURCE_PORT, frame.sourcePort());
        assertEquals(Frame.ROCE_PORT, frame.destinationPort());
        assertEquals(16, frame.length());
        assertArrayEquals(address(addressBytes, 1), frame.source());
        assertArrayEquals(address(addressBytes, 2), frame.destination());
        assertEquals(bytes.limit(), frame.bth() + 16 + Icrc.BYTES);
    }

    @Test
    void ethernetAddressesTellWhoseTheyAre() {
        byte[] macs = new byte[12];
        frame(4).get(0, macs);
        assertArrayEquals(new byte[] {2, 0, 0x20, 0x20, 0x20, 2, 2, 0, 0x20, 0x20, 0x20, 1}, macs);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void whatGoesToAnotherPortOrIsNoUdpIsNone(int addressBytes) {
        int udp = Frame.headerBytes(new byte[addressBytes]) - 8;
        ByteBuffer other = frame(addressBytes);
        assertFalse(new Frame().parse(other.putShort(udp + 2, (short) (Frame.ROCE_PORT + 1))));
        ByteBuffer tcp = frame(addressBytes);
        assertFalse(new Frame().parse(tcp.put(addressBytes == 4 ? 23 : 20, (byte) 6)));
        ByteBuffer arp = frame(addressBytes);
        assertFalse(new Frame().parse(arp.putShort(12, (short) 0x0806)));
        ByteBuffer cut = frame(addressBytes);
        assertFalse(new Frame().parse(cut.limit(cut.limit() - 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16})
    void theLeastIsABthWithItsIcrc(int addressBytes) {
        for (int length : new int[] {Bth.BYTES, Bth.BYTES - 4}) {
            byte[] source = address(addressBytes, 1);
            ByteBuffer frame = ByteBuffer.allocate(200);
            int bytes = Frame.write(frame, new Icrc(source, source), source, source, length + 4, 7, 0, SOURCE_PORT);
            int udp = Frame.headerBytes(source) - 8;
            int ip = addressBytes == 4 ? 16 : 18;
            frame.putShort(ip, (short) (frame.getShort(ip) - 4)).putShort(udp + 4, (short) (8 + length + 4));
            assertEquals(length == Bth.BYTES, new Frame().parse(frame.limit(bytes - 4)), "length=" + length);
        }
    }
}
