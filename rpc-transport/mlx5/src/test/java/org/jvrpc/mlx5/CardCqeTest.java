package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What a card does and the software RNIC does not: answers in CQEs, numbers that come back, WQEs on the doorbell. */
final class CardCqeTest {

    private final Rings rings = Rings.usual();
    private final WorkCompletion wc = new WorkCompletion();

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private void post(SendRequest request) {
        assertEquals(1, rings.qp.prepareSend(request.signalled()).execute());
    }

    @Test
    void theAnswerOfAnAtomicInItsCqeIsCopiedToTheSge() {
        post(SendRequest.fetchAndAdd(9, 0x1000, 5, 1, new Sge(0x40, 8, 1)));
        rings.put(Rings.CQ, "1122334455667788");
        rings.put(Rings.CQ + 44, "00000020"); // the count of an atomic means nothing
        rings.put(Rings.CQ + 56, "12012345 0000 00 04");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcOpcode.FETCH_ADD, wc.opcode());
        assertEquals(8, wc.byteLength());
        assertArrayEquals(hex("1122334455667788"), Arrays.copyOfRange(rings.local, 0x40, 0x48));
    }

    @Test
    void theAnswerOfAReadIsScatteredOverTheEndOfTheRing() {
        for (int i = 0; i < 15; i++) {
            post(SendRequest.write(i, 0, 1));
            rings.succeed(i, i);
            assertTrue(rings.cq.poll(wc));
        }
        post(SendRequest.read(77, 0x1000, 5, new Sge(0, 3, 1), new Sge(16, 2, 1), new Sge(32, 40, 1)));
        int slot = Rings.CQ + 7 * 64; // the sixteenth
        rings.put(slot, "0102030405060708090a");
        rings.put(slot + 44, "0000000a");
        rings.put(slot + 56, "10012345 000f 00 05");
        assertTrue(rings.cq.poll(wc));
        assertEquals(77, wc.wrId());
        assertEquals(10, wc.byteLength());
        assertArrayEquals(hex("010203"), Arrays.copyOfRange(rings.local, 0, 3));
        assertArrayEquals(hex("0405"), Arrays.copyOfRange(rings.local, 16, 18));
        assertArrayEquals(hex("060708090a"), Arrays.copyOfRange(rings.local, 32, 37));
    }

    @Test
    void anAnswerThatIsLongerThanTheCqeOrTheSgesIsAnError() {
        post(SendRequest.read(1, 0x1000, 5, new Sge(0, 8, 1)));
        rings.put(Rings.CQ + 44, "00000021");
        rings.put(Rings.CQ + 56, "10012345 0000 00 04");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcStatus.BAD_RESP_ERR, wc.status());
        post(SendRequest.read(2, 0x1000, 5, new Sge(0, 8, 1)));
        rings.put(Rings.CQ + 64 + 44, "00000009");
        rings.put(Rings.CQ + 64 + 56, "10012345 0001 00 04");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcStatus.BAD_RESP_ERR, wc.status());
        assertEquals(2, wc.wrId());
    }

    @Test
    void aSendThatInvalidatesAKeyIsAReceiveWithoutImmediate() {
        assertEquals(1, rings.qp.prepareReceive(ReceiveRequest.of(3, new Sge(0, 64, 1))).execute());
        rings.put(Rings.CQ + 36, "00000007");
        rings.put(Rings.CQ + 44, "00000010");
        rings.put(Rings.CQ + 56, "00012345 0000 00 40");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcOpcode.RECV, wc.opcode());
        assertFalse(wc.hasImmediate());
    }

    @Test
    void theDoorbellSaysWhereALoneWqeLies() {
        post(SendRequest.write(1, 0, 1, new Sge(0, 8, 1)));
        post(SendRequest.write(2, 0, 1, new Sge(0, 8, 1), new Sge(0, 8, 1), new Sge(0, 8, 1)));
        rings.qp.prepareSend(SendRequest.write(3, 0, 1), SendRequest.write(4, 0, 1)).execute();
        assertEquals(List.of("block 0, 1 alone", "block 1, 2 alone", "block 4, 0 alone"), rings.lastWqe);
    }

    @Test
    void completionsOfADestroyedQpArePassedOverAndItsSharedReceivesGivenBack() {
        Rings shared = Rings.shared(3);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, shared.srq.prepareReceive(ReceiveRequest.of(i, new Sge(0, 64, 1))).execute());
        }
        assertEquals(0, shared.srq.prepareReceive(ReceiveRequest.of(9, new Sge(0, 64, 1))).execute());
        shared.put(Rings.CQ + 44, "00000010");
        shared.put(Rings.CQ + 56, "00012345 0000 00 20");
        shared.put(Rings.CQ + 64 + 56, "08012345 0000 00 00");
        shared.put(Rings.CQ + 128 + 56, "00012345 0001 00 e0");
        shared.qp.close();
        shared.cq.bury(shared.qp);
        assertTrue(shared.cq.isBuried(Rings.QPN));
        assertFalse(shared.cq.poll(wc));
        assertFalse(shared.cq.isBuried(Rings.QPN), "the ring was seen empty");
        assertEquals(1, shared.srq.prepareReceive(ReceiveRequest.of(9, new Sge(0, 64, 1))).execute());
        assertEquals(1, shared.srq.prepareReceive(ReceiveRequest.of(9, new Sge(0, 64, 1))).execute());
        assertEquals(0, shared.srq.prepareReceive(ReceiveRequest.of(9, new Sge(0, 64, 1))).execute());
    }
}
