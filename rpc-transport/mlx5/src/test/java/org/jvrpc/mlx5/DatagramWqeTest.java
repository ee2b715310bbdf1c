package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;

/**
 * WQEs of a UD QP, byte by byte, and CQEs of datagrams, against rdma-core, providers/mlx5: mlx5dv.h, struct mlx5_wqe_av
 * and mlx5_cqe64; qp.c, set_datagram_seg.
 */
final class DatagramWqeTest {

    private static final Sge SGE = new Sge(0x1122334455667788L, 0x01020304, 0xa1b2c3d4);
    private static final String DATA = "01020304 a1b2c3d4 1122334455667788";
    /** Of a handle: rate and so on at 12, LID 14, MAC 20, class and hops 26, GRH word 28, GID 32. */
    private static final long[] VECTOR = {0, 0x03_5a_1234L, 0x00000000_0a0b0c0dL, 0x0e0f_20_40_40012345L,
        0xfe80000000000001L, 0x0102030405060708L};
    private static final String TAIL = "035a1234 00000000 0a0b0c0d0e0f 20 40 40012345"
            + "fe80000000000001 0102030405060708";

    private final Rings rings = Rings.datagrams();
    private final AtomicInteger closes = new AtomicInteger();
    private final Mlx5AddressHandle handle = new Mlx5AddressHandle(VECTOR, closes::incrementAndGet);
    private final Destination there = new Destination(handle, 0x00abcdef, 0xdeadbeef);

    private void post(SendRequest... requests) {
        assertEquals(requests.length, rings.qp.prepareSend(requests).execute());
    }

    @Test
    void aDatagramIsCtrlAddressVectorAndData() {
        post(SendRequest.datagram(1, there, SGE).signalled());
        rings.expect(Rings.SQ, "00 0000 0a 012345 05 00 0000 08 00000000"
                + "deadbeef 00000000 80abcdef" + TAIL + DATA);
        assertEquals(2, rings.rung.get(0), "blocks");
    }

    @Test
    void aDatagramWithImmediateHasItInCtrl() {
        post(SendRequest.datagramWithImmediate(1, 0x01020304, there, SGE, SGE));
        rings.expect(Rings.SQ, "00 0000 0b 012345 06 00 0000 00 01020304"
                + "deadbeef 00000000 80abcdef" + TAIL + DATA + DATA);
    }

    @Test
    void aDatagramOfNothingIsOneBlock() {
        post(SendRequest.datagram(1, there), SendRequest.datagram(2, there, new Sge(7, 0, 7)));
        for (int wqe = 0; wqe < 2; wqe++) {
            rings.expect(Rings.SQ + 64 * wqe, String.format("00 %04x 0a 012345 04 00 0000 00 00000000", wqe)
                    + "deadbeef 00000000 80abcdef" + TAIL);
        }
    }

    @Test
    void inlineDataFollowsTheAddressVector() {
        rings.local[9] = 0x5a;
        post(SendRequest.datagram(1, there, new Sge(9, 1, 0)).inline());
        rings.expect(Rings.SQ, "00 0000 0a 012345 05 00 0000 00 00000000"
                + "deadbeef 00000000 80abcdef" + TAIL + "80000001 5a");
    }

    @Test
    void aCallMayGetAnotherDestination() {
        PostSend call = rings.qp.prepareSend(SendRequest.datagram(1, there, SGE));
        Mlx5AddressHandle other = new Mlx5AddressHandle(new long[] {-1, -1, -1, -1, -1, -1}, () -> { });
        assertEquals(1, call.destination(0, new Destination(other, 5, 6)).execute());
        rings.expect(Rings.SQ, "00 0000 0a 012345 05 00 0000 00 00000000"
                + "00000006 00000000 80000005" + "f".repeat(72) + DATA);
    }

    @Test
    void theReaderFindsTheParts() {
        post(SendRequest.datagram(1, there, SGE));
        int at = Rings.SQ + Wqe.VECTOR;
        assertEquals(0xdeadbeef, AddressVector.qkey(rings.memory, at));
        assertEquals(0xabcdef, AddressVector.qpn(rings.memory, at));
        assertEquals(0x1234, AddressVector.lid(rings.memory, at));
        assertEquals(0xfe80000000000001L, AddressVector.gidHigh(rings.memory, at));
        assertEquals(0x0102030405060708L, AddressVector.gidLow(rings.memory, at));
    }

    @Test
    void aReceivedDatagramTellsItsSenderAndMayHaveImmediateData() {
        for (int i = 0; i < 2; i++) {
            assertEquals(1, rings.qp.prepareReceive(ReceiveRequest.of(100 + i, new Sge(0, 64, 1))).execute());
            rings.put(Rings.CQ + 64 * i + 24, "30 00beef");
            rings.put(Rings.CQ + 64 * i + 36, "00000009");
            rings.put(Rings.CQ + 64 * i + 44, "00000038");
            rings.put(Rings.CQ + 64 * i + 56, String.format("00012345 %04x 00 %d0", i, 2 + i));
            WorkCompletion wc = new WorkCompletion();
            assertTrue(rings.cq.poll(wc));
            assertEquals(100 + i, wc.wrId());
            assertEquals(WcOpcode.RECV, wc.opcode());
            assertEquals(56, wc.byteLength());
            assertTrue(wc.isDatagram());
            assertEquals(0x00beef, wc.sourceQp());
            assertEquals(i == 1, wc.hasImmediate());
            assertEquals(i == 1 ? 9 : 0, wc.immediate());
        }
    }

    @Test
    void requestsOfTheOtherServiceAreRefused() {
        assertThrows(VerbsException.class, () -> rings.qp.prepareSend(SendRequest.send(1, SGE)));
        assertThrows(VerbsException.class, () -> rings.qp.prepareSend(SendRequest.write(1, 0, 0, SGE)));
        Rings connected = Rings.usual();
        assertThrows(VerbsException.class, () -> connected.qp.prepareSend(SendRequest.datagram(1, there, SGE)));
        PostSend plain = connected.qp.prepareSend(SendRequest.send(1, SGE));
        assertThrows(IllegalStateException.class, () -> plain.destination(0, there));
        assertThrows(VerbsException.class,
                () -> rings.qp.prepareSend(SendRequest.datagram(1, new Destination(() -> { }, 1, 1), SGE)));
    }

    @Test
    void aDatagramQpIsReadyWithoutAPeerAndTheOthersAreNot() {
        assertEquals(QueuePairState.RTS, rings.qp.state());
        assertThrows(VerbsException.class, rings.qp::ready);
        assertThrows(VerbsException.class, () -> rings.qp.connect(new byte[0]));
        assertThrows(VerbsException.class, Rings.usual().qp::ready);
    }

    @Test
    void aHandleIsDestroyedOnce() {
        handle.close();
        assertEquals(1, closes.get());
        handle.close();
        assertEquals(1, closes.get());
        assertThrows(IllegalArgumentException.class, () -> new Mlx5AddressHandle(new long[5], () -> { }));
        assertFalse(rings.cq.poll(new WorkCompletion()));
    }
}
