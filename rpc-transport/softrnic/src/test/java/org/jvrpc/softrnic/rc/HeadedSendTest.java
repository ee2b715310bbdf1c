package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Push;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** SENDs whose header is handed over: what of the body is looked up once, and when all is left to the ring. */
final class HeadedSendTest extends RcFixture {

    private static final long FIRST = 0x0807060504030201L;
    private static final long SECOND = 0x100f0e0d0c0b0a09L;
    /** Longer than a CQE takes. */
    private static final int LONG = 200;

    private final Engine engine = make();

    private Push prepare(LocalRegion head, long headOffset, int bodyKey, long body) {
        return engine.prepare(new long[] {16L << 32 | head.key(), head.address() + headOffset,
            (long) LONG << 32 | bodyKey, body});
    }

    /** The header lies at the beginning of the sender's memory, the body behind it. */
    private Push prepare() {
        return prepare(from, 0, from.key(), from.address() + 16);
    }

    private void receive(int length) {
        pieces(receiveWqe(0), to, length);
        posted(1);
    }

    private void fillBody() {
        for (int i = 16; i < DATA_BYTES; i++) {
            memory.put(DATA + i, (byte) (i + 1));
        }
    }

    /** The message lies where it should, byte for byte: 1, 2, 3 and so on. */
    private void expectAt(int at, int total) {
        for (int i = 0; i < total; i++) {
            assertEquals((byte) (i + 1), memory.get(at + i), "byte " + i);
        }
    }

    private void leftToTheRing(Push push, int length) {
        assertFalse(push.push(0, FIRST, SECOND, length), "length=" + length);
        expectNothingMore();
    }

