package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Send WQEs and doorbell records, byte by byte, against the tables of mlx5's formats: rdma-core, providers/mlx5, wqe.h,
 * mlx5dv.h and qp.c.
 */
final class SendWqeTest {

    private static final Sge SGE = new Sge(0x1122334455667788L, 0x01020304, 0xa1b2c3d4);
    private static final String DATA = "01020304 a1b2c3d4 1122334455667788";
    private static final long REMOTE = 0x99aabbccddeeff00L;
    private static final int RKEY = 0x0badcafe;
    private static final String RADDR = "99aabbccddeeff00 0badcafe 00000000";

    private final Rings rings = Rings.usual();

    private void post(SendRequest... requests) {
        assertEquals(requests.length, rings.qp.prepareSend(requests).execute());
    }

    @Test
    void aSendIsCtrlAndData() {
        post(SendRequest.send(1, SGE).signalled());
        rings.expect(Rings.SQ, "00 0000 0a 012345 02 00 0000 08 00000000" + DATA);
    }

    @Test
    void aSendWithImmediateHasItInCtrl() {
        post(SendRequest.sendWithImmediate(1, 0xdeadbeef, SGE));
        rings.expect(Rings.SQ, "00 0000 0b 012345 02 00 0000 00 deadbeef" + DATA);
    }

    @Test
    void aSendOfNothingIsCtrlAlone() {
        post(SendRequest.send(1).signalled());
        rings.expect(Rings.SQ, "00 0000 0a 012345 01 00 0000 08 00000000");
    }

    @Test
    void anSgeOfNoBytesHasNoDataSegment() {
        Sge empty = new Sge(7, 0, 7);
        post(SendRequest.send(1, empty, SGE, empty), SendRequest.write(2, REMOTE, RKEY, SGE, empty),
                SendRequest.send(3, empty, empty), SendRequest.send(4, empty).inline(),
                SendRequest.send(5, SGE, SGE, SGE, empty));
        rings.expect(Rings.SQ, "00 0000 0a 012345 02 00 0000 00 00000000" + DATA);
        rings.expect(Rings.SQ + 64, "00 0001 08 012345 03 00 0000 00 00000000" + RADDR + DATA);
        rings.expect(Rings.SQ + 128, "00 0002 0a 012345 01 00 0000 00 00000000");
        rings.expect(Rings.SQ + 192, "00 0003 0a 012345 01 00 0000 00 00000000");
        rings.expect(Rings.SQ + 256, "00 0004 0a 012345 04 00 0000 00 00000000" + DATA + DATA + DATA);
        assertEquals(List.of(5), rings.rung, "blocks: what is left out takes no room");
    }

    @Test
    void anSgeComesAndGoesWithItsLength() {
        PostSend call = rings.qp.prepareSend(SendRequest.send(1, SGE, SGE));
        int[][] lengths = {{0x01020304, 0}, {0, 0x01020304}, {0, 0}, {0, 0}, {0x01020304, 0x01020304}};
        String[] expected = {"02 00 0000 00 00000000" + DATA, "02 00 0000 00 00000000" + DATA,
            "01 00 0000 00 00000000", "01 00 0000 00 00000000", "03 00 0000 00 00000000" + DATA + DATA};
        for (int i = 0; i < lengths.length; i++) {
            assertEquals(1, call.length(0, 0, lengths[i][0]).length(0, 1, lengths[i][1]).execute());
            rings.expect(Rings.SQ + 64 * i, String.format("00 %04x 0a 012345", i) + expected[i]);
        }
    }

    @Test
    void theFlagsAreFenceSolicitedAndCompletion() {
        post(SendRequest.send(1).fenced(), SendRequest.send(1).solicited(), SendRequest.send(1).signalled(),
                SendRequest.send(1).fenced().solicited().signalled());
        String[] flags = {"80", "02", "08", "8a"};
        for (int i = 0; i < flags.length; i++) {
            rings.expect(Rings.SQ + 64 * i + 8, "00 0000" + flags[i]);
        }
    }

    @Test
    void aWriteIsCtrlRemoteAddressAndData() {
        post(SendRequest.write(1, REMOTE, RKEY, SGE).signalled());
        rings.expect(Rings.SQ, "00 0000 08 012345 03 00 0000 08 00000000" + RADDR + DATA);
    }

    @Test
    void aWriteWithImmediateHasItInCtrl() {
        post(SendRequest.writeWithImmediate(1, REMOTE, RKEY, 0x01020304, SGE));
        rings.expect(Rings.SQ, "00 0000 09 012345 03 00 0000 00 01020304" + RADDR + DATA);
    }

    @Test
    void aReadIsCtrlRemoteAddressAndData() {
        post(SendRequest.read(1, REMOTE, RKEY, SGE).signalled());
        rings.expect(Rings.SQ, "00 0000 10 012345 03 00 0000 08 00000000" + RADDR + DATA);
    }

