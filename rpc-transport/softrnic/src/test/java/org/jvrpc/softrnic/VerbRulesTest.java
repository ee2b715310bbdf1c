package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What each verb leaves at both ends when its execute() returns: the device works on the thread that posts, so that
 * nothing here waits. One thread.
 */
final class VerbRulesTest {

    private static final int SPAN = 512;

    private final AtomicLong clock = new AtomicLong(7);
    private final WorkCompletion wc = new WorkCompletion();
    private SoftDevice device;
    private FuzzPair pair;
    private ByteBuffer left;
    private ByteBuffer right;

    @BeforeEach
    void connect() {
        ShmUnderTest.open().close();
        device = SoftDevice.open(clock::get);
        pair = new FuzzPair(device, device, new SplittableRandom(1), FuzzPair.newFiles());
        assertTrue(pair.connect());
        left = pair.left.mr.buffer(0, FuzzPair.MEMORY);
        right = pair.right.mr.buffer(0, FuzzPair.MEMORY);
        for (int i = 0; i < SPAN; i++) {
            left.put(i, (byte) (i * 7 + 1));
        }
    }

    @AfterEach
    void closeAll() {
        assertTrue(pair.left.canariesLive() && pair.right.canariesLive(), "something was written beside the regions");
        pair.close();
        device.close();
    }

    private void post(SendRequest request) {
        assertEquals(1, pair.left.qp.prepareSend(request).execute());
    }

    private void receive(Sge... sges) {
        assertEquals(1, pair.right.qp.prepareReceive(ReceiveRequest.of(7, sges)).execute());
    }

    private void expect(CompletionQueue cq, WcStatus status) {
        assertTrue(cq.poll(wc), "no completion");
        assertEquals(status, wc.status());
    }

    private void nothing(CompletionQueue cq) {
        assertFalse(cq.poll(wc), wc::toString);
    }

    private void states(QueuePairState atLeft, QueuePairState atRight) {
        assertEquals(atLeft, pair.left.qp.state(), "left");
        assertEquals(atRight, pair.right.qp.state(), "right");
    }

    private long there(int offset) {
        return pair.right.mr.address() + offset;
    }

    private int rkey() {
        return pair.right.mr.rkey();
    }

