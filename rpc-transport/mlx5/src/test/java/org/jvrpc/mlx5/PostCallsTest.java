package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** Calls that are changed and executed again: what is written anew, what is left out, what is refused. */
final class PostCallsTest {

    private static final Sge SGE = new Sge(0x40, 8, 5);
    private static final Sge EMPTY = new Sge(7, 0, 7);
    private static final String DATA = "00000008 00000005 0000000000000040";
    private static final String END = "00000000 00000100 0000000000000000";

    private final Rings rings = Rings.usual();

    @Test
    void aDoorbellTakesASendOfOneBlockAsItIs() {
        rings.pushes = true;
        assertEquals(1, rings.qp.prepareSend(SendRequest.send(1, SGE, SGE, SGE).signalled()).execute());
        assertEquals(List.of(("0000000a 00000004 00000008 00000000" + DATA + DATA + DATA).replace(" ", "")),
                rings.pushed);
        assertEquals(1, rings.qp.prepareSend(SendRequest.send(1, SGE, SGE, SGE, SGE)).execute());
        assertEquals(1, rings.qp.prepareSend(SendRequest.send(1, SGE).inline()).execute());
        assertEquals(1, rings.pushed.size(), "two blocks, and inline data");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueueThatIsFullTakesNothingWhateverThePieces(boolean empty) {
        PostSend send = rings.qp.prepareSend(SendRequest.send(1, empty ? EMPTY : SGE));
        PostReceive receive = rings.qp.prepareReceive(ReceiveRequest.of(1, empty ? EMPTY : SGE));
        Rings shared = Rings.shared(7);
        PostReceive sharedReceive = shared.srq.prepareReceive(ReceiveRequest.of(1, empty ? EMPTY : SGE));
        for (int i = 0; i < 20; i++) {
            assertEquals(i < 16 ? 1 : 0, send.execute(), "send " + i);
            assertEquals(i < 8 ? 1 : 0, receive.execute(), "receive " + i);
            assertEquals(i < 7 ? 1 : 0, sharedReceive.execute(), "shared receive " + i);
        }
        rings.expect(Rings.QP_RECORD, "00000008 00000010");
        shared.expect(Rings.SRQ_RECORD, "00000007");
    }

    @Test
    void aSendThatIsSignalledMayBecomeOneThatIsNot() {
        PostSend call = rings.qp.prepareSend(SendRequest.send(1).solicited().signalled(), SendRequest.send(2));
        assertSame(call, call.signalled(0, false).signalled(1, true));
        assertEquals(2, call.execute());
        rings.expect(Rings.SQ, "00 0000 0a 012345 01 00 0000 02 00000000");
        rings.expect(Rings.SQ + 64, "00 0001 0a 012345 01 00 0000 08 00000000");
    }

    @Test
    void theOperandsOfAnAtomicMayBeOthers() {
        PostSend call = rings.qp.prepareSend(SendRequest.compareAndSwap(1, 0x1000, 9, 1, 2, SGE));
        assertSame(call, call.operands(0, 3, 4));
        assertEquals(1, call.execute());
        rings.expect(Rings.SQ + 32, "0000000000000004 0000000000000003");
    }

    @Test
    void inlinePiecesFollowEachOtherAndTheirSumIsLimited() {
        for (int i = 0; i < 300; i++) {
            rings.local[i] = (byte) i;
        }
        PostSend call = rings.qp.prepareSend(
                SendRequest.send(1, new Sge(0x11, 3, 0), new Sge(0x20, 2, 0), new Sge(0x31, 4, 0)).inline());
        assertEquals(1, call.execute());
        rings.expect(Rings.SQ + 16, "80000009 111213 2021 31323334");
        call.length(0, 0, 156).length(0, 1, 100).length(0, 2, 0);
        assertEquals(1, call.execute());
        rings.expect(Rings.SQ + 64 + 16, "80000100");
        call.length(0, 2, 1);
        String message = assertThrows(VerbsException.class, call::execute).getMessage();
        assertTrue(message.contains("inline bytes=257 maxInline=256"), message);
    }

    @Test
    void inlineDataMayFillItsBlock() {
        QueuePairAttributes attributes = new QueuePairAttributes(rings.cq, rings.cq).depth(1, 1).inline(44);
        Mlx5QueuePair qp = new Mlx5QueuePair(9, attributes, new QueueMemory(rings.memory, 0x6000, 1, 64, 0),
                new QueueMemory(rings.memory, 0x7000, 1, 16, 0), producer -> { }, rings.qp.control(), new Sevens());
        qp.stateChanged();
        assertEquals(1, qp.prepareSend(SendRequest.send(1, new Sge(0, 44, 0)).inline()).execute());
        rings.expect(0x6000 + 16, "8000002c" + "07".repeat(44) + "0".repeat(32));
    }

    private static final class Sevens implements LocalMemory {

        @Override
        public boolean read(long address, int lkey, byte[] target, int offset, int length) {
            Arrays.fill(target, offset, offset + length, (byte) 7);
            return true;
        }

        @Override
        public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
            return false;
        }
    }

