package org.jvrpc.roce.ud;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.ud.Receives.Arrived;
import org.jvrpc.roce.ud.UdResponder.Outcome;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.WcStatus;

/** Datagrams as one QP writes them and another takes them: what is delivered, and why others are not. */
class UdTest {

    private static final int MTU = 256;
    private static final int QKEY = 0x81223344;
    private static final int FROM = 0xabcdef;
    private static final int TO = 0x123456;
    private static final int BYTES = 1024;
    private static final byte FILL = 0x55;

    private final Receives receives = new Receives(BYTES);
    private final UdResponder responder = new UdResponder(receives, QKEY, MTU);
    private final UdRequester requester = new UdRequester(FROM, 0xffffff);
    private final ByteBuffer bytes = ByteBuffer.allocate(MTU + 64);
    private final Packet packet = new Packet();
    private final ByteBuffer grh = ByteBuffer.allocate(Grh.BYTES);

    {
        Arrays.fill(receives.memory.array(), FILL);
        for (int i = 0; i < Grh.BYTES; i++) {
            grh.put(i, (byte) (100 + i));
        }
    }

    private static byte payload(int i) {
        return (byte) (i * 7 + 3);
    }

    private int write(int length, boolean hasImmediate, int qkey) {
        for (int i = 0; i < length; i++) {
            bytes.put(4 + UdRequester.headerBytes(hasImmediate) + i, payload(i));
        }
        return requester.write(bytes, 4, length, hasImmediate, 0x0badcafe, true, TO, qkey);
    }

    private Outcome receive(int length) {
        assertEquals(Packet.Verdict.OK, packet.parse(bytes, 4, length));
        return responder.receive(packet, grh);
    }

    private void assertUntouched(int from, int to) {
        for (int i = from; i < to; i++) {
            assertEquals(FILL, receives.memory.get(i), "byte " + i);
        }
    }

    private void assertDropped(Outcome why, int length) {
        assertEquals(why, receive(length));
        assertEquals(1, responder.count(why));
        assertEquals(List.of(), receives.arrived);
        assertEquals(1, Arrays.stream(Outcome.values()).mapToLong(responder::count).sum(), "for one reason");
    }

    @ParameterizedTest
    @CsvSource({"0,false", "1,true", "2,false", "3,true", "4,true", "255,false", "256,true"})
    void aDatagramLiesBehindTheHeaderOfTheNetwork(int length, boolean hasImmediate) {
        receives.post(100, Grh.BYTES + length);
        assertEquals(Outcome.DELIVERED, receive(write(length, hasImmediate, QKEY)));
        assertEquals(List.of(new Arrived(
                100, Grh.BYTES + length, hasImmediate, hasImmediate ? 0x0badcafe : 0, FROM)), receives.arrived);
        for (int i = 0; i < Grh.BYTES; i++) {
            assertEquals(grh.get(i), receives.memory.get(100 + i), "byte " + i);
        }
        for (int i = 0; i < length; i++) {
            assertEquals(payload(i), receives.memory.get(100 + Grh.BYTES + i), "byte " + i);
        }
        assertUntouched(0, 100);
        assertUntouched(100 + Grh.BYTES + length, BYTES);
    }

    @ParameterizedTest
    @CsvSource({"0,24", "1,28", "3,28", "4,28", "5,32"})
    void aPacketIsPaddedWithZerosAndItsPsnsCount(int length, int expected) {
        Arrays.fill(bytes.array(), FILL);
        assertEquals(expected, write(length, true, QKEY));
        assertEquals(expected - 24 - length, Bth.pad(bytes, 4));
        for (int i = 24 + length; i < expected; i++) {
            assertEquals(0, bytes.get(4 + i));
        }
        assertEquals(FILL, bytes.get(4 + expected));
        assertEquals(0xffffff, Bth.psn(bytes, 4));
        write(length, false, QKEY);
        assertEquals(0, Bth.psn(bytes, 4));
        write(length, false, QKEY);
        assertEquals(1, Bth.psn(bytes, 4));
    }

