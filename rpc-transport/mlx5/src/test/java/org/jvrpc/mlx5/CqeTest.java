package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * CQEs as a card writes them, typed from the table of rdma-core, providers/mlx5/mlx5dv.h, struct mlx5_cqe64 and
 * mlx5_err_cqe: byte count at 44, immediate at 36, opcode and QPN at 56, WQE counter at 60, opcode and owner at 63.
 */
final class CqeTest {

    private final Rings rings = Rings.usual();
    private final WorkCompletion wc = new WorkCompletion();

    private static byte[] counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return bytes;
    }

    private void receives(Rings into, int count) {
        for (int i = 0; i < count; i++) {
            assertEquals(1, into.qp.prepareReceive(ReceiveRequest.of(100 + i, new Sge(16L * i, 64, 1))).execute());
        }
    }

    @ParameterizedTest
    @CsvSource({"08,RDMA_WRITE", "09,RDMA_WRITE", "0a,SEND", "0b,SEND", "10,RDMA_READ", "11,COMPARE_SWAP",
        "12,FETCH_ADD"})
    void aRequesterCqeNamesTheOpcodeOfItsWqe(String opcode, WcOpcode expected) {
        rings.qp.prepareSend(SendRequest.send(55).signalled()).execute();
        rings.put(Rings.CQ + 44, "00000102");
        rings.put(Rings.CQ + 56, opcode + "012345 0000 00 00");
        assertTrue(rings.cq.poll(wc));
        assertEquals(55, wc.wrId());
        assertEquals(0x012345, wc.qpNumber());
        assertEquals(expected, wc.opcode());
        assertFalse(wc.hasImmediate());
        boolean atomic = expected == WcOpcode.COMPARE_SWAP || expected == WcOpcode.FETCH_ADD;
        assertEquals(atomic ? 8 : 0x102, wc.byteLength());
    }

    @Test
    void aReceiverCqeCarriesByteCountAndImmediate() {
        receives(rings, 3);
        rings.put(Rings.CQ + 44, "00000040");
        rings.put(Rings.CQ + 56, "00012345 0000 00 20");
        rings.put(Rings.CQ + 64 + 36, "80000001");
        rings.put(Rings.CQ + 64 + 44, "00000010");
        rings.put(Rings.CQ + 64 + 56, "00012345 0001 00 30");
        rings.put(Rings.CQ + 128 + 36, "00000007");
        rings.put(Rings.CQ + 128 + 44, "00010000");
        rings.put(Rings.CQ + 128 + 56, "00012345 0002 00 10");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcOpcode.RECV, wc.opcode());
        assertEquals(64, wc.byteLength());
        assertFalse(wc.hasImmediate());
        assertEquals(100, wc.wrId());
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcOpcode.RECV, wc.opcode());
        assertEquals(0x80000001, wc.immediate());
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, wc.opcode());
        assertEquals(7, wc.immediate());
        assertEquals(65536, wc.byteLength());
        assertFalse(rings.cq.poll(wc));
    }

    @Test
    void upToThirtyTwoBytesLieAtTheStartOfTheCqe() {
        receives(rings, 1);
        byte[] data = counting(32);
        rings.memory.put(Rings.CQ, data);
        rings.put(Rings.CQ + 44, "00000020");
        rings.put(Rings.CQ + 56, "00012345 0000 00 24");
        assertTrue(rings.cq.poll(wc));
        assertArrayEquals(data, Arrays.copyOf(rings.local, 32));
        assertEquals(0, rings.local[32]);
    }

    @Test
    void upToSixtyFourBytesLieInTheFirstHalfOfACqeOf128Bytes() {
        for (boolean inPlace : new boolean[] {false, true}) {
            Rings wide = new Rings(16, 8, 4, 4, 128, inPlace);
            receives(wide, 2);
            byte[] data = counting(64);
            wide.memory.put(Rings.CQ + 128, data);
            wide.put(Rings.CQ + 64 + 44, "00000003");
            wide.put(Rings.CQ + 64, "aabbcc");
            wide.put(Rings.CQ + 64 + 56, "00012345 0000 00 24");
            wide.put(Rings.CQ + 192 + 44, "00000040");
            wide.put(Rings.CQ + 192 + 56, "00012345 0001 00 28");
            assertTrue(wide.cq.poll(wc));
            assertEquals((byte) 0xaa, inPlace ? wc.inlineBuffer().get(wc.inlineOffset()) : wide.local[0]);
            assertTrue(wide.cq.poll(wc));
            byte[] got = new byte[64];
            if (inPlace) {
                assertEquals(Rings.CQ + 128, wc.inlineOffset());
                wc.inlineBuffer().get(wc.inlineOffset(), got);
            } else {
                System.arraycopy(wide.local, 16, got, 0, 64);
            }
            assertArrayEquals(data, got);
        }
    }

    @Test
    void upToNinetySixBytesReachIntoTheCqeWithBothFormatBits() {
        for (boolean inPlace : new boolean[] {false, true}) {
            Rings wide = new Rings(16, 8, 4, 4, 128, inPlace);
            assertEquals(1, wide.qp.prepareReceive(ReceiveRequest.of(1, new Sge(0, 96, 1))).execute());
            byte[] data = counting(96);
            wide.memory.put(Rings.CQ, data);
            wide.put(Rings.CQ + 64 + 44, "00000060");
            wide.put(Rings.CQ + 64 + 56, "00012345 0000 00 2c");
            assertTrue(wide.cq.poll(wc));
            assertEquals(WcStatus.SUCCESS, wc.status());
            byte[] got = new byte[96];
            if (inPlace) {
                wc.inlineBuffer().get(wc.inlineOffset(), got);
            } else {
                System.arraycopy(wide.local, 0, got, 0, 96);
            }
            assertArrayEquals(data, got);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,true", "1,false", "32,true", "33,true", "33,false", "56,true", "56,false"})
    void upToFiftySixBytesLieInFrontOfTheTailThatSaysTheirNumber(int bytes, boolean inPlace) {
        Rings wide = new Rings(16, 8, 4, 4, 128, inPlace);
        receives(wide, 1);
        byte[] data = counting(bytes);
        wide.put(Rings.CQ + 64 + 44, "00000060"); // no byte count, where data of 45 bytes does not lie
        wide.memory.put(Rings.CQ + 64, data);
        wide.put(Rings.CQ + 64 + 56, String.format("%02x012345 0000 00 2c", bytes));
        assertTrue(wide.cq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(bytes, wc.byteLength());
        byte[] got = new byte[bytes];
        if (inPlace) {
            assertEquals(Rings.CQ + 64, wc.inlineOffset());
            wc.inlineBuffer().get(wc.inlineOffset(), got);
        } else {
            System.arraycopy(wide.local, 0, got, 0, bytes);
        }
        assertArrayEquals(data, got);
        assertEquals(QueuePairState.RTS, wide.qp.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {57, 96, 255})
    void noMoreThanFiftySixBytesLieInFrontOfATail(int bytes) {
        Rings wide = new Rings(16, 8, 4, 4, 128, true);
        assertEquals(1, wide.qp.prepareReceive(ReceiveRequest.of(1, new Sge(0, 256, 1))).execute());
        wide.put(Rings.CQ + 64 + 56, String.format("%02x012345 0000 00 2c", bytes));
        assertTrue(wide.cq.poll(wc));
        assertEquals(WcStatus.BAD_RESP_ERR, wc.status());
        assertEquals(QueuePairState.ERR, wide.qp.state());
    }

    @Test
    void moreInlineDataThanTheFormatHoldsIsABadResponse() {
        for (String tail : new String[] {"21:00000021:24", "41:00000041:28", "61:00000061:2c"}) {
            String[] parts = tail.split(":");
            Rings wide = new Rings(16, 8, 4, 4, 128, true);
            receives(wide, 1);
            wide.put(Rings.CQ + 64 + 44, parts[1]);
            wide.put(Rings.CQ + 64 + 56, "00012345 0000 00 " + parts[2]);
            assertTrue(wide.cq.poll(wc));
            assertEquals(WcStatus.BAD_RESP_ERR, wc.status(), "bytes=0x" + parts[0]);
        }
    }

    @ParameterizedTest
    @CsvSource({"01,LOC_LEN_ERR", "02,LOC_QP_OP_ERR", "04,LOC_PROT_ERR", "05,WR_FLUSH_ERR", "06,MW_BIND_ERR",
        "10,BAD_RESP_ERR", "11,LOC_ACCESS_ERR", "12,REM_INV_REQ_ERR", "13,REM_ACCESS_ERR", "14,REM_OP_ERR",
        "15,RETRY_EXC_ERR", "16,RNR_RETRY_EXC_ERR", "22,REM_ABORT_ERR", "00,GENERAL_ERR", "ff,GENERAL_ERR"})
    void anErrorCqeNamesItsSyndrome(String syndrome, WcStatus expected) {
        rings.qp.prepareSend(SendRequest.send(56)).execute();
        rings.put(Rings.CQ + 54, "89" + syndrome);
        rings.put(Rings.CQ + 56, "0a012345 0000 00 d0");
        assertTrue(rings.cq.poll(wc));
        assertEquals(expected, wc.status());
        assertEquals(56, wc.wrId());
        assertEquals(0x012345, wc.qpNumber());
        assertEquals(0x89, wc.vendorError());
        assertEquals(QueuePairState.ERR, rings.qp.state());
        if (expected != WcStatus.GENERAL_ERR) {
            assertEquals(Integer.parseInt(syndrome, 16), Syndrome.of(expected));
        }
    }

    @Test
    void aFailedReceiveIsOpcodeFourteen() {
        receives(rings, 1);
        rings.put(Rings.CQ + 54, "0001");
        rings.put(Rings.CQ + 56, "00012345 0000 00 e0");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcStatus.LOC_LEN_ERR, wc.status());
        assertEquals(100, wc.wrId());
    }

    @Test
    void aCompletionGivesBackTheSlotsOfAllWqesBeforeIt() {
        for (int i = 0; i < 16; i++) {
            assertEquals(1, rings.qp.prepareSend(SendRequest.send(i)).execute());
        }
        rings.succeed(0, 9);
        assertTrue(rings.cq.poll(wc));
        assertEquals(9, wc.wrId());
        for (int i = 0; i < 10; i++) {
            assertEquals(1, rings.qp.prepareSend(SendRequest.send(i)).execute(), "slot " + i);
        }
        assertEquals(0, rings.qp.prepareSend(SendRequest.send(1)).execute());
    }

    @Test
    void theOwnerBitChangesWithEachLapAndTheWrongOneIsNotValid() {
        for (int ci = 0; ci < 100; ci++) {
            int at = Rings.CQ + ci % 8 * 64;
            assertEquals(1, rings.qp.prepareSend(SendRequest.send(ci)).execute());
            String owner = ci / 8 % 2 == 0 ? "0" : "1";
            String other = ci / 8 % 2 == 0 ? "1" : "0";
            assertFalse(rings.cq.poll(wc), "stale CQE of the lap before, ci=" + ci);
            rings.put(at + 56, String.format("0a012345 %04x 00 0", ci) + other);
            assertFalse(rings.cq.poll(wc), "wrong owner, ci=" + ci);
            rings.put(at + 56, "0a012345 0000 00 f" + owner);
            assertFalse(rings.cq.poll(wc), "opcode 15 is invalid, ci=" + ci);
            rings.put(at + 56, String.format("0a012345 %04x 5a 0", ci) + owner);
            assertTrue(rings.cq.poll(wc), "ci=" + ci + ": the signature does not matter");
            assertEquals(ci, wc.wrId());
        }
    }

    @Test
    void aFreshRingIsInvalid() {
        for (int i = 0; i < 8; i++) {
            assertEquals(0xf, rings.memory.get(Rings.CQ + 64 * i + 63) >> 4 & 0xf);
        }
        assertFalse(rings.cq.poll(wc));
    }

    @Test
    void theConsumerIndexIsInItsRecord() {
        for (int ci = 0; ci < 20; ci++) {
            assertEquals(1, rings.qp.prepareSend(SendRequest.send(ci)).execute());
            rings.succeed(ci, ci);
            assertTrue(rings.cq.poll(wc));
            assertFalse(rings.cq.poll(wc));
            rings.expect(Rings.CQ_RECORD, String.format("%08x", ci + 1));
        }
    }

    @Test
    void theTailIsBuiltAsTheTableSays() {
        long tail = Cqe.tail(0x0a, 0xff012345, 0x1abcd, 0x103, Cqe.RESP_SEND_IMM, Cqe.INLINE_32);
        assertEquals("0a012345abcd0335", String.format("%016x", tail));
        assertEquals(Cqe.RESP_SEND_IMM, Cqe.opcode(tail));
        assertEquals(Cqe.INLINE_32, Cqe.format(tail));
        assertEquals(0x012345, Cqe.qpn(tail));
        assertEquals(0xabcd, Cqe.wqeCounter(tail));
        assertEquals(0x0a, Cqe.sendOpcode(tail));
        assertTrue(Cqe.valid(tail, 1) && Cqe.valid(tail, 3) && !Cqe.valid(tail, 2));
        int[] opcodes = {Cqe.REQ, Cqe.RESP_WR_IMM, Cqe.RESP_SEND, Cqe.RESP_SEND_IMM, Cqe.REQ_ERR, Cqe.RESP_ERR,
            Cqe.INVALID};
        assertArrayEquals(new int[] {0, 1, 2, 3, 13, 14, 15}, opcodes);
    }

    @Test
    void cqesOfUnknownQpsArePassedOver() {
        rings.qp.prepareSend(SendRequest.send(5)).execute();
        rings.put(Rings.CQ + 56, "0a999999 0000 00 00");
        rings.succeed(1, 0);
        assertTrue(rings.cq.poll(wc));
        assertEquals(5, wc.wrId());
    }
}
