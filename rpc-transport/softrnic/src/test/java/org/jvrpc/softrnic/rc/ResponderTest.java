package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SharedReceives;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** A peer's QP as its initiator sees it: which receives it has, what fits in them, and what it is left in. */
final class ResponderTest extends RcFixture {

    private static final int FAR = DATA + 2 * DATA_BYTES + 64; // a multiple of 64, not of 128

    @Test
    void aPeerWhoseRingIsNotAllInItsMemoryIsRefused() {
        make();
        int end = PEER_QP + QpContext.RINGS + RECEIVES * STRIDE;
        Slab whole = Slab.wrap(memory.slice(0, end), 0);
        Slab cut = Slab.wrap(memory.slice(0, end - 1), 0);
        String message = assertThrows(VerbsException.class,
                () -> Responder.of(new OneSlab(cut), address(PEER_QP), () -> { }, false)).getMessage();
        assertTrue(message.contains("no queue pair"), message);
        message = assertThrows(VerbsException.class,
                () -> Responder.of(new OneSlab(whole), address(PEER_QP), () -> { }, false)).getMessage();
        assertTrue(message.contains("completion queue"), message); // which lies behind
    }

    @Test
    void aPeerThatIsNotAlignedIsRefusedThoughItLooksLikeOne() {
        make();
        QpContext.write(memory, FAR, PEER, PD, RECEIVES, STRIDE, address(RECEIVE_CQ));
        String message = assertThrows(VerbsException.class,
                () -> Responder.of(space, address(FAR), () -> { }, false)).getMessage();
        assertTrue(message.contains("aligned"), message);
    }

    @Test
    void receivesAreUsedInOrderWhileTheRingGoesRound() {
        make();
        Responder peer = peer();
        assertEquals(-1, peer.peekReceive(), "none is posted");
        for (int i = 0; i < 3 * RECEIVES; i++) {
            posted(i + 1);
            assertEquals(receiveWqe(i % RECEIVES), peer.peekReceive(), "receive " + i);
            assertEquals(receiveWqe(i % RECEIVES), peer.peekReceive(), "it is not used by looking");
            assertEquals(i, peer.consume());
            assertEquals(-1, peer.peekReceive(), "no other is posted");
        }
    }

