package org.jvrpc.roce.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.roce.wire.Packet.Verdict;
import org.jvrpc.verbs.WcStatus;

class PacketTest {

    private final Packet packet = new Packet();

    private static ByteBuffer hex(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    private Verdict parse(String hex) {
        ByteBuffer bytes = hex(hex);
        return packet.parse(bytes, 0, bytes.capacity());
    }

    private static void assertWritten(String hex, ByteBuffer written, int length) {
        byte[] bytes = new byte[length];
        written.get(0, bytes);
        assertEquals(hex, HexFormat.of().formatHex(bytes));
    }

    @Test
    void aSendIsReadFieldByField() {
        assertEquals(Verdict.OK, parse("04b0ffff0000001180123456" + "68656c6c6f000000"));
        assertEquals(Opcode.SEND_ONLY, packet.opcode());
        assertEquals(0x11, packet.qpn());
        assertEquals(0x123456, packet.psn());
        assertEquals(5, packet.length());
        assertEquals(12, packet.payload());
        assertTrue(packet.isAckRequested());
        assertTrue(packet.isSolicited());
    }

    @Test
    void theFlagsOfAnotherPacketAreNone() {
        assertEquals(Verdict.OK, parse("0440ffffbf00001100123456"));
        assertFalse(packet.isAckRequested());
        assertFalse(packet.isSolicited());
        assertFalse(Bth.isBecn(packet.buffer(), 0), "FECN is another");
        assertEquals(0, packet.length());
    }

    @Test
    void anAcknowledgementSaysHowManyMessagesWereCompleted() {
        ByteBuffer bytes = ByteBuffer.allocate(Aeth.BYTES);
        Aeth.write(bytes, 0, Aeth.NAK_ACCESS, 0x1fffffe);
        assertWritten("62fffffe", bytes, Aeth.BYTES);
        assertEquals(0xfffffe, Aeth.msn(bytes, 0));
        assertEquals(Aeth.NAK_ACCESS, Aeth.syndrome(bytes, 0));
    }

    @Test
    void aReadRequestIsWrittenByteByByte() {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        Bth.write(bytes, 0, Opcode.READ_REQUEST, 0, false, true, 0x11, 0x123457);
        Reth.write(bytes, Bth.BYTES, 0x1122334455667788L, 0x1234, 16);
        assertWritten("0c40ffff0000001180123457" + "11223344556677880000123400000010", bytes, 28);
    }

    @Test
    void anAtomicIsWrittenByteByByte() {
        ByteBuffer bytes = ByteBuffer.allocate(64);
        Bth.write(bytes, 0, Opcode.COMPARE_SWAP, 0, false, false, 0xabcdef, 0x000001);
        AtomicEth.write(bytes, Bth.BYTES, 0x1122334455667788L, 0x1234, 2, 1);
        assertWritten("1340ffff00abcdef00000001" + "1122334455667788" + "00001234" + "0000000000000002"
                + "0000000000000001", bytes, 40);
        assertEquals(1, AtomicEth.compare(bytes, Bth.BYTES));
        assertEquals(2, AtomicEth.swapOrAdd(bytes, Bth.BYTES));
        assertEquals(0x1234, AtomicEth.rkey(bytes, Bth.BYTES));
    }

    @Test
    void aDatagramHasItsHeaderAndItsImmediateData() {
        ByteBuffer bytes = ByteBuffer.allocate(24);
        Bth.write(bytes, 0, Opcode.UD_SEND_ONLY_IMM, 0, false, false, 1, 2);
        Deth.write(bytes, Bth.BYTES, 0x80010000, 0xfffff1);
        bytes.putInt(20, 0xcafe);
        assertWritten("6540ffff0000000100000002" + "8001000000fffff1" + "0000cafe", bytes, 24);
        assertEquals(Verdict.OK, packet.parse(bytes, 0, 24));
        assertEquals(0xcafe, packet.word());
        assertEquals(0x80010000, Deth.qkey(bytes, packet.extension()));
        assertEquals(0xfffff1, Deth.sourceQpn(bytes, packet.extension()));
    }

    @Test
    void aCnpIsTheOneThatACardSendsButForMigReq() {
        ByteBuffer bytes = ByteBuffer.allocate(Cnp.BYTES);
        assertEquals(Cnp.BYTES, Cnp.write(bytes, 0, 0x118));
        byte[] captured = hex("8100ffff40000118000000000000000000000000000000000000000000".substring(0, 56)).array();
        captured[1] = 0x40;
        assertArrayEquals(captured, bytes.array());
        assertTrue(Bth.isBecn(bytes, 0));
    }

    @ParameterizedTest
    @CsvSource({"0440ffff00000011001234, SHORT", "3f40ffff0000001100123456, OPCODE", "1b40ffff0000001100123456, OPCODE",
        "0670ffff0000001100123456, LENGTH", "0670ffff000000110012345600, LENGTH",
        "0410ffff0000001100123456, LENGTH", "0c40ffff00000011001234561122334455667788000012340000, LENGTH",
        "0441ffff0000001100123456, VERSION", "0440fffe0000001100123456, PARTITION"})
    void whatIsNoPacketIsRefusedForAReason(String hex, Verdict verdict) {
        assertEquals(verdict, parse(hex));
    }

    @Test
    void theKnownOpcodesAreThoseOfTheServices() {
        int known = 0;
        for (int opcode = 0; opcode < 256; opcode++) {
            known += Opcode.isKnown(opcode) ? 1 : 0;
            assertEquals(opcode < 0x20, Opcode.isRc(opcode));
            assertEquals(opcode >= 0x06 && opcode <= 0x0b, Opcode.isWrite(opcode));
            assertEquals(opcode == 0x0d || opcode >= 0x0f && opcode <= 0x12, Opcode.hasAeth(opcode));
            assertEquals(Opcode.isKnown(opcode), Opcode.headerBytes(opcode) >= Bth.BYTES);
        }
        assertEquals(26, known);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0, 1", "0, 1, -1", "0, 16777215, 1", "16777215, 0, -1", "8388607, 0, 8388607",
        "8388608, 0, -8388608", "100, 16777200, 116"})
    void psnsAreComparedAcrossTheirEnd(int a, int b, int difference) {
        assertEquals(difference, Psn.difference(a, b));
        assertEquals(a, Psn.plus(b, difference));
    }

