package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Fields that a device reads out of WQEs, and what a software device says in CQEs, against the tables. */
final class FieldsTest {

    private static ByteBuffer memory(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return ByteBuffer.allocateDirect(8 + bytes.length).put(8, bytes);
    }

    @Test
    void aDeviceFindsThePartsOfCtrl() {
        ByteBuffer ring = memory("07 1234 0a 012345 3f 00 0000 88 deadbeef");
        assertEquals((byte) 0x88, Wqe.flags(ring, 8));
        assertEquals(0x012345, Wqe.qpn(BigEndian.getInt(ring, 8 + Wqe.QPN_DS)));
        assertEquals(0xfedcba, Wqe.qpn(0xfedcba3f), "without a sign");
        assertTrue(Wqe.isSignalled(0x00000008_00000000L));
        assertTrue(Wqe.isSignalled(0xffffff8a_ffffffffL));
        assertFalse(Wqe.isSignalled(0xfffffff7_ffffffffL));
        assertEquals(7, Wqe.opmod(BigEndian.getInt(ring, 8)));
    }

    @Test
    void aDeviceFindsThePartsOfADataSegment() {
        ByteBuffer ring = memory("01020304 a1b2c3d4 1122334455667788");
        assertEquals(0x01020304, Wqe.dataLength(ring, 8));
        assertEquals(0x01020304, Wqe.byteCount(ring, 8));
        assertEquals(0xa1b2c3d4, Wqe.dataLkey(ring, 8));
        assertEquals(0x1122334455667788L, Wqe.dataAddress(ring, 8));
        assertEquals(1L << 31, Wqe.byteCount(0));
        assertEquals(5, Wqe.byteCount(Wqe.INLINE | 5));
    }

    @Test
    void aListEndsWithALengthOfNothingUnderItsKey() {
        assertTrue(Wqe.isEnd(memory("00000000 00000100 0000000000000000"), 8));
        assertFalse(Wqe.isEnd(memory("00000000 00000101 0000000000000000"), 8), "two GiB under another key");
        assertFalse(Wqe.isEnd(memory("00000001 00000100 0000000000000000"), 8));
    }

    @Test
    void dataBeginsBehindTheSegmentsOfItsOpcode() {
        int[] opcodes = {Wqe.SEND, Wqe.SEND_IMM, Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM, Wqe.RDMA_READ, Wqe.ATOMIC_CS,
            Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_FA, Wqe.ATOMIC_MASKED_CS};
        assertEquals(List.of(16, 16, 32, 32, 32, 48, 48, 48, 64),
                IntStream.of(opcodes).map(Wqe::dataOffset).boxed().toList());
    }

    @Test
    void aClaimIsInvalidAndTellsWhoseItIs() {
        long tail = Cqe.claim(0xabcdef, 0x012345, 0x1fe);
        assertEquals("ab012345cdeffef0", String.format("%016x", tail));
        assertEquals(0xabcdef, Cqe.claimant(tail));
        assertEquals(0xfe, Cqe.lap(tail), "its low 8 bits");
        assertEquals(Cqe.INVALID, Cqe.opcode(tail));
        assertFalse(Cqe.valid(tail, 0x1fe));
    }

    @Test
    void receivesAreFiveOfTheOpcodes() {
        assertEquals(List.of(1, 2, 3, 4, 14), IntStream.range(0, 16).filter(Cqe::isReceive).boxed().toList());
        assertEquals(List.of(false, true, false, true, false), IntStream.range(0, 5)
                .mapToObj(Cqe::hasImmediate).toList());
    }

    @Test
    void aFormatSaysHowMuchDataAndWhere() {
        int[] formats = {0, Cqe.INLINE_32, Cqe.INLINE_64, Cqe.INLINE_96};
        assertEquals(List.of(0, 32, 64, 96), IntStream.of(formats).map(Cqe::inlineBytes).boxed().toList());
        assertEquals(192, Cqe.inlineOffset(192, Cqe.INLINE_32));
        assertEquals(128, Cqe.inlineOffset(192, Cqe.INLINE_64));
        assertEquals(128, Cqe.inlineOffset(192, Cqe.INLINE_96));
    }

    @Test
    void aRingIsMadeInvalidAndWhatLiesAroundItIsLeft() {
        ByteBuffer ring = ByteBuffer.allocateDirect(5 * 128);
        Cqe.initialize(ring, 128, 2, 128);
        for (int at = 0; at < ring.capacity(); at += 8) {
            boolean tail = at == 128 + 120 || at == 256 + 120;
            assertEquals(tail ? "000000000000fff1" : "0", String.format(tail ? "%016x" : "%x",
                    BigEndian.getLong(ring, at)), "at " + at);
        }
    }
}