    @Test
    void aReceiveOfAllItsPiecesTakesWhatTheyTakeAndNotThoseOfTheNext() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 10, 10, 10, 10);
        pieces(receiveWqe(1), to, 10, 10, 10, 10);
        posted(2);
        assertEquals(40, peer().capacity(receiveWqe(0)));
        load(0, send(41, 0));
        engine.ring(1);
        expectReceived(WcStatus.LOC_LEN_ERR);
        expectSent(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void aMessageIsScatteredOverAllPiecesAndNotOverThoseOfTheNextReceive() {
        make();
        Responder peer = peer();
        pieces(receiveWqe(0), to, 10, 10, 10, 10);
        pieces(receiveWqe(1), to, 10, 10, 10, 10);
        int source = DATA;
        for (int i = 0; i < 41; i++) {
            memory.put(source + i, (byte) (i + 1));
        }
        assertFalse(peer.scatter(receiveWqe(0), memory, source, 41), "one byte too long");
        assertTrue(peer.scatter(receiveWqe(0), memory, source, 40));
        for (int i = 0; i < 40; i++) {
            assertEquals(i + 1, memory.get(DATA + DATA_BYTES + i / 10 * 100 + i % 10), "byte " + i);
        }
    }

    @Test
    void aPieceMayEndWithItsRegionAndNotBehindIt() {
        make();
        Responder peer = peer();
        long last = to.address() + DATA_BYTES - 16;
        segment(receiveWqe(0), 16, to.key(), last);
        assertTrue(peer.scatter(receiveWqe(0), memory, DATA, 16));
        segment(receiveWqe(0), 16, to.key(), last + 1);
        assertFalse(peer.scatter(receiveWqe(0), memory, DATA, 16));
    }

    @Test
    void aPieceWhoseLengthIsWrittenAsZeroIsOneOfTwoGibAndNotPassedOver() {
        make();
        Responder peer = peer();
        segment(receiveWqe(0), 0, to.key(), to.address());
        segment(receiveWqe(0) + 16, 16, to.key(), to.address());
        assertFalse(peer.scatter(receiveWqe(0), memory, DATA, 16));
        assertEquals((1L << 31) + 16, peer.capacity(receiveWqe(0)) - 2 * (1L << 31)); // two more of them behind
    }

    @Test
    void thePiecesOfAReceiveMayBeOfSeveralRegions() {
        make();
        Responder peer = peer();
        segment(receiveWqe(0), 8, to.key(), to.address());
        segment(receiveWqe(0) + 16, 8, from.key(), from.address() + 512);
        segment(receiveWqe(0) + 32, 8, to.key(), to.address() + 8);
        memory.putLong(DATA, 1).putLong(DATA + 8, 2).putLong(DATA + 16, 3);
        assertTrue(peer.scatter(receiveWqe(0), memory, DATA, 24));
        assertEquals(1, memory.getLong(DATA + DATA_BYTES));
        assertEquals(2, memory.getLong(DATA + 512));
        assertEquals(3, memory.getLong(DATA + DATA_BYTES + 8));
        segment(receiveWqe(0) + 16, 8, others.key(), others.address());
        assertFalse(peer.scatter(receiveWqe(0), memory, DATA, 24), "a region of another domain");
    }

    @Test
    void aPeerThatFailsAReceiveIsInErrorAndItsOwnerLooks() {
        make();
        Responder peer = peer();
        posted(1);
        peer.failReceive(WcStatus.LOC_PROT_ERR, 3);
        int at = expectReceived(WcStatus.LOC_PROT_ERR);
        assertEquals(3, memory.get(at + Cqe.VENDOR_ERROR));
        assertEquals(QueuePairState.ERR, state(PEER_QP));
        assertTrue(hasAttention(RECEIVE_CQ), "receives behind it are to be flushed");
        assertEquals(1, peer.consumed());
    }

    @Test
    void aPeerThatFailsWithoutAReceiveIsLookedAtByItsOwner() {
        make();
        peer().fail();
        assertEquals(QueuePairState.ERR, state(PEER_QP));
        assertTrue(hasAttention(RECEIVE_CQ));
        expectNothingMore();
    }

    private Responder shared() {
        make(true, 0, 0);
        Responder peer = peer();
        assertTrue(peer instanceof SharedResponder);
        return peer;
    }

    /** Whether the first receive of the SRQ is. */
    private boolean isGivenUp() {
        return SrqContext.isGivenUp(SrqContext.owner(memory, SRQ, 0));
    }

    @Test
    void aCompletionOfASharedReceiveNamesItsSrq() {
        Responder peer = shared();
        posted(2);
        pieces(peer.peekReceive(), others, 64);
        Engine engine = make(true, 0, 0);
        engine.connect(peer);
        load(0, send(8, 0));
        engine.ring(1);
        int at = expectReceived(WcStatus.SUCCESS);
        assertEquals(SRQN, BigEndian.getInt(memory, at + Cqe.SRQN));
    }

    @Test
    void theKeysOfSharedReceivesAreThoseOfTheSrqsDomain() {
        Responder peer = shared();
        posted(2);
        int wqe = peer.peekReceive();
        segment(wqe, 8, others.key(), others.address());
        memory.putLong(DATA, 99);
        assertTrue(peer.scatter(wqe, memory, DATA, 8));
        assertEquals(99, memory.getLong(DATA + 2 * DATA_BYTES));
        segment(wqe, 8, to.key(), to.address());
        assertFalse(peer.scatter(wqe, memory, DATA, 8), "a key of the QP's own domain");
    }

    @Test
    void aSharedReceiveThatIsGivenUpIsToldToItsOwnerAndAnotherIsTakenNext() {
        Responder peer = shared();
        posted(3);
        peer.giveUp();
        assertFalse(hasAttention(RECEIVE_CQ), "none was taken");
        int first = peer.peekReceive();
        assertEquals(first, peer.peekReceive(), "it is kept until it is used");
        assertFalse(isGivenUp());
        peer.giveUp();
        assertTrue(isGivenUp());
        assertTrue(hasAttention(RECEIVE_CQ), "the owner is to flush it");
        assertEquals(first + STRIDE, peer.peekReceive());
    }

    @Test
    void aPeerThatFailsGivesUpTheSharedReceiveThatWasTakenForIt() {
        Responder peer = shared();
        posted(2);
        peer.peekReceive();
        peer.fail();
        assertTrue(isGivenUp());
        assertEquals(QueuePairState.ERR, state(PEER_QP));
        assertEquals(1, new SharedReceives(space, address(SRQ)).take(PEER + 1), "others have the next");
    }

    /** One that takes a receive for a message in the short way, which then is too long for its first piece. */
    private Engine takesAndLeaves() {
        Engine engine = make(true, 0, 0);
        engine.connect(peer());
        segment(srqWqe(0) + 16, 4, others.key(), others.address());
        segment(srqWqe(0) + 32, 60, others.key(), others.address() + 4);
        posted(2);
        assertFalse(engine.push(0, send(8, 0)));
        assertFalse(isGivenUp(), "it is kept for the long way");
        load(0, send(8, 0));
        return engine;
    }

    @Test
    void aQueueThatIsFlushedLeavesTheSharedReceiveItTook() {
        Engine engine = takesAndLeaves();
        state(QP, QueuePairState.ERR);
        engine.ring(1);
        expectSent(WcStatus.WR_FLUSH_ERR);
        assertTrue(isGivenUp());
    }

    @Test
    void aSendThatFailsBeforeItUsesTheSharedReceiveItTookLeavesIt() {
        Engine engine = takesAndLeaves();
        state(PEER_QP, QueuePairState.ERR);
        engine.ring(1);
        expectSent(WcStatus.RETRY_EXC_ERR);
        assertTrue(isGivenUp());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDomainsReceiveIsNotTouchedByAMessageThatTheKeyRefuses(boolean pushed) {
        Engine engine = make();
        pieces(receiveWqe(0), others, 64);
        posted(1);
        if (pushed) {
            assertFalse(engine.push(0, send(40, 0)));
        }
        load(0, send(40, 0));
        engine.ring(1);
        expectReceived(WcStatus.LOC_PROT_ERR);
        expectSent(WcStatus.REM_OP_ERR);
        assertEquals(0, memory.getLong(DATA + 2 * DATA_BYTES));
    }
}