    @ParameterizedTest
    @CsvSource({"0x20, 655360000", "0x21, 10000", "0x22, 20000", "0x2c, 640000", "0x3f, 491520000"})
    void anRnrNakSaysHowLongToWait(String syndrome, long ns) {
        assertTrue(Aeth.isRnrNak(Integer.decode(syndrome)));
        assertEquals(ns, Aeth.rnrTimerNs(Integer.decode(syndrome)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0x21", "10000, 0x21", "10001, 0x22", "491520000, 0x3f", "491520001, 0x20", "900000000, 0x20"})
    void anRnrNakHasTheCodeOfATimeThatIsLongEnough(long ns, String syndrome) {
        assertEquals(Integer.decode(syndrome), Aeth.rnrNak(ns));
    }

    @Test
    void eachNakHasItsStatus() {
        assertEquals(WcStatus.REM_INV_REQ_ERR, Aeth.status(Aeth.NAK_INVALID));
        assertEquals(WcStatus.REM_ACCESS_ERR, Aeth.status(Aeth.NAK_ACCESS));
        assertEquals(WcStatus.REM_OP_ERR, Aeth.status(Aeth.NAK_OPERATION));
        assertTrue(Aeth.isFatal(Aeth.NAK_ACCESS));
        assertFalse(Aeth.isFatal(Aeth.NAK_SEQUENCE));
        assertFalse(Aeth.isFatal(Aeth.ACK));
        assertTrue(Aeth.isAck(0x00));
    }
}
