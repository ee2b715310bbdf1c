package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;

/** Receive WQEs, byte by byte: data segments, an end marker where fewer than the stride holds, the receive counter. */
final class ReceiveWqeTest {

    private static final Sge SGE = new Sge(0x1122334455667788L, 0x01020304, 0xa1b2c3d4);
    private static final String DATA = "01020304 a1b2c3d4 1122334455667788";
    private static final String END = "00000000 00000100 0000000000000000";

    private final Rings rings = Rings.usual();

    @Test
    void aFullListHasNoEndMarker() {
        rings.qp.prepareReceive(ReceiveRequest.of(1, SGE, SGE, SGE, SGE)).execute();
        rings.expect(Rings.RQ, DATA + DATA + DATA + DATA);
    }

    @Test
    void aShortListEndsWithTheMarker() {
        rings.qp.prepareReceive(ReceiveRequest.of(1, SGE), ReceiveRequest.of(2), ReceiveRequest.of(3, SGE, SGE, SGE))
                .execute();
        rings.expect(Rings.RQ, DATA + END);
        rings.expect(Rings.RQ + 64, END);
        rings.expect(Rings.RQ + 128, DATA + DATA + DATA + END);
        rings.expect(Rings.QP_RECORD, "00000003 00000000");
    }

    @Test
    void anSgeOfNoBytesHasNoDataSegment() {
        Sge empty = new Sge(7, 0, 7);
        PostReceive call = rings.qp.prepareReceive(
                ReceiveRequest.of(1, empty, SGE, empty, SGE), ReceiveRequest.of(2, empty), ReceiveRequest.of(3, SGE));
        String zeros = "0".repeat(32);
        assertEquals(3, call.execute());
        rings.expect(Rings.RQ, DATA + DATA + END + zeros);
        rings.expect(Rings.RQ + 64, END + zeros + zeros + zeros);
        rings.expect(Rings.RQ + 128, DATA + END);
        assertEquals(3, call.length(0, 3, 0).length(1, 0, 0).length(2, 0, 0).execute());
        rings.expect(Rings.RQ + 192, DATA + END + zeros + zeros);
        rings.expect(Rings.RQ + 320, END + zeros + zeros + zeros);
        assertEquals(2, call.length(0, 0, SGE.length()).length(0, 2, SGE.length()).length(0, 3, SGE.length())
                .address(0, 0, SGE.address()).address(0, 2, SGE.address()).lkey(0, 0, SGE.lkey())
                .lkey(0, 2, SGE.lkey()).execute(), "the ring has eight");
        rings.expect(Rings.RQ + 384, DATA + DATA + DATA + DATA);
    }

    @Test
    void aSlotHoldsTheNewWqeWhateverItHeldBefore() {
        rings.put(Rings.RQ, "ff".repeat(64));
        rings.qp.prepareReceive(ReceiveRequest.of(1, SGE)).execute();
        rings.expect(Rings.RQ, DATA + END);
    }

    @Test
    void theStrideIsTheLeastPowerOfTwoThatHoldsTheSges() {
        QueuePairAttributes attributes = new QueuePairAttributes(rings.cq, rings.cq);
        int[] strides = {16, 32, 64, 64, 128, 128, 128, 128, 256, 256, 256, 256, 256, 256, 256, 256};
        for (int sges = 1; sges <= 16; sges++) {
            assertEquals(strides[sges - 1], Mlx5QueuePair.receiveStride(attributes.sges(1, sges)), "sges=" + sges);
        }
    }

    @Test
    void theCounterIsWrittenOnceForAListAndWrapsAtSixteenBits() {
        PostReceive call = rings.qp.prepareReceive(ReceiveRequest.of(1, SGE));
        for (int i = 0; i < 0x10002; i++) {
            assertEquals(1, call.wrId(0, i).execute());
            rings.expect(Rings.QP_RECORD, String.format("%08x 00000000", i + 1 & 0xffff));
            rings.qp.receives().complete(i & 0xffff);
        }
    }

    @Test
    void theRingTakesExactlyItsEntries() {
        PostReceive call = rings.qp.prepareReceive(ReceiveRequest.of(1, SGE));
        for (int i = 0; i < 8; i++) {
            assertEquals(1, call.execute());
        }
        assertEquals(0, call.execute());
        rings.expect(Rings.QP_RECORD, "00000008 00000000");
    }
}