    @Test
    void offsetsCountFromTheAddressOfTheirPiece() {
        PostReceive call = rings.qp.prepareReceive(ReceiveRequest.of(1, SGE, SGE), ReceiveRequest.of(2, SGE, SGE));
        assertEquals(2, call.size());
        call.address(0, 0, 0x1000).address(0, 1, 0x2000).address(1, 0, 0x3000).address(1, 1, 0x4000);
        assertSame(call, call.offset(0, 0, 1).offset(0, 1, 2).offset(1, 0, 3).offset(1, 1, 4));
        assertEquals(2, call.execute());
        rings.expect(Rings.RQ, "00000008 00000005 0000000000001001" + "00000008 00000005 0000000000002002" + END);
        rings.expect(Rings.RQ + 64,
                "00000008 00000005 0000000000003003" + "00000008 00000005 0000000000004004" + END);
        assertEquals(2, call.offset(1, 0, 0).execute());
        rings.expect(Rings.RQ + 192, "00000008 00000005 0000000000003000");
        assertThrows(IndexOutOfBoundsException.class, () -> call.offset(1, 2, 0));
    }

    @Test
    void aReceiveThatIsChangedIsWrittenAnewAndAnotherIsNot() {
        Rings one = new Rings(16, 1, 1, 8, 64, false);
        PostReceive call = one.qp.prepareReceive(ReceiveRequest.of(1, SGE));
        assertEquals(1, call.execute());
        one.expect(Rings.RQ, DATA);
        one.put(Rings.RQ, "77");
        one.qp.receives().complete(0);
        assertEquals(1, call.execute());
        one.expect(Rings.RQ, "77000008"); // the slot had it already
        one.qp.receives().complete(1);
        assertEquals(1, call.address(0, 0, 0x1234).execute());
        one.expect(Rings.RQ, "00000008 00000005 0000000000001234");
        one.qp.receives().complete(2);
        assertEquals(1, call.lkey(0, 0, 6).execute());
        one.expect(Rings.RQ, "00000008 00000006 0000000000001234");
        one.qp.receives().complete(3);
        assertEquals(1, call.length(0, 0, 9).execute());
        one.expect(Rings.RQ, "00000009 00000006 0000000000001234");
        one.qp.receives().complete(4);
        assertEquals(1, call.offset(0, 0, 1).execute());
        one.expect(Rings.RQ, "00000009 00000006 0000000000001235");
    }

    @Test
    void piecesOfNoBytesAreLeftOutOfEachReceiveOfAList() {
        assertEquals(1, rings.qp.prepareReceive(ReceiveRequest.of(1, SGE, EMPTY, SGE, EMPTY)).execute());
        rings.expect(Rings.RQ, DATA + DATA + END);
        Rings shared = Rings.shared(7);
        assertEquals(3, shared.srq.prepareReceive(ReceiveRequest.of(1, EMPTY, SGE),
                ReceiveRequest.of(2, EMPTY, new Sge(0x50, 8, 5)), ReceiveRequest.of(3, new Sge(0x60, 8, 5), EMPTY))
                .execute());
        shared.expect(Rings.RQ + 16, DATA + END);
        shared.expect(Rings.RQ + 64 + 16, "00000008 00000005 0000000000000050" + END);
        shared.expect(Rings.RQ + 128 + 16, "00000008 00000005 0000000000000060" + END);
    }

    @Test
    void aCallOfASharedQueueIsValidUntilItIsFreed() {
        Rings shared = Rings.shared(7);
        PostReceive call = shared.srq.prepareReceive(ReceiveRequest.of(1, SGE));
        assertTrue(call.valid());
        call.free();
        assertFalse(call.valid());
        assertThrows(IllegalStateException.class, call::execute);
    }

    @Test
    void aSharedRingIsLinkedWhateverItsMemoryHeld() {
        QueueMemory queue = new QueueMemory(rings.memory, Rings.RQ, 8, 64, Rings.SRQ_RECORD);
        rings.put(Rings.RQ, "55".repeat(8 * 64));
        new SharedReceiveRing(queue);
        for (int index = 0; index < 8; index++) {
            assertEquals(index + 1 & 7, SharedReceiveWqe.next(rings.memory, Rings.RQ + 64 * index));
        }
    }

