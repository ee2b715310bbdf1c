package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What a poll makes of each CQE: whose it is, what it gives back, what it fails, and what it passes over. */
final class CompletionQueueTest {

    private final WorkCompletion wc = new WorkCompletion();
    private int written;

    /** Writes the next CQE of a ring of eight. */
    private void cqe(Rings rings, int cqeBytes, int qpn, int opcode, int format, int counter, int bytes) {
        int at = Rings.CQ + written % 8 * cqeBytes + cqeBytes - Cqe.BYTES;
        BigEndian.putInt(rings.memory, at + Cqe.BYTE_COUNT, bytes);
        BigEndian.putInt(rings.memory, at + 52, 0x00008901); // an error's vendor error and syndrome
        BigEndian.putLong(rings.memory, at + Cqe.TAIL,
                Cqe.tail(opcode == Cqe.REQ ? Wqe.RDMA_READ : 0, qpn, counter, written / 8, opcode, format));
        written++;
    }

    private void cqe(Rings rings, int opcode, int format, int counter, int bytes) {
        cqe(rings, 64, Rings.QPN, opcode, format, counter, bytes);
    }

    private static int send(Rings rings, long wrId) {
        return rings.qp.prepareSend(SendRequest.read(wrId, 0, 1, new Sge(0, 64, 1))).execute();
    }

    private static int receive(Rings rings, long wrId, int bytes) {
        ReceiveRequest request = ReceiveRequest.of(wrId, new Sge(0, bytes, 1));
        return (rings.srq != null ? rings.srq.prepareReceive(request) : rings.qp.prepareReceive(request)).execute();
    }

    private void expect(Rings rings, long wrId, WcStatus status) {
        assertTrue(rings.cq.poll(wc), "no completion of wrId=" + wrId);
        assertEquals(wrId, wc.wrId());
        assertEquals(status, wc.status());
    }

    private static Rings rings(String kind) {
        return switch (kind) {
            case "shared" -> Rings.shared(7);
            case "datagrams" -> Rings.datagrams();
            default -> Rings.usual();
        };
    }

    @Test
    void aFailedSendGivesItsSlotBack() {
        Rings rings = new Rings(1, 8, 1, 8, 64, false);
        assertEquals(1, send(rings, 1));
        assertEquals(0, send(rings, 2));
        cqe(rings, Cqe.REQ_ERR, 0, 0, 0);
        expect(rings, 1, WcStatus.LOC_LEN_ERR);
        assertEquals(0x89, wc.vendorError());
        assertEquals(1, send(rings, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "shared", "datagrams"})
    void aReceiveThatFailsMovesItsQueuePairToError(String kind) {
        Rings rings = rings(kind);
        assertEquals(1, receive(rings, 5, 64));
        cqe(rings, Cqe.RESP_ERR, 0, 0, 0);
        expect(rings, 5, WcStatus.LOC_LEN_ERR);
        assertEquals(0x89, wc.vendorError());
        assertEquals(QueuePairState.ERR, rings.qp.state());
    }

    @ParameterizedTest
    @CsvSource({"usual,2", "shared,2", "datagrams,2", "usual,14", "shared,14", "datagrams,14"})
    void aReceiveThatIsNotPostedIsPassedOver(String kind, int opcode) {
        Rings rings = rings(kind);
        cqe(rings, opcode, 0, 0, 0);
        cqe(rings, opcode, 0, 5, 0);
        assertFalse(rings.cq.poll(wc));
        assertEquals(1, receive(rings, 5, 64));
        cqe(rings, opcode, 0, 0, 0);
        assertTrue(rings.cq.poll(wc));
        assertEquals(5, wc.wrId());
        cqe(rings, opcode, 0, 0, 0);
        assertFalse(rings.cq.poll(wc), "it was completed before");
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "shared", "datagrams"})
    void aReceiveThatIsCompletedGivesItsSlotBack(String kind) {
        Rings rings = rings(kind);
        for (int i = 0; i < 40; i++) {
            assertEquals(1, receive(rings, i, 64), "receive " + i);
            cqe(rings, Cqe.RESP_SEND, 0, i % 8, 0);
            BigEndian.putLong(rings.memory, Rings.CQ + i % 8 * 64 + Cqe.TAIL, Cqe.tail(0, Rings.QPN,
                    kind.equals("shared") ? i % 8 : i, i / 8, Cqe.RESP_SEND, 0));
            expect(rings, i, WcStatus.SUCCESS);
        }
    }