    @Test
    void aShortOneLiesInTheCqe() {
        fillBody();
        receive(64);
        assertTrue(prepare().push(0, FIRST, SECOND, 16));
        int cqe = expectReceived(WcStatus.SUCCESS);
        assertEquals(32, BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT));
        expectAt(Cqe.inlineOffset(cqe, Cqe.INLINE_32), 32);
        expectNothingMore();
    }

    /** Has the peer's CQ have entries of 128 bytes. Returns the offset of the first CQE. */
    private int widen() {
        Cqe.initialize(memory, RECEIVE_CQ + CqContext.RING, CQES / 2, 128);
        CqContext.write(memory, RECEIVE_CQ, 2, CQES / 2, 128, false, false);
        return RECEIVE_CQ + CqContext.RING + Cqe.BYTES;
    }

    @ParameterizedTest
    @CsvSource({"0,true", "16,true", "17,true", "40,true", "41,false", "48,false", "80,false"})
    void oneOfUpToFiftySixBytesLiesInFrontOfTheTailOfAWideCqe(int length, boolean inLine) {
        fillBody();
        receive(128);
        int cqe = widen();
        engine.connect(peer());
        assertTrue(prepare().push(0, FIRST, SECOND, length));
        long tail = BigEndian.getLong(memory, cqe + Cqe.TAIL);
        assertEquals(Cqe.RESP_SEND, Cqe.opcode(tail));
        assertEquals(inLine ? 16 + length : 0, Cqe.lineBytes(tail));
        if (!inLine) {
            assertEquals(16 + length, BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT));
        }
        expectAt(inLine ? cqe : cqe - Cqe.BYTES, 16 + length);
    }

    @Test
    void oneToAPeerThatSharesItsReceivesLeavesRoomForItsSrqsNumber() {
        Engine shared = make(true, QueuePairAttributes.RNR_RETRY_FOREVER, 1000);
        int cqe = widen();
        shared.connect(peer());
        pieces(srqWqe(0) + 16, others, 64);
        posted(1);
        assertTrue(shared.push(0, new long[] {control(0, Wqe.SEND, 2), 0, sge(40), from.address()}));
        assertEquals(0, Cqe.lineBytes(BigEndian.getLong(memory, cqe + Cqe.TAIL)));
        assertEquals(SRQN, BigEndian.getInt(memory, cqe + Cqe.SRQN));
        assertEquals(40, BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT));
    }

    @Test
    void aLongOneLiesInTheReceive() {
        fillBody();
        receive(16 + LONG);
        assertTrue(prepare().push(0, FIRST, SECOND, LONG));
        int cqe = expectReceived(WcStatus.SUCCESS);
        assertEquals(16 + LONG, BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT));
        expectAt(DATA + DATA_BYTES, 16 + LONG);
    }

    /** Returns a buffer with so many bytes of the message, from byte 24 on, which lie behind five others. */
    private static ByteBuffer rest(boolean direct, int length) {
        ByteBuffer rest = direct ? ByteBuffer.allocateDirect(5 + length) : ByteBuffer.allocate(5 + length);
        for (int i = 0; i < length; i++) {
            rest.put(5 + i, (byte) (25 + i));
        }
        return rest;
    }

    @ParameterizedTest
    @CsvSource({"true,8", "true,400", "false,400"})
    void theRestOfABodyIsTakenFromAnyBuffer(boolean direct, int length) {
        fillBody();
        receive(24 + length);
        assertTrue(prepare().push(0, FIRST, SECOND, 8, rest(direct, length), 5, length));
        int cqe = expectReceived(WcStatus.SUCCESS);
        assertEquals(24 + length, BigEndian.getInt(memory, cqe + Cqe.BYTE_COUNT));
        expectAt(length == 8 ? Cqe.inlineOffset(cqe, Cqe.INLINE_32) : DATA + DATA_BYTES, 24 + length);
        expectNothingMore();
    }

    @Test
    void aBodyMayLieElsewhereAsAWhole() {
        fillBody();
        receive(16 + LONG);
        ByteBuffer whole = memory.slice(DATA + 16, LONG);
        assertTrue(prepare().push(0, FIRST, SECOND, 0, whole, 0, LONG));
        expectReceived(WcStatus.SUCCESS);
        expectAt(DATA + DATA_BYTES, 16 + LONG);
    }

    private void leftToTheRing(int head, ByteBuffer rest, int at, int length) {
        assertFalse(prepare().push(0, FIRST, SECOND, head, rest, at, length),
                "head=" + head + " at=" + at + " length=" + length);
        expectNothingMore();
    }

    @Test
    void aBodyThatLiesInNoBufferOrIsTooLongForTheReceiveIsLeftToTheRing() {
        fillBody();
        receive(16 + LONG);
        ByteBuffer rest = rest(true, LONG);
        leftToTheRing(8, rest, 6, LONG);
        leftToTheRing(8, rest, -1, 100);
        leftToTheRing(8, rest, 5, -1);
        leftToTheRing(8, rest, 5, LONG - 7);
        leftToTheRing(-1, rest, 5, 100);
        leftToTheRing(DATA_BYTES - 15, rest, 5, 100);
        leftToTheRing(Integer.MAX_VALUE, rest, 5, 100);
        leftToTheRing(8, rest.limit(100), 5, 100);
        rest.clear();
        assertTrue(prepare().push(0, FIRST, SECOND, 8, rest, 5, LONG - 8));
        expectReceived(WcStatus.SUCCESS);
        expectAt(DATA + DATA_BYTES, 16 + LONG);
    }

    @Test
    void theBeginningOfABodyThatGoesOnElsewhereLiesInItsRegion() {
        int room = 20;
        Push push = prepare(from, 0, from.key(), from.address() + DATA_BYTES - room);
        receive(64);
        assertFalse(push.push(0, FIRST, SECOND, room + 1, rest(true, 8), 5, 8));
        expectNothingMore();
        assertTrue(push.push(0, FIRST, SECOND, room, rest(true, 8), 5, 8));
        expectReceived(WcStatus.SUCCESS);
        receive(64);
        regions.retract(from);
        assertFalse(push.push(0, FIRST, SECOND, 0, rest(true, 8), 5, 8));
        expectNothingMore();
    }

    @Test
    void aBufferWhoseLimitChangesMeanwhileEndsTheQp() {
        receive(16 + LONG);
        ByteBuffer rest = rest(true, LONG);
        space.whenLookedAt = () -> rest.limit(LONG / 2);
        leftToTheRing(0, rest, 5, LONG);
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told");
    }

    /** Returns memory that was given back, where the JDK has such: from 22 on. */
    private static ByteBuffer givenBack(int length) throws ReflectiveOperationException {
        assumeTrue(Runtime.version().feature() >= 22, "memory that can be given back needs JDK 22");
        Class<?> type = Class.forName("java.lang.foreign.Arena");
        Object arena = type.getMethod("ofConfined").invoke(null);
        Object segment = type.getMethod("allocate", long.class, long.class).invoke(arena, (long) length, 8L);
        ByteBuffer buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer")
                .invoke(segment);
        type.getMethod("close").invoke(arena);
        return buffer;
    }

    @Test
    void aBufferThatCannotBeReadFailsTheSendAndNothingElse() throws ReflectiveOperationException {
        fillBody();
        receive(16 + LONG);
        ByteBuffer rest = givenBack(LONG);
        assertThrows(IllegalStateException.class, () -> prepare().push(0, FIRST, SECOND, 0, rest, 0, LONG));
        assertEquals(QueuePairState.RTS, state(QP));
        assertTrue(prepare().push(0, FIRST, SECOND, 8, rest(true, LONG - 8), 5, LONG - 8));
        expectReceived(WcStatus.SUCCESS);
        expectAt(DATA + DATA_BYTES, 16 + LONG);
    }

    @Test
    void whatWaitsIsNotOvertakenByABodyThatLiesElsewhere() {
        load(0, send(8, 0));
        engine.ring(1);
        receive(64);
        assertFalse(prepare().push(1, FIRST, SECOND, 0, rest(true, 8), 5, 8));
        expectNothingMore();
    }

    @Test
    void whereAnEndIsNotReadyABodyThatLiesElsewhereIsLeftToTheRing() {
        receive(64);
        state(PEER_QP, QueuePairState.ERR);
        leftToTheRing(0, rest(true, 8), 5, 8);
        state(PEER_QP, QueuePairState.RTS);
        state(QP, QueuePairState.ERR);
        leftToTheRing(0, rest(true, 8), 5, 8);
    }

    @Test
    void oneIsAsLongAsTheBodysRegionAtMost() {
        int room = 20;
        Push push = prepare(from, 0, from.key(), from.address() + DATA_BYTES - room);
        receive(64);
        leftToTheRing(push, room + 1);
        leftToTheRing(push, Integer.MAX_VALUE);
        leftToTheRing(push, -1);
        leftToTheRing(push, Integer.MIN_VALUE);
        assertTrue(push.push(0, FIRST, SECOND, room));
        expectReceived(WcStatus.SUCCESS);
    }

    @Test
    void oneWithoutABodyNeedsNoRegionForIt() {
        Push push = prepare(from, 0, 0, 0);
        receive(64);
        leftToTheRing(push, 1);
        assertTrue(push.push(0, FIRST, SECOND, 0));
        int cqe = expectReceived(WcStatus.SUCCESS);
        expectAt(Cqe.inlineOffset(cqe, Cqe.INLINE_32), 16);
    }

    @Test
    void theHeadersRegionHoldsAllOfIt() {
        receive(64);
        leftToTheRing(prepare(from, DATA_BYTES - 15, from.key(), from.address()), 0);
        leftToTheRing(prepare(others, 0, from.key(), from.address()), 0);
        assertTrue(prepare(from, DATA_BYTES - 16, from.key(), from.address()).push(0, FIRST, SECOND, 0));
        expectReceived(WcStatus.SUCCESS);
    }

    @Test
    void aBodyOfAnotherDomainIsLeftToTheRing() {
        receive(64);
        leftToTheRing(prepare(from, 0, others.key(), others.address()), 1);
    }

    @Test
    void aBodyWhoseRegionWentIsLeftToTheRing() {
        Push push = prepare(from, 0, to.key(), to.address());
        receive(64);
        regions.retract(to);
        leftToTheRing(push, 1);
        regions.retract(from);
        leftToTheRing(push, 0);
    }

    @Test
    void aRegionThatWentElsewhereChangesNothing() {
        fillBody();
        receive(64);
        Push push = prepare();
        regions.retract(others);
        assertTrue(push.push(0, FIRST, SECOND, 16));
        expectAt(Cqe.inlineOffset(expectReceived(WcStatus.SUCCESS), Cqe.INLINE_32), 32);
    }

    @Test
    void itTakesNoRoomOfTheRing() {
        pieces(receiveWqe(0), to, 64);
        pieces(receiveWqe(1), to, 64);
        posted(2);
        Push push = prepare();
        leftToTheRing(prepare(), -1);
        assertFalse(push.push(1, FIRST, SECOND, 0), "a WQE before it is in the ring");
        assertTrue(push.push(0, FIRST, SECOND, 0));
        assertTrue(push.push(0, FIRST, SECOND, 0));
        expectReceived(WcStatus.SUCCESS);
        expectReceived(WcStatus.SUCCESS);
        expectNothingMore();
    }

    @Test
    void whereThePeerHasNoReceiveOrOneThatIsTooShortItIsLeftToTheRing() {
        Push push = prepare();
        leftToTheRing(push, 8);
        receive(23);
        leftToTheRing(push, 8);
        receive(24);
        assertTrue(push.push(0, FIRST, SECOND, 8));
        expectReceived(WcStatus.SUCCESS);
    }

    @Test
    void behindSendsThatWaitItIsLeftToTheRing() {
        load(0, send(8, 0));
        engine.ring(1);
        assertTrue(engine.isStalled());
        receive(64);
        assertFalse(prepare().push(0, FIRST, SECOND, 0), "by how far they are executed");
        assertFalse(prepare().push(1, FIRST, SECOND, 0), "by how far they are posted");
        expectNothingMore();
    }

    @Test
    void behindASendThatHasWaitedItIsExecuted() {
        load(0, send(8, 0));
        engine.ring(1);
        receive(64);
        nowNs += 1000;
        engine.progress();
        expectReceived(WcStatus.SUCCESS);
        pieces(receiveWqe(1), to, 64);
        posted(2);
        assertTrue(prepare().push(1, FIRST, SECOND, 0));
        expectReceived(WcStatus.SUCCESS);
    }

    @Test
    void whereAnEndIsNotReadyItIsLeftToTheRing() {
        receive(64);
        Push push = prepare();
        state(PEER_QP, QueuePairState.ERR);
        leftToTheRing(push, 0);
        state(PEER_QP, QueuePairState.RTS);
        state(QP, QueuePairState.ERR);
        leftToTheRing(push, 0);
    }

    @Test
    void whereThePeerSharesItsReceivesItIsLeftToTheRing() {
        Engine shared = make(true, QueuePairAttributes.RNR_RETRY_FOREVER, 1000);
        shared.connect(peer());
        pieces(srqWqe(0) + 16, others, 64);
        posted(1);
        Push push = shared.prepare(new long[] {16L << 32 | from.key(), from.address(), from.key(), from.address()});
        leftToTheRing(push, 0);
    }

    @Test
    void whereMessagesRunChainsItIsLeftToTheRing() {
        Responder peer = peer();
        peer.chains((MessageChains) Proxy.newProxyInstance(MessageChains.class.getClassLoader(),
                new Class<?>[] {MessageChains.class}, (proxy, method, arguments) -> false));
        engine.connect(peer);
        receive(64);
        leftToTheRing(prepare(), 0);
    }

    @Test
    void aPeerWhoseMemoryIsGoneEndsTheQp() {
        receive(16 + LONG);
        space.whenLookedAt = () -> {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        };
        leftToTheRing(prepare(), LONG);
        assertEquals(QueuePairState.ERR, state(QP));
        assertEquals(1, own.failures, "the owner is told");
        assertEquals(0, CqContext.flags(memory, RECEIVE_CQ));
    }
}
