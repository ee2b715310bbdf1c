package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What a QP and its CQ allow in which state, and what they ask of their device. */
final class QueuePairStatesTest {

    private static final int RING = 0x1000;
    private static final int RECEIVES = 0x2000;
    private static final int CQ = 0x3000;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 14);
    private final List<String> calls = new ArrayList<>();
    private final WorkCompletion wc = new WorkCompletion();
    private final Mlx5CompletionQueue cq = cq(false);
    private boolean alerted;
    private int looks;
    private QueuePairState state = QueuePairState.RESET;
    private boolean hasAtomics = true;
    private boolean pushes;

    private Mlx5CompletionQueue cq(boolean exclusive) {
        Cqe.initialize(memory, CQ, 8, 64);
        return new Mlx5CompletionQueue(7, new CompletionQueueAttributes(8, 64, exclusive, false, null),
                new QueueMemory(memory, CQ, 8, 64, 0x80), new CqControl());
    }

    private Mlx5QueuePair qp(int number, Mlx5CompletionQueue reportsTo) {
        QueuePairAttributes attributes =
                new QueuePairAttributes(reportsTo, reportsTo).depth(8, 4).sges(2, 1).inline(16);
        return new Mlx5QueuePair(number, attributes, new QueueMemory(memory, RING, 8, 64, 0),
                new QueueMemory(memory, RECEIVES, 4, 16, 0), new Bell(), new Control(), new Memory());
    }

    private final Mlx5QueuePair qp = qp(0x123456, cq);

    private final class Bell implements Doorbell {

        @Override
        public void ring(int producer) {
            calls.add("ring " + producer);
        }

        @Override
        public boolean push(int producer, long[] words) {
            if (pushes) {
                calls.add("push " + producer);
            }
            return pushes;
        }
    }

    private final class CqControl implements CompletionQueueControl {

        @Override
        public void arm(int consumerIndex) {
            calls.add("arm " + consumerIndex);
        }

        @Override
        public void disarm() {
            calls.add("disarm");
        }

        @Override
        public boolean alerted() {
            looks++;
            return alerted;
        }

        @Override
        public void progress() {
            calls.add("progress");
        }

        @Override
        public void close() {
            calls.add("close cq");
        }
    }

    private final class Control implements QueuePairControl {

        @Override
        public QueuePairState state() {
            return state;
        }

        @Override
        public void init() {
            state = QueuePairState.INIT;
            calls.add("init");
        }

        @Override
        public byte[] endpoint() {
            return new byte[] {1, 2};
        }

        @Override
        public void connect(byte[] remoteEndpoint) {
            calls.add("connect " + remoteEndpoint.length);
            state = QueuePairState.RTS;
        }

        @Override
        public void error() {
            calls.add("error");
            state = QueuePairState.ERR;
        }

        @Override
        public void wakePeer() {
            calls.add("wake");
        }

        @Override
        public void failed() {
            calls.add("failed");
        }

        @Override
        public boolean hasAtomics() {
            return hasAtomics;
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private static final class Memory implements LocalMemory {

        @Override
        public boolean read(long address, int lkey, byte[] target, int offset, int length) {
            return false;
        }

        @Override
        public boolean write(long address, int lkey, ByteBuffer source, int offset, int length) {
            return false;
        }
    }

    private List<String> calls() {
        List<String> copy = List.copyOf(calls);
        calls.clear();
        return copy;
    }

    private void toRts() {
        qp.init();
        qp.connect(new byte[3]);
        calls.clear();
    }

    @Test
    void aQueuePairGoesFromResetToInitToRts() {
        assertThrows(VerbsException.class, qp::endpoint, "RESET");
        assertThrows(VerbsException.class, () -> qp.connect(new byte[3]), "RESET");
        assertThrows(VerbsException.class, qp::error, "RESET");
        qp.init();
        assertEquals("[1, 2]", Arrays.toString(qp.endpoint()));
        String message = assertThrows(VerbsException.class, qp::init).getMessage();
        assertTrue(message.contains("state=INIT expected=RESET"), message);
        qp.connect(new byte[3]);
        assertThrows(VerbsException.class, () -> qp.connect(new byte[3]), "RTS");
        assertEquals(List.of("init", "connect 3"), calls());
        assertEquals(QueuePairState.RTS, qp.state());
        qp.wakePeer();
        qp.error();
        assertEquals(List.of("wake", "error"), calls());
    }

    @Test
    void receivesArePostedFromInitOnAndSendsFromRtsOn() {
        PostReceive receive = qp.prepareReceive(ReceiveRequest.of(1));
        PostSend send = qp.prepareSend(SendRequest.send(1));
        assertThrows(IllegalStateException.class, receive::execute);
        assertThrows(IllegalStateException.class, send::execute);
        qp.init();
        assertEquals(1, receive.execute());
        assertThrows(IllegalStateException.class, send::execute);
        qp.connect(new byte[0]);
        assertEquals(1, send.execute());
        assertTrue(send.valid() && receive.valid());
        send.free();
        receive.free();
        assertFalse(send.valid() || receive.valid());
        assertThrows(IllegalStateException.class, send::execute);
        assertThrows(IllegalStateException.class, receive::execute);
    }

    @Test
    void sendsArePostedInErrorToBeFlushed() {
        qp.init();
        qp.error();
        assertEquals(1, qp.prepareSend(SendRequest.send(1)).execute());
        assertEquals(List.of("init", "error", "ring 1"), calls());
    }

    @ParameterizedTest
    @CsvSource({"RESET,false,false", "INIT,true,false", "RTR,true,false", "RTS,true,true", "ERR,true,true"})
    void whatAConnectionManagerMovedItToCounts(QueuePairState reached, boolean receives, boolean sends) {
        state = reached;
        qp.stateChanged();
        assertEquals(receives, qp.mayReceive());
        assertEquals(sends, qp.maySend());
    }

    @Test
    void aReceivePostedInErrorIsToldToTheDevice() {
        qp.init();
        assertEquals(1, qp.prepareReceive(ReceiveRequest.of(1)).execute());
        assertEquals(List.of("init"), calls());
        state = QueuePairState.ERR;
        assertEquals(1, qp.prepareReceive(ReceiveRequest.of(1)).execute());
        assertEquals(List.of("failed"), calls());
    }

    @Test
    void aClosedQueuePairTakesNothingAndIsClosedOnce() {
        cq.attach(qp);
        cq.attach(qp);
        toRts();
        PostSend send = qp.prepareSend(SendRequest.send(1));
        PostReceive receive = qp.prepareReceive(ReceiveRequest.of(1));
        String message = assertThrows(VerbsException.class, cq::close).getMessage();
        assertTrue(message.contains("queues=2"), message);
        qp.close();
        qp.close();
        assertEquals(List.of("close"), calls());
        assertFalse(send.valid() || receive.valid());
        assertThrows(IllegalStateException.class, send::execute);
        assertThrows(IllegalStateException.class, receive::execute);
        assertThrows(IllegalStateException.class, () -> qp.post(1, new long[] {1, 0, 0, 0, 0, 0, 0, 0}));
        state = QueuePairState.RESET;
        message = assertThrows(VerbsException.class, qp::init).getMessage();
        assertTrue(message.contains("state=closed"), message);
        cq.close();
        cq.close();
        assertEquals(List.of("close cq"), calls());
        assertThrows(VerbsException.class, () -> cq.attach(qp));
    }

    @Test
    void wholeWqesArePostedAsTheyAreUnderTheirIndexAndNumber() {
        assertThrows(IllegalStateException.class, () -> qp.post(1, new long[8]), "RESET");
        toRts();
        assertThrows(IllegalArgumentException.class, () -> qp.post(1, new long[8]), "no segment");
        long[] fiveSegments = {5, 0, 0, 0, 0, 0, 0, 0};
        assertThrows(IllegalArgumentException.class, () -> qp.post(1, fiveSegments));
        assertThrows(IllegalArgumentException.class, () -> qp.post(1, new long[] {4, 0, 0, 0, 0, 0, 0}), "7 longs");
        for (int i = 0; i < 8; i++) {
            assertTrue(qp.post(i, new long[] {0x07ffff0aL << 32 | 4, i, 2, 3, 4, 5, 6, 7}));
            int at = RING + 64 * i;
            assertEquals(0x0700000aL << 32 | (long) i << 40 | 0x12345604L, memory.getLong(at));
            for (int word = 1; word < 8; word++) {
                assertEquals(word == 1 ? i : word, memory.getLong(at + 8 * word));
            }
        }
        assertEquals(8, calls().size());
        assertFalse(qp.post(9, new long[] {4, 0, 0, 0, 0, 0, 0, 0}), "it is full");
        assertEquals(List.of(), calls());
    }

    @Test
    void loadedWqesLieAtTheirBlocksAndNobodyIsTold() {
        assertEquals(8, qp.sendRingBlocks());
        long[] words = new long[16];
        for (int i = 0; i < 16; i++) {
            words[i] = i + 1;
        }
        qp.load(8 + 7, words); // of the next lap, round the end
        for (int i = 0; i < 8; i++) {
            assertEquals(i + 1, memory.getLong(RING + 7 * 64 + 8 * i));
            assertEquals(i + 9, memory.getLong(RING + 8 * i));
            assertEquals(0, memory.getLong(RING + 64 + 8 * i));
        }
        assertEquals(List.of(), calls());
        assertThrows(IllegalArgumentException.class, () -> qp.load(0, new long[9]));
        assertThrows(IllegalArgumentException.class, () -> qp.load(0, new long[9 * 8]));
        qp.load(3, new long[8 * 8]); // all of it
        assertEquals(0, memory.getLong(RING + 7 * 64));
    }

    @Test
    void aDoorbellThatTakesAWqeNeedsNoRing() {
        toRts();
        pushes = true;
        PostSend send = qp.prepareSend(SendRequest.send(41, new Sge(0, 8, 1)));
        assertEquals(1, send.execute());
        assertEquals(List.of("push 0"), calls());
        assertEquals(0, memory.getLong(RING));
        pushes = false;
        assertEquals(1, send.wrId(0, 42).execute());
        assertEquals(List.of("ring 2"), calls());
        assertEquals(42, qp.sends().wrId(1));
        assertEquals(41, qp.sends().wrId(0));
        pushes = true;
        assertEquals(1, qp.prepareSend(SendRequest.write(1, 0, 1, new Sge(0, 8, 1))).execute());
        assertEquals(2, qp.prepareSend(SendRequest.send(1), SendRequest.send(1)).execute());
        assertEquals(List.of("ring 3", "ring 5"), calls(), "only a SEND by itself");
        for (int i = 0; i < 3; i++) {
            assertEquals(1, send.execute());
        }
        assertEquals(0, send.execute(), "it is full");
        assertEquals(List.of("push 5", "push 6", "push 7"), calls());
    }

    @Test
    void requestsThatTheQueuePairCannotHaveAreRefused() {
        Sge sge = new Sge(0, 8, 1);
        assertThrows(VerbsException.class, () -> qp.prepareSend());
        assertThrows(VerbsException.class, () -> qp.prepareSend(SendRequest.send(1, sge, sge, sge)));
        assertThrows(VerbsException.class, () -> qp.prepareSend(SendRequest.send(1, new Sge(0, 17, 1)).inline()));
        assertThrows(VerbsException.class, () -> qp.prepareReceive());
        assertThrows(VerbsException.class, () -> qp.prepareReceive(ReceiveRequest.of(1, sge, sge)));
        SendRequest[] nine = new SendRequest[9];
        Arrays.fill(nine, SendRequest.send(1));
        assertThrows(VerbsException.class, () -> qp.prepareSend(nine));
        PostSend send = qp.prepareSend(SendRequest.send(1, sge));
        assertThrows(IllegalArgumentException.class, () -> send.length(0, 0, -1));
        assertThrows(IllegalStateException.class, () -> send.rkey(0, 1));
        assertThrows(IllegalStateException.class, () -> send.remoteAddress(0, 1));
        assertThrows(IllegalStateException.class, () -> send.operands(0, 1, 2));
        assertThrows(IllegalStateException.class, () -> send.immediate(0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> send.length(0, 1, 8));
        SendRequest atomic = SendRequest.fetchAndAdd(1, 0, 1, 5, sge);
        assertEquals(1, qp.prepareSend(atomic).size());
        hasAtomics = false;
        assertThrows(VerbsException.class, () -> qp.prepareSend(atomic));
    }

    @Test
    void inlineDataThatCannotBeReadOrIsTooLongIsRefused() {
        toRts();
        PostSend send = qp.prepareSend(SendRequest.send(1, new Sge(0, 8, 1), new Sge(8, 8, 1)).inline());
        assertThrows(VerbsException.class, send::execute, "memory that cannot be read");
        send.length(0, 0, 0).length(0, 1, 0);
        assertEquals(1, send.execute(), "no byte is read");
        send.length(0, 0, 1).length(0, 1, 16);
        String message = assertThrows(VerbsException.class, send::execute).getMessage();
        assertTrue(message.contains("outside registered memory"), message);
        send.length(0, 0, 17);
        message = assertThrows(VerbsException.class, send::execute).getMessage();
        assertTrue(message.contains("inline bytes=17 maxInline=16"), message);
    }

    @Test
    void aCqThatIsAlertedHasItsDeviceGoOnOnceWhenNothingIsThere() {
        assertFalse(cq.poll(wc));
        assertEquals(List.of(), calls());
        cq.alert();
        assertFalse(cq.poll(wc));
        assertFalse(cq.poll(wc));
        assertEquals(List.of("progress"), calls());
        alerted = true;
        assertFalse(cq.poll(wc));
        assertFalse(cq.poll(wc));
        assertEquals(List.of("progress", "progress"), calls());
        cq.arm();
        cq.disarm();
        cq.skip(3);
        cq.arm();
        assertEquals(3, cq.consumer());
        assertEquals(List.of("arm 0", "disarm", "arm 3"), calls());
        assertEquals(8, cq.depth());
        assertEquals(7, cq.number());
    }

    @Test
    void aClosedCqAsksItsDeviceNothing() {
        assertFalse(cq.poll(wc));
        assertEquals(1, looks);
        cq.close();
        assertFalse(cq.poll(wc));
        assertEquals(1, looks, "the device may be gone, too");
    }

    @Test
    void anExclusiveCqTakesOneQueueEver() {
        Mlx5CompletionQueue one = cq(true);
        Mlx5QueuePair first = qp(1, one);
        one.attach(first);
        assertThrows(VerbsException.class, () -> one.attach(first), "it has one");
        one.withdraw(first);
        one.attach(first);
        one.detach(first);
        String message = assertThrows(VerbsException.class, () -> one.attach(first)).getMessage();
        assertTrue(message.contains("had its queue already"), message);
        one.close();
    }

    @Test
    void receivesOfAQueuePairInErrorAreFlushedInOrderAfterWhatIsInTheRing() {
        cq.attach(qp);
        qp.init();
        for (int i = 0; i < 3; i++) {
            assertEquals(1, qp.prepareReceive(ReceiveRequest.of(10 + i)).execute());
        }
        cq.flushReceives(qp);
        cq.flushReceives(qp);
        BigEndian.putLong(memory, CQ + Cqe.TAIL, Cqe.tail(0, 0x123456, 0, 0, Cqe.RESP_SEND, 0));
        assertTrue(cq.hasMore());
        for (int i = 0; i < 3; i++) {
            assertTrue(cq.poll(wc));
            assertEquals(10 + i, wc.wrId());
            assertEquals(i == 0 ? WcStatus.SUCCESS : WcStatus.WR_FLUSH_ERR, wc.status());
            assertFalse(cq.hasMore());
        }
        assertFalse(cq.poll(wc));
        assertEquals(1, qp.prepareReceive(ReceiveRequest.of(20)).execute());
        cq.flushReceives(qp);
        qp.close();
        assertFalse(cq.poll(wc), "it is closed");
    }
}