    @Test
    void anOpcodeThatIsNoneFailsTheQueuePairAndIsPassedOver() {
        Rings rings = Rings.usual();
        assertEquals(1, send(rings, 1));
        cqe(rings, 7, 0, 0, 0);
        cqe(rings, Cqe.REQ, 0, 0, 0);
        expect(rings, 1, WcStatus.SUCCESS);
        assertEquals(QueuePairState.ERR, rings.qp.state());
    }

    @Test
    void eachCompletionIsOfTheQueuePairOfItsNumber() {
        Rings rings = Rings.usual();
        Mlx5QueuePair other = other(rings, 0x77);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, send(rings, 10 + i));
            assertEquals(1, other.prepareSend(SendRequest.send(20 + i)).execute());
            cqe(rings, Cqe.REQ, 0, i, 0);
            cqe(rings, 64, 0x77, Cqe.REQ, 0, i, 0);
            expect(rings, 10 + i, WcStatus.SUCCESS);
            assertEquals(Rings.QPN, wc.qpNumber());
            expect(rings, 20 + i, WcStatus.SUCCESS);
            assertEquals(0x77, wc.qpNumber());
        }
        other.close();
        cqe(rings, 64, 0x77, Cqe.REQ, 0, 2, 0);
        assertFalse(rings.cq.poll(wc), "it is closed");
    }

    /** Another QP that reports to the same CQ; its rings lie over the others'. */
    private static Mlx5QueuePair other(Rings rings, int number) {
        Mlx5QueuePair qp = new Mlx5QueuePair(number, new QueuePairAttributes(rings.cq, rings.cq).depth(8, 4),
                new QueueMemory(rings.memory, 0x6000, 8, 64, 0), new QueueMemory(rings.memory, 0x7000, 4, 16, 0),
                producer -> { }, rings.qp.control(), null);
        rings.cq.attach(qp);
        rings.cq.attach(qp);
        qp.stateChanged();
        return qp;
    }

    @ParameterizedTest
    @CsvSource({"64,false", "128,false", "128,true"})
    void moreIsThereFromTheWritingOfACqeToItsPoll(int cqeBytes, boolean inPlace) {
        Rings rings = new Rings(16, 8, 4, 8, cqeBytes, inPlace);
        for (int i = 0; i < 40; i++) {
            assertFalse(rings.cq.hasMore(), "before CQE " + i);
            assertEquals(1, send(rings, i));
            cqe(rings, cqeBytes, Rings.QPN, Cqe.REQ, 0, i, 0);
            assertTrue(rings.cq.hasMore(), "CQE " + i);
            expect(rings, i, WcStatus.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theConsumerIndexSaysWhatMayBeOverwritten(boolean inPlace) {
        Rings rings = new Rings(16, 8, 4, 8, 128, inPlace);
        for (int i = 0; i < 20; i++) {
            assertEquals(1, send(rings, i));
            cqe(rings, 128, Rings.QPN, Cqe.REQ, 0, i, 0);
            rings.expect(Rings.CQ_RECORD, String.format("%08x", i));
            expect(rings, i, WcStatus.SUCCESS);
            rings.expect(Rings.CQ_RECORD, String.format("%08x", inPlace ? i : i + 1));
            assertFalse(rings.cq.poll(wc));
            rings.expect(Rings.CQ_RECORD, String.format("%08x", i + 1));
        }
        Cqe.initialize(rings.memory, Rings.CQ, 8, 128);
        rings.cq.skip(0xffffff - 20);
        assertFalse(rings.cq.poll(wc));
        rings.expect(Rings.CQ_RECORD, "00ffffff");
        rings.cq.skip(2);
        assertFalse(rings.cq.poll(wc));
        rings.expect(Rings.CQ_RECORD, "00000001");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachPollMakesRoomThoughMoreIsThere(boolean inPlace) {
        Rings rings = new Rings(16, 8, 4, 8, 128, inPlace);
        for (int i = 0; i < 4; i++) {
            assertEquals(1, send(rings, i));
            cqe(rings, 128, Rings.QPN, Cqe.REQ, 0, i, 0);
        }
        for (int i = 0; i < 4; i++) {
            expect(rings, i, WcStatus.SUCCESS);
            rings.expect(Rings.CQ_RECORD, String.format("%08x", inPlace ? i : i + 1));
        }
    }

    @Test
    void aClosedQueueIsNotLookedAtAndItsRecordIsLeft() {
        Rings rings = new Rings(16, 8, 4, 8, 128, true);
        assertEquals(1, send(rings, 1));
        cqe(rings, 128, Rings.QPN, Cqe.REQ, 0, 0, 0);
        expect(rings, 1, WcStatus.SUCCESS);
        cqe(rings, 128, Rings.QPN, Cqe.REQ, 0, 0, 0);
        assertTrue(rings.cq.hasMore());
        rings.qp.close();
        rings.cq.close();
        rings.cq.alert();
        rings.onProgress = () -> {
            throw new AssertionError("the device of a closed queue");
        };
        assertFalse(rings.cq.hasMore());
        assertFalse(rings.cq.poll(wc));
        rings.expect(Rings.CQ_RECORD, "00000000");
    }

    @Test
    void whatTheDeviceGoesOnWithIsPolledAtOnce() {
        Rings rings = Rings.usual();
        assertEquals(1, send(rings, 1));
        rings.onProgress = () -> cqe(rings, Cqe.REQ, 0, 0, 0);
        rings.cq.alert();
        expect(rings, 1, WcStatus.SUCCESS);
        assertFalse(rings.cq.poll(wc));
        assertEquals(1, written, "it was alerted once");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAPollPassesOverMakesRoomAtOnce(boolean inPlace) {
        Rings rings = Rings.usual(ByteBuffer.allocateDirect(Rings.BYTES), 64, inPlace);
        for (int i = 0; i < 5; i++) {
            cqe(rings, 64, 0x77, Cqe.REQ, 0, 0, 0);
        }
        assertFalse(rings.cq.poll(wc), "no QP has that number");
        rings.expect(Rings.CQ_RECORD, "00000005"); // whoever arms now may not poll for long
    }

    /** A completion may come between the first look at the ring and the last one. */
    @Test
    void aDestroyedQueuePairIsRememberedUntilTheRingIsSeenEmpty() {
        Rings rings = Rings.usual();
        Mlx5QueuePair gone = other(rings, 0x77);
        gone.close();
        rings.cq.bury(gone);
        assertEquals(1, send(rings, 1));
        rings.onAlertedAsked = () -> {
            if (written == 0) {
                cqe(rings, Cqe.REQ, 0, 0, 0);
            }
        };
        expect(rings, 1, WcStatus.SUCCESS);
        assertTrue(rings.cq.isBuried(0x77));
        assertFalse(rings.cq.poll(wc));
        assertFalse(rings.cq.isBuried(0x77));
    }

    @ParameterizedTest
    @CsvSource({"8,64,false,8", "8,128,true,16", "7,128,true,8", "5,128,false,8"})
    void aQueueHasRoomForWhatWasAskedAndOneMoreWithThePayloadInPlace(int depth, int bytes, boolean inPlace, int room) {
        Rings rings = Rings.usual();
        assertEquals(room, new Mlx5CompletionQueue(1,
                new CompletionQueueAttributes(depth, bytes, false, inPlace, null),
                new QueueMemory(rings.memory, Rings.CQ, 16, bytes, Rings.CQ_RECORD), null).depth());
    }

    @ParameterizedTest
    @CsvSource({"0,SUCCESS", "32,SUCCESS", "33,BAD_RESP_ERR", "-1,BAD_RESP_ERR"})
    void anAnswerInACqeHasSoManyBytesAtMost(int bytes, WcStatus status) {
        Rings rings = Rings.usual();
        assertEquals(1, send(rings, 1));
        for (int i = 0; i < 32; i++) {
            rings.memory.put(Rings.CQ + i, (byte) (i + 1));
        }
        cqe(rings, Cqe.REQ, Cqe.INLINE_32, 0, bytes);
        expect(rings, 1, status);
        assertEquals(status == WcStatus.SUCCESS ? QueuePairState.RTS : QueuePairState.ERR, rings.qp.state());
        for (int i = 0; i < 40; i++) {
            assertEquals(i < bytes && bytes <= 32 ? i + 1 : 0, rings.local[i], "byte " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,4,SUCCESS", "32,4,SUCCESS", "33,4,BAD_RESP_ERR", "-1,4,BAD_RESP_ERR", "8,8,BAD_RESP_ERR"})
    void aMessageInACqeHasSoManyBytesAtMost(int bytes, int format, WcStatus status) {
        Rings rings = Rings.usual();
        assertEquals(1, receive(rings, 1, 64));
        rings.memory.put(Rings.CQ, (byte) 1);
        cqe(rings, Cqe.RESP_SEND, format, 0, bytes); // the first of the ring: there is no line before it
        expect(rings, 1, status);
        assertEquals(status == WcStatus.SUCCESS ? QueuePairState.RTS : QueuePairState.ERR, rings.qp.state());
        assertEquals(bytes == 32 ? 1 : 0, rings.local[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "shared"})
    void aMessageInACqeThatItsReceiveCannotHoldFailsTheReceive(String kind) {
        for (boolean refuses : new boolean[] {false, true}) {
            written = 0;
            Rings rings = rings(kind);
            rings.refuses = refuses;
            assertEquals(1, receive(rings, 1, refuses ? 32 : 31));
            cqe(rings, Cqe.RESP_SEND, Cqe.INLINE_32, 0, 32);
            expect(rings, 1, WcStatus.LOC_PROT_ERR);
            assertEquals(QueuePairState.ERR, rings.qp.state());
        }
    }

    /** Where the list of pieces is full, the next WQE follows at once. */
    @Test
    void aMessageInACqeDoesNotReachThePiecesOfTheNextReceive() {
        Rings rings = new Rings(16, 8, 1, 8, 64, false);
        assertEquals(2, rings.qp.prepareReceive(ReceiveRequest.of(1, new Sge(0, 16, 1)),
                ReceiveRequest.of(2, new Sge(100, 64, 1))).execute());
        rings.memory.put(Rings.CQ + 16, (byte) 1);
        cqe(rings, Cqe.RESP_SEND, Cqe.INLINE_32, 0, 20);
        expect(rings, 1, WcStatus.LOC_PROT_ERR);
        assertEquals(0, rings.local[100]);
    }

    @Test
    void anAnswerIsWrittenToNoMorePiecesThanItNeedsAndWhereTheyMayBeWritten() {
        Rings rings = Rings.usual();
        assertEquals(1, rings.qp.prepareSend(
                SendRequest.read(1, 0, 1, new Sge(0, 8, 1), new Sge(1 << 20, 8, 1))).execute()); // far outside
        rings.memory.put(Rings.CQ, (byte) 1);
        cqe(rings, Cqe.REQ, Cqe.INLINE_32, 0, 8);
        expect(rings, 1, WcStatus.SUCCESS);
        assertEquals(1, rings.local[0]);
        rings.refuses = true;
        assertEquals(1, send(rings, 2));
        cqe(rings, Cqe.REQ, Cqe.INLINE_32, 1, 8);
        expect(rings, 2, WcStatus.BAD_RESP_ERR);
    }

    @Test
    void allReceivesOfAQueuePairInErrorAreFlushed() {
        Rings rings = Rings.usual();
        for (int i = 0; i < 8; i++) {
            assertEquals(1, receive(rings, i, 64));
        }
        rings.qp.error();
        rings.cq.flushReceives(rings.qp);
        for (int i = 0; i < 8; i++) {
            expect(rings, i, WcStatus.WR_FLUSH_ERR);
        }
        assertFalse(rings.cq.poll(wc));
    }

    @Test
    void aClosedSharedQueueIsDestroyedOnce() {
        Rings rings = Rings.shared(7);
        rings.srq.close();
        rings.srq.close();
        assertEquals(List.of("srq"), rings.closed);
    }

    @Test
    void aSharedReceiveIsPostedFromItsPostToItsCompletion() {
        Rings rings = Rings.shared(7);
        assertFalse(rings.srq.isPosted(0, 0));
        assertEquals(1, receive(rings, 1, 64));
        assertTrue(rings.srq.isPosted(0, 0));
        assertFalse(rings.srq.isPosted(0, 1), "another one at its place");
        assertFalse(rings.srq.isPosted(1, 1) || rings.srq.isPosted(-1, 0) || rings.srq.isPosted(8, 0));
        cqe(rings, Cqe.RESP_SEND, 0, 0, 0);
        expect(rings, 1, WcStatus.SUCCESS);
        assertFalse(rings.srq.isPosted(0, 0));
    }
}