    @Test
    void aPacketSaysWhoItIsForAndThatItIsSolicited() {
        int length = write(8, false, QKEY);
        assertEquals(Packet.Verdict.OK, packet.parse(bytes, 4, length));
        assertEquals(TO, packet.qpn());
        assertEquals(true, packet.isSolicited());
        assertEquals(false, packet.isAckRequested());
        requester.write(bytes, 4, 8, false, 0, false, TO, QKEY);
        assertEquals(false, Bth.isSolicited(bytes, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {QKEY ^ 1, QKEY ^ 1 << 31, 0})
    void anotherKeyIsDropped(int qkey) {
        receives.post(0, BYTES);
        assertDropped(Outcome.QKEY, write(8, true, qkey));
        assertUntouched(0, BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.SEND_ONLY, Opcode.SEND_ONLY_IMM, Opcode.WRITE_ONLY, Opcode.ACKNOWLEDGE, Opcode.CNP})
    void whatIsNoDatagramIsDropped(int opcode) {
        receives.post(0, BYTES);
        int length = write(40, false, QKEY);
        bytes.put(4, (byte) opcode);
        assertDropped(Outcome.OPCODE, length);
        assertUntouched(0, BYTES);
    }

    @Test
    void aPayloadOverTheMtuIsDropped() {
        receives.post(0, BYTES);
        assertDropped(Outcome.MTU, write(MTU + 1, false, QKEY));
        assertUntouched(0, BYTES);
    }

    @Test
    void withoutAReceiveItIsDropped() {
        assertDropped(Outcome.NO_RECEIVE, write(0, false, QKEY));
    }

    @ParameterizedTest
    @CsvSource({"8,47", "0,39", "0,0", "256,40"})
    void whatIsLongerThanItsReceiveIsDroppedAndTheReceiveStays(int length, int capacity) {
        receives.post(0, capacity);
        assertDropped(Outcome.TOO_LONG, write(length, false, QKEY));
        assertUntouched(0, BYTES);
        assertEquals(1, receives.posted());
    }

    @ParameterizedTest
    @CsvSource({"39,8", "40,8", "47,8", "39,0"})
    void aReceiveWhoseKeyRefusesFails(int open, int length) {
        receives.post(0, BYTES);
        receives.open = open;
        assertDropped(Outcome.NO_ACCESS, write(length, false, QKEY));
        assertEquals(List.of(WcStatus.LOC_PROT_ERR), receives.failed);
    }

    @Test
    void aDatagramWithoutRoomForItsCompletionIsDroppedAndTheReceiveStays() {
        receives.post(0, BYTES);
        receives.hasRoom = false;
        assertDropped(Outcome.NO_CQE, write(8, false, QKEY));
        assertEquals(1, receives.posted());
    }

    @Test
    void datagramsFillReceivesInTheirOrderWhateverTheirPsns() {
        receives.post(0, 100);
        receives.post(200, 100);
        int length = write(4, false, QKEY);
        for (int psn : new int[] {7, 7}) {
            Bth.write(bytes, 4, Opcode.UD_SEND_ONLY, 0, false, false, TO, psn);
            assertEquals(Outcome.DELIVERED, receive(length));
        }
        assertEquals(List.of(0, 200), receives.arrived.stream().map(Arrived::at).toList());
    }

    @Test
    void theHeaderOfIpv4HasTheLastBytesBehindZeros() {
        Arrays.fill(grh.array(), FILL);
        Grh.write(grh, 0, new byte[] {10, 9, 0, 1}, new byte[] {10, 9, 0, 2}, 0x88, 0x9b9b);
        assertArrayEquals(new byte[20], Arrays.copyOf(grh.array(), 20));
        assertEquals(0x4500009c9b9b4000L, grh.getLong(20));
        assertEquals(0x40118aa10a090001L, grh.getLong(28), "with its checksum");
        assertEquals(0x0a090002, grh.getInt(36));
    }

    @Test
    void theHeaderOfIpv6HasAllBytes() {
        byte[] source = new byte[16];
        byte[] destination = new byte[16];
        source[15] = 1;
        destination[15] = 2;
        Arrays.fill(grh.array(), FILL);
        Grh.write(grh, 0, source, destination, 0x88, 0x9b9b);
        assertEquals(0x6000000000881140L, grh.getLong(0));
        assertArrayEquals(source, Arrays.copyOfRange(grh.array(), 8, 24));
        assertArrayEquals(destination, Arrays.copyOfRange(grh.array(), 24, 40));
    }
}