    /** The bytes from one of the left end on are those from another of the right end on, and no more of these. */
    private void assertSame(int from, int to, int length) {
        for (int i = 0; i < length; i++) {
            assertEquals(left.get(from + i), right.get(to + i), "byte " + i + " of " + length);
        }
        assertEquals(0, right.get(to + length), "behind the message");
        assertTrue(to == 0 || right.get(to - 1) == 0, "before the message");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 31, 32, 33, 64, 65, 96, 97, 127, 128, 129, 500})
    void aMessageArrivesWhereTheReceiveSays(int length) {
        for (boolean signalled : new boolean[] {false, true}) {
            receive(pair.right.sge(16, 510));
            SendRequest request = SendRequest.send(5, pair.left.sge(3, length));
            post(signalled ? request.signalled() : request);
            expect(pair.right.receiveCq, WcStatus.SUCCESS);
            assertEquals(length, wc.byteLength());
            assertEquals(7, wc.wrId());
            assertEquals(WcOpcode.RECV, wc.opcode());
            assertFalse(wc.hasImmediate());
            ByteBuffer found = wc.inlineBuffer() != null ? wc.inlineBuffer() : right;
            int at = wc.inlineBuffer() != null ? wc.inlineOffset() : 16;
            for (int i = 0; i < length; i++) {
                assertEquals(left.get(3 + i), found.get(at + i), "byte " + i);
            }
            assertEquals(0, right.get(16 + length));
            assertEquals(signalled, pair.left.sendCq.poll(wc));
        }
    }

    @Test
    void immediateDataComesWithAMessageAndWithAWrite() {
        receive(pair.right.sge(0, 64));
        receive(pair.right.sge(200, 64));
        post(SendRequest.sendWithImmediate(5, 0x01020304, pair.left.sge(0, 8)).signalled());
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(0x01020304, wc.immediate());
        assertEquals(8, wc.byteLength());
        post(SendRequest.writeWithImmediate(6, there(300), rkey(), 0x05060708, pair.left.sge(0, 100)).signalled());
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(0x05060708, wc.immediate());
        assertEquals(100, wc.byteLength());
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, wc.opcode());
        assertSame(0, 300, 100);
        assertEquals(0, right.get(200), "the receive's own memory is left alone");
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(6, wc.wrId());
    }

    @Test
    void piecesAreGatheredAndScatteredInOrder() {
        receive(pair.right.sge(10, 50), pair.right.sge(100, 1), pair.right.sge(200, 300));
        post(SendRequest.send(5, pair.left.sge(0, 7), pair.left.sge(100, 120), pair.left.sge(300, 5)).signalled());
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(132, wc.byteLength());
        for (int i = 0; i < 132; i++) {
            int from = i < 7 ? i : i < 127 ? 100 + i - 7 : 300 + i - 127;
            int to = i < 50 ? 10 + i : i == 50 ? 100 : 200 + i - 51;
            assertEquals(left.get(from), right.get(to), "byte " + i);
        }
        assertEquals(0, right.get(60));
        assertEquals(0, right.get(101));
        assertEquals(0, right.get(281));
    }

    @ParameterizedTest
    @ValueSource(ints = {97, 200})
    void aMessageAsLongAsItsReceiveArrivesAndOneByteMoreFailsBothEnds(int length) {
        receive(pair.right.sge(0, length - 10), pair.right.sge(300, 10));
        receive(pair.right.sge(0, length - 10), pair.right.sge(300, 10));
        post(SendRequest.send(5, pair.left.sge(0, length)).signalled());
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        post(SendRequest.send(5, pair.left.sge(0, length + 1)));
        expect(pair.left.sendCq, WcStatus.REM_INV_REQ_ERR);
        expect(pair.right.receiveCq, WcStatus.LOC_LEN_ERR);
        states(QueuePairState.ERR, QueuePairState.ERR);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "1,0"})
    void aReceiveIntoMemoryThatMustNotBeTouchedFailsBothEnds(int bad, int signalled) {
        Sge good = pair.right.sge(0, 100);
        Sge wrong = new Sge(there(100), 400, pair.right.mr.lkey() + 1);
        receive(bad == 0 ? wrong : good, bad == 0 ? good : wrong);
        SendRequest request = SendRequest.send(5, pair.left.sge(0, 150));
        post(signalled == 1 ? request.signalled() : request);
        expect(pair.left.sendCq, WcStatus.REM_OP_ERR);
        expect(pair.right.receiveCq, WcStatus.LOC_PROT_ERR);
        states(QueuePairState.ERR, QueuePairState.ERR);
        nothing(pair.left.sendCq);
        assertEquals(0, right.get(100));
    }

    @Test
    void aWriteAndAReadMoveExactlyTheirBytes() {
        post(SendRequest.write(5, there(101), rkey(), pair.left.sge(3, 99), pair.left.sge(200, 1)).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(WcOpcode.RDMA_WRITE, wc.opcode());
        assertEquals(left.get(200), right.get(200));
        right.put(200, (byte) 0);
        assertSame(3, 101, 99);
        post(SendRequest.read(6, there(101), rkey(), pair.left.sge(1000, 10), pair.left.sge(2000, 89)).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(WcOpcode.RDMA_READ, wc.opcode());
        assertEquals(99, wc.byteLength());
        for (int i = 0; i < 99; i++) {
            assertEquals(right.get(101 + i), left.get(i < 10 ? 1000 + i : 1990 + i), "byte " + i);
        }
        assertEquals(0, left.get(1010));
        assertEquals(0, left.get(2089));
        nothing(pair.right.receiveCq);
    }

    @Test
    void theLastBytesOfARegionAreReachedAndNoneBehind() {
        int end = FuzzPair.MEMORY;
        post(SendRequest.write(5, there(end - 8), rkey(), pair.left.sge(0, 8)).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(left.getLong(0), right.getLong(end - 8));
        post(SendRequest.write(6, there(end - 7), rkey(), pair.left.sge(8, 8)));
        expect(pair.left.sendCq, WcStatus.REM_ACCESS_ERR);
        assertEquals(left.getLong(0), right.getLong(end - 8), "nothing of it is written");
        states(QueuePairState.ERR, QueuePairState.ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "writeWithImmediate", "read", "atomic"})
    void aKeyThatIsNoneFailsBothEndsAndMovesNothing(String verb) {
        receive(pair.right.sge(1000, 64));
        Sge sge = pair.left.sge(0, 8);
        long before = left.getLong(0);
        int bad = rkey() ^ 1;
        post(switch (verb) {
            case "write" -> SendRequest.write(5, there(0), bad, sge);
            case "writeWithImmediate" -> SendRequest.writeWithImmediate(5, there(0), bad, 1, sge);
            case "read" -> SendRequest.read(5, there(0), bad, sge);
            default -> SendRequest.fetchAndAdd(5, there(0), bad, 1, sge);
        });
        expect(pair.left.sendCq, WcStatus.REM_ACCESS_ERR);
        states(QueuePairState.ERR, QueuePairState.ERR);
        assertEquals(before, left.getLong(0));
        assertEquals(0, right.getLong(0));
        expect(pair.right.receiveCq, WcStatus.WR_FLUSH_ERR);
        assertEquals(7, wc.wrId());
        nothing(pair.right.receiveCq);
    }

    @Test
    void verbsOfNoBytesDoNotLookAtTheKey() {
        post(SendRequest.write(5, 0, 0).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        post(SendRequest.read(5, 0, 0).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(0, wc.byteLength());
        states(QueuePairState.RTS, QueuePairState.RTS);
    }

    @Test
    void atomicsChangeEightBytesAndBringWhatWasThere() {
        right.putLong(64, 100).putLong(56, -1).putLong(72, -1);
        post(SendRequest.fetchAndAdd(5, there(64), rkey(), 11, pair.left.sge(1000, 8)).signalled());
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(WcOpcode.FETCH_ADD, wc.opcode());
        assertEquals(111, right.getLong(64));
        assertEquals(100, left.getLong(1000));
        post(SendRequest.compareAndSwap(5, there(64), rkey(), 5, 6, pair.left.sge(1008, 8)));
        assertEquals(111, right.getLong(64));
        assertEquals(111, left.getLong(1008));
        post(SendRequest.compareAndSwap(5, there(64), rkey(), 111, -7, pair.left.sge(1016, 8)));
        assertEquals(-7, right.getLong(64));
        assertEquals(111, left.getLong(1016));
        assertEquals(-1, right.getLong(56));
        assertEquals(-1, right.getLong(72));
        nothing(pair.left.sendCq);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7})
    void anAtomicAtNoMultipleOfEightIsRefused(int offset) {
        post(SendRequest.fetchAndAdd(5, there(offset), rkey(), 11, pair.left.sge(1000, 8)));
        expect(pair.left.sendCq, WcStatus.REM_INV_REQ_ERR);
        states(QueuePairState.ERR, QueuePairState.ERR);
        assertEquals(0, right.getLong(0));
    }

    @Test
    void aWriteWithImmediateThatFindsNoReceiveWritesNothingUntilThereIsOne() {
        post(SendRequest.writeWithImmediate(5, there(0), rkey(), 9, pair.left.sge(0, 8)).signalled());
        assertEquals(0, right.getLong(0));
        nothing(pair.left.sendCq);
        receive(pair.right.sge(64, 8));
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(left.getLong(0), right.getLong(0));
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(9, wc.immediate());
    }

    @ParameterizedTest
    @CsvSource({"0,RNR", "1,RNR", "0,WRITE", "1,WRITE"})
    void aPeerInErrorAnswersNothing(int signalled, String verb) {
        pair.right.qp.error();
        SendRequest request = verb.equals("WRITE") ? SendRequest.write(5, there(0), rkey(), pair.left.sge(0, 8))
                : SendRequest.send(5, pair.left.sge(0, 8));
        post(signalled == 1 ? request.signalled() : request);
        expect(pair.left.sendCq, WcStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.ERR, pair.left.qp.state());
        assertEquals(0, right.getLong(0));
    }

    @Test
    void sendsAfterAFailureAreFlushedInOrder() {
        assertEquals(3, pair.left.qp.prepareSend(
                SendRequest.write(1, there(0), rkey() ^ 1, pair.left.sge(0, 8)),
                SendRequest.write(2, there(0), rkey(), pair.left.sge(0, 8)),
                SendRequest.send(3, pair.left.sge(0, 8))).execute());
        expect(pair.left.sendCq, WcStatus.REM_ACCESS_ERR);
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        assertEquals(2, wc.wrId());
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        assertEquals(3, wc.wrId());
        nothing(pair.left.sendCq);
        assertEquals(0, right.getLong(0));
    }

    @Test
    void messagesArriveInOrderWhileTheRingsGoRound() {
        for (int i = 0; i < 100; i++) {
            receive(pair.right.sge(8 * (i % 16), 8));
            left.putLong(1000, i + 1);
            post(SendRequest.writeWithImmediate(i, there(2000), rkey(), i, pair.left.sge(1000, 8)).signalled());
            expect(pair.left.sendCq, WcStatus.SUCCESS);
            assertEquals(i, wc.wrId());
            expect(pair.right.receiveCq, WcStatus.SUCCESS);
            assertEquals(i, wc.immediate());
            assertEquals(i + 1, right.getLong(2000));
        }
    }

    @Test
    void whatIsPostedBehindAStalledSendGoesWithIt() {
        post(SendRequest.send(1, pair.left.sge(0, 8)));
        receive(pair.right.sge(0, 8));
        receive(pair.right.sge(8, 8));
        nothing(pair.right.receiveCq);
        post(SendRequest.send(2, pair.left.sge(8, 8)).signalled());
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(2, wc.wrId());
        nothing(pair.left.sendCq);
    }

    @Test
    void theRetriesBeginAnewForEachSend() {
        ShmEnd sender = new ShmEnd(device, 4, null, device.createChannel(), attributes -> attributes.rnr(1, 1000));
        ShmEnd receiver = new ShmEnd(device, 4);
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        for (int i = 0; i < 4; i++) {
            assertEquals(1, sender.qp.prepareSend(SendRequest.send(i, sender.sge(0, 8)).signalled()).execute());
            nothing(sender.sendCq);
            assertEquals(1, receiver.qp.prepareReceive(ReceiveRequest.of(i, receiver.sge(0, 8))).execute());
            clock.addAndGet(1000);
            expect(sender.sendCq, WcStatus.SUCCESS);
        }
        sender.close();
        receiver.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "signalled", "immediate"})
    void aCompletionThatTheReceiversCqHasNoRoomForFailsBothEnds(String verb) {
        CompletionQueue two = device.createCq(CompletionQueueAttributes.ofDepth(2));
        ShmEnd sender = new ShmEnd(device, 4);
        ShmEnd receiver = new ShmEnd(device, 4, two, sender.channel);
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, receiver.qp.prepareReceive(ReceiveRequest.of(i, receiver.sge(0, 8))).execute());
        }
        SendRequest request = switch (verb) {
            case "short" -> SendRequest.send(5, sender.sge(0, 8));
            case "signalled" -> SendRequest.send(5, sender.sge(0, 8)).signalled();
            default -> SendRequest.writeWithImmediate(5, 0, 0, 1).signalled();
        };
        for (int i = 0; i < 2; i++) {
            assertEquals(1, sender.qp.prepareSend(request).execute());
            assertEquals(!verb.equals("short"), sender.sendCq.poll(wc) && wc.succeeded());
        }
        assertEquals(1, sender.qp.prepareSend(request).execute());
        expect(sender.sendCq, WcStatus.REM_OP_ERR);
        assertEquals(QueuePairState.ERR, sender.qp.state());
        assertEquals(QueuePairState.ERR, receiver.qp.state());
        sender.close();
        receiver.close();
    }

    @Test
    void wakingNobodyIsNoError() {
        ShmEnd alone = new ShmEnd(device, 4);
        alone.qp.wakePeer();
        assertEquals(QueuePairState.INIT, alone.qp.state());
        alone.close();
    }
}