    @Test
    void aCompareAndSwapHasTheSwapBeforeTheCompare() {
        post(SendRequest.compareAndSwap(
                1, REMOTE, RKEY, 0x0102030405060708L, 0x1112131415161718L, new Sge(0x40, 8, 5)).signalled());
        rings.expect(Rings.SQ, "00 0000 11 012345 04 00 0000 08 00000000" + RADDR
                + "1112131415161718 0102030405060708" + "00000008 00000005 0000000000000040");
    }

    @Test
    void aFetchAndAddHasTheAddFirst() {
        post(SendRequest.fetchAndAdd(1, REMOTE, RKEY, -2, new Sge(0x40, 8, 5)).signalled());
        rings.expect(Rings.SQ, "00 0000 12 012345 04 00 0000 08 00000000" + RADDR
                + "fffffffffffffffe 0000000000000000" + "00000008 00000005 0000000000000040");
    }

    @Test
    void inlineDataIsItsLengthWithTheTopBitAndTheBytes() {
        System.arraycopy("hello".getBytes(StandardCharsets.US_ASCII), 0, rings.local, 100, 5);
        post(SendRequest.send(1, new Sge(100, 5, 0)).inline().signalled());
        rings.expect(Rings.SQ, "00 0000 0a 012345 02 00 0000 08 00000000" + "80000005 68656c6c6f");
    }

    @Test
    void inlineDataOfAWriteFollowsTheRemoteAddress() {
        rings.local[9] = 0x5a;
        post(SendRequest.write(1, REMOTE, RKEY, new Sge(9, 1, 0)).inline());
        rings.expect(Rings.SQ, "00 0000 08 012345 03 00 0000 00 00000000" + RADDR + "80000001 5a");
    }

    @Test
    void inlineDataIsPaddedToSixteenBytes() {
        int[][] sizeAndSegments = {{1, 2}, {12, 2}, {13, 3}, {28, 3}, {29, 4}, {44, 4}, {45, 5}, {256, 18}};
        for (int[] expected : sizeAndSegments) {
            Rings fresh = Rings.usual();
            fresh.qp.prepareSend(SendRequest.send(1, new Sge(0, expected[0], 0)).inline()).execute();
            fresh.expect(Rings.SQ + 4, String.format("012345 %02x", expected[1]));
            fresh.expect(Rings.SQ + 16, String.format("%08x", 0x80000000 | expected[0]));
            int blocks = (expected[1] + 3) / 4;
            assertEquals(List.of(blocks), fresh.rung, "blocks of " + expected[0] + " bytes");
        }
    }

    @Test
    void inlineDataWhoseSumIsNoIntIsRefused() {
        PostSend send = rings.qp.prepareSend(SendRequest.send(1, new Sge(0, 8, 0), new Sge(8, 8, 0)).inline());
        send.length(0, 1, Integer.MAX_VALUE);
        String message = assertThrows(VerbsException.class, send::execute).getMessage();
        assertTrue(message.contains("inline bytes=2147483655 maxInline=256"), message);
    }

    @Test
    void severalSgesFollowEachOther() {
        post(SendRequest.send(1, SGE, new Sge(1, 2, 3), SGE, new Sge(-1, 0x7fffffff, -1)));
        rings.expect(Rings.SQ, "00 0000 0a 012345 05 00 0000 00 00000000" + DATA
                + "00000002 00000003 0000000000000001" + DATA + "7fffffff ffffffff ffffffffffffffff");
    }

    @Test
    void theIndexCountsBlocksNotRequests() {
        Sge[] five = {SGE, SGE, SGE, SGE, SGE};
        post(SendRequest.send(1, five), SendRequest.send(2), SendRequest.send(3, SGE));
        rings.expect(Rings.SQ, "00 0000 0a 012345 06");
        rings.expect(Rings.SQ + 128, "00 0002 0a 012345 01");
        rings.expect(Rings.SQ + 192, "00 0003 0a 012345 02");
    }

    @Test
    void theDoorbellRecordIsWrittenBeforeTheDoorbellRings() {
        Sge[] five = {SGE, SGE, SGE, SGE, SGE};
        post(SendRequest.send(1), SendRequest.send(2, five));
        post(SendRequest.send(3));
        assertEquals(List.of(3, 4), rings.rung, "a list rings once, in blocks");
        assertEquals(List.of("0000000000000003", "0000000000000004"), rings.recordAtRing);
    }