    @Test
    void aQueuePairThatIsConnectedIsNotMadeReadyWithoutAPeer() {
        Mlx5QueuePair qp = other(0x77, new Device());
        qp.init();
        String message = assertThrows(VerbsException.class, qp::ready).getMessage();
        assertTrue(message.contains("is not of the datagram service"), message);
        assertEquals(QueuePairState.INIT, qp.state());
        message = assertThrows(IllegalStateException.class, () -> qp.post(1, new long[8])).getMessage();
        assertTrue(message.contains("state=INIT"), message);
        qp.connect(new byte[0]);
        rings.cq.attach(qp);
        rings.cq.attach(qp);
        qp.close();
        message = assertThrows(IllegalStateException.class, () -> qp.post(1, new long[8])).getMessage();
        assertTrue(message.contains("state=closed"), message);
    }

    /** What a device need not have. */
    @Test
    void aDeviceMayFetchEarlyLosesNothingTakesNoWqeFromTheDoorbellAndRegistersNoRings() {
        Doorbell bell = producer -> { };
        assertFalse(bell.push(0, new long[8]));
        Mlx5QueuePair qp = other(0x77, new Device());
        assertTrue(qp.prefetches());
        assertEquals(-1, qp.control().lostReceive());
        assertThrows(VerbsException.class, () -> qp.registerSendRing(null, 0));
        assertThrows(VerbsException.class, () -> qp.control().makeReady());
        assertTrue(qp.control().hasAtomics());
    }

    @Test
    void aDeviceSaysWhetherItFetchesEarlyAndWhichMemoryARingIs() {
        MemoryRegion region = proxy(MemoryRegion.class);
        ProtectionDomain domain = proxy(ProtectionDomain.class);
        Mlx5QueuePair qp = other(0x77, new Device() {
            @Override
            public boolean prefetches() {
                return false;
            }

            @Override
            public MemoryRegion registerSendRing(ProtectionDomain of, int access) {
                assertSame(domain, of);
                assertEquals(3, access);
                return region;
            }
        });
        assertFalse(qp.prefetches());
        assertSame(region, qp.registerSendRing(domain, 3));
    }

    private static <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, m, a) -> null));
    }

    private Mlx5QueuePair other(int number, QueuePairControl control) {
        return new Mlx5QueuePair(number, new QueuePairAttributes(rings.cq, rings.cq).depth(8, 4),
                new QueueMemory(rings.memory, 0x6000, 8, 64, 0), new QueueMemory(rings.memory, 0x7000, 4, 16, 0),
                producer -> { }, control, null);
    }

    /** With no more than every device has. */
    private static class Device implements QueuePairControl {

        private QueuePairState state = QueuePairState.RESET;

        @Override
        public QueuePairState state() {
            return state;
        }

        @Override
        public void init() {
            state = QueuePairState.INIT;
        }

        @Override
        public byte[] endpoint() {
            return new byte[0];
        }

        @Override
        public void connect(byte[] remoteEndpoint) {
            state = QueuePairState.RTS;
        }

        @Override
        public void error() {
            state = QueuePairState.ERR;
        }

        @Override
        public void wakePeer() {
        }

        @Override
        public void failed() {
        }

        @Override
        public void close() {
        }
    }

    @Test
    void aSendQueueHasThirtyTwoThousandBlocksAtMost() {
        QueuePairAttributes attributes = new QueuePairAttributes(rings.cq, rings.cq).depth(16384, 1);
        assertEquals(1 << 15, Mlx5QueuePair.sendBlocks(attributes.sges(6, 1)));
        String message = assertThrows(VerbsException.class,
                () -> Mlx5QueuePair.sendBlocks(attributes.sges(7, 1))).getMessage();
        assertTrue(message.contains("bytes=65536 limit=32768"), message);
    }

    @Test
    void moreThanTheRingIsNotLoaded() {
        String message = assertThrows(IllegalArgumentException.class, () -> rings.qp.load(0, new long[17 * 8]))
                .getMessage();
        assertEquals("longs=136 blocks of the ring=16", message);
    }

    @Test
    void manyQueuePairsOfLargeNumbersAreFound() {
        QueuePairTable table = new QueuePairTable();
        Mlx5QueuePair[] made = new Mlx5QueuePair[80];
        for (int i = 0; i < made.length; i++) {
            made[i] = other(0xffffff - 3 * i, rings.qp.control());
            table.add(made[i]);
        }
        for (Mlx5QueuePair qp : made) {
            assertSame(qp, table.find(qp.number()));
        }
    }
}