    @Test
    void aWqeWrapsAroundTheEndOfTheRingInTheMiddleOfItsBlocks() {
        Rings small = new Rings(4, 4, 1, 8, 64, false);
        PostSend one = small.qp.prepareSend(SendRequest.send(1).signalled());
        for (int i = 0; i < 3; i++) {
            assertEquals(1, one.execute());
            small.succeed(i, i);
            assertTrue(small.cq.poll(new WorkCompletion()));
        }
        small.put(Rings.SQ + 4 * 64, "77".repeat(64));
        small.put(Rings.SQ + 32, "66".repeat(32));
        assertEquals(1, small.qp.prepareSend(SendRequest.send(
                9, new Sge(1, 1, 1), new Sge(2, 2, 2), new Sge(3, 3, 3), new Sge(4, 4, 4), new Sge(5, 5, 5)))
                .execute());
        small.expect(Rings.SQ + 3 * 64, "00 0003 0a 012345 06 00 0000 00 00000000"
                + "00000001 00000001 0000000000000001" + "00000002 00000002 0000000000000002"
                + "00000003 00000003 0000000000000003");
        small.expect(Rings.SQ, "00000004 00000004 0000000000000004" + "00000005 00000005 0000000000000005"
                + "66".repeat(32));
        small.expect(Rings.SQ + 4 * 64, "77".repeat(64));
        assertEquals(5, small.rung.get(3));
    }

    @Test
    void indexAndCounterWrapAtSixteenBits() {
        PostSend call = rings.qp.prepareSend(SendRequest.send(1).signalled());
        WorkCompletion wc = new WorkCompletion();
        for (int i = 0; i < 0x10003; i++) {
            assertEquals(1, call.wrId(0, i).execute());
            rings.succeed(i, i);
            assertTrue(rings.cq.poll(wc));
            assertEquals(i, wc.wrId());
        }
        rings.expect(Rings.SQ, "00 0000 0a");
        rings.expect(Rings.SQ + 64 * 2, "00 0002 0a");
        rings.expect(Rings.SQ + 64 * 15, "00 ffff 0a");
        rings.expect(Rings.QP_RECORD, "00000000 00000003");
        assertEquals(0x10003, rings.rung.get(rings.rung.size() - 1), "the doorbell gets the whole count");
    }

    @Test
    void theRingTakesExactlyItsBlocks() {
        PostSend call = rings.qp.prepareSend(SendRequest.send(1));
        for (int i = 0; i < 16; i++) {
            assertEquals(1, call.execute());
        }
        assertEquals(0, call.execute());
        assertEquals(16, rings.rung.size(), "a full queue does not ring");
    }

    @Test
    void changesOfACallGoToTheirFieldsAndNoOthers() {
        PostSend call = rings.qp.prepareSend(SendRequest.writeWithImmediate(1, REMOTE, RKEY, 5, SGE, SGE));
        call.immediate(0, 0x0a0b0c0d).remoteAddress(0, 0x0102030405060708L).rkey(0, 0x11121314)
                .address(0, 1, 0x2122232425262728L).offset(0, 0, 8).length(0, 1, 0x31323334)
                .lkey(0, 1, 0x41424344).signalled(0, true);
        assertEquals(1, call.execute());
        rings.expect(Rings.SQ, "00 0000 09 012345 04 00 0000 08 0a0b0c0d"
                + "0102030405060708 11121314 00000000" + "01020304 a1b2c3d4 1122334455667790"
                + "31323334 41424344 2122232425262728");
    }

    @Test
    void everyOpcodeHasItsNumber() {
        assertEquals(List.of(0x0a, 0x0b, 0x08, 0x09, 0x10, 0x11, 0x12),
                Arrays.stream(SendRequest.Opcode.values()).map(Wqe::opcodeOf).toList());
    }

    @Test
    void theRingHoldsTheWidestRequestsThatItsAttributesAllow() {
        QueuePairAttributes attributes = new QueuePairAttributes(rings.cq, rings.cq);
        assertEquals(1, Mlx5QueuePair.sendBlocks(attributes.depth(1, 1).sges(1, 1)));
        assertEquals(1, Mlx5QueuePair.sendBlocks(attributes.sges(2, 1)));
        assertEquals(2, Mlx5QueuePair.sendBlocks(attributes.sges(3, 1)));
        assertEquals(8, Mlx5QueuePair.sendBlocks(attributes.sges(16, 1)), "18 segments are 5 blocks");
        assertEquals(16, Mlx5QueuePair.sendBlocks(attributes.inline(512)), "35 segments are 9 blocks");
    }

    @Test
    void partsOfAWordAreTakenApartAsTheyWerePutTogether() {
        int word = Wqe.opmodIndexOpcode(0x12, 0x13456, 0x0f);
        assertEquals(0x1234560f, word);
        assertEquals(0x0f, Wqe.opcode(word));
        assertEquals(0x3456, Wqe.index(word));
        assertEquals(63, Wqe.segments(-1));
        int[] blocks = {0, 1, 1, 1, 1, 2};
        for (int segments = 0; segments < blocks.length; segments++) {
            assertEquals(blocks[segments], Wqe.blocks(segments));
        }
        assertThrows(IllegalArgumentException.class,
                () -> new QueueMemory(rings.memory, 0, 3, 64, 0), "entries are a power of two");
    }
}
