package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What is wrong on one's own side: SGEs that name memory which they must not, receives that are too small. */
public abstract class LocalErrorContract extends DeviceContract {

    private static final int AT = 4096;

    LocalErrorContract(DeviceUnderTest dut) {
        super(dut);
    }

    /** SGEs that no device may touch; each is made of a region of 1000 bytes. */
    enum BadSge {
        UNKNOWN_LKEY((end, mr) -> new Sge(mr.address(), 8, mr.lkey() ^ 0x00ff0000)),
        ZERO_LKEY((end, mr) -> new Sge(mr.address(), 8, 0)),
        ALL_ONES_LKEY((end, mr) -> new Sge(mr.address(), 8, -1)),
        END_MARKER_LKEY((end, mr) -> new Sge(mr.address(), 8, 0x100)),
        OTHER_PD((end, mr) -> Sge.of(end.side.rig.keep(end.side.otherPd().allocate(64, Side.ALL)), 0, 8)),
        ONE_BYTE_PAST_THE_END((end, mr) -> Sge.of(mr, 993, 8)),
        ALL_PAST_THE_END((end, mr) -> Sge.of(mr, 1000, 1)),
        LONGER_THAN_THE_REGION((end, mr) -> Sge.of(mr, 0, 1001)),
        LONGEST((end, mr) -> Sge.of(mr, 0, Integer.MAX_VALUE)),
        ONE_BYTE_BEFORE((end, mr) -> Sge.of(mr, -1, 8)),
        ADDRESS_ZERO((end, mr) -> new Sge(0, 8, mr.lkey())),
        ADDRESS_PLUS_LENGTH_WRAPS_UNSIGNED((end, mr) -> new Sge(-4, 8, mr.lkey())),
        ADDRESS_PLUS_LENGTH_WRAPS_SIGNED((end, mr) -> new Sge(Long.MAX_VALUE - 3, 8, mr.lkey())),
        ADDRESS_NEGATIVE((end, mr) -> new Sge(Long.MIN_VALUE, 8, mr.lkey())),
        DEREGISTERED((end, mr) -> {
            Sge sge = Sge.of(mr, 0, 8);
            mr.close();
            return sge;
        });

        private final BiFunction<End, MemoryRegion, Sge> maker;

        BadSge(BiFunction<End, MemoryRegion, Sge> maker) {
            this.maker = maker;
        }

        Sge make(End end) {
            return maker.apply(end, end.side.memory(1000));
        }
    }

    /**
     * Posts a bad request between two good ones and checks that it alone fails, and how. The last one waits for READs
     * and atomics: a device may have them under way together with what comes behind.
     */
    private void failsHere(Pair pair, Function<End, SendRequest> bad) {
        End left = pair.left();
        pair.right().receive(21, AT, 2048);
        pair.right().receive(22, AT, 2048);
        SendRequest good = SendRequest.send(1, left.sge(0, 8)).signalled();
        left.post(good, bad.apply(left), SendRequest.send(3, left.sge(0, 8)).signalled().fenced());
        left.sentOk(1, WcOpcode.SEND);
        left.sentFails(2, WcStatus.LOC_PROT_ERR);
        left.sentFails(3, WcStatus.WR_FLUSH_ERR);
        assertEquals(QueuePairState.ERR, left.qp.state());
        pair.right().receivedOk(21, 8);
        rig.assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(BadSge.class)
    void aSendFromMemoryThatItMustNotTouchFails(BadSge kind) {
        failsHere(rig.pair(), left -> SendRequest.send(2, kind.make(left)));
    }

    @ParameterizedTest
    @EnumSource(BadSge.class)
    void aBadSgeBehindAGoodOneFailsTheSend(BadSge kind) {
        failsHere(rig.pair(), left -> SendRequest.send(2, left.sge(0, 100), kind.make(left)).signalled());
    }

    @ParameterizedTest
    @EnumSource(BadSge.class)
    void aWriteFromMemoryThatItMustNotTouchFailsAndWritesNothing(BadSge kind) {
        Pair pair = rig.pair();
        failsHere(pair, left -> SendRequest.write(
                2, pair.right().address(0), pair.right().mr.rkey(), kind.make(left)));
        assertArrayEquals(new byte[2048], pair.right().bytes(0, 2048));
    }

    @ParameterizedTest
    @EnumSource(BadSge.class)
    void aReadIntoMemoryThatItMustNotTouchFails(BadSge kind) {
        assumeTrue(kind != BadSge.LONGEST || dut.looksHereFirst(), "the remote region is too short, too");
        Pair pair = rig.pair();
        failsHere(pair, left -> SendRequest.read(
                2, pair.right().address(0), pair.right().mr.rkey(), kind.make(left)));
    }

    @ParameterizedTest
    @EnumSource(BadSge.class)
    void anAtomicWhoseResultMustNotBeStoredFails(BadSge kind) {
        Pair pair = rig.pair();
        failsHere(pair, left -> {
            Sge bad = kind.make(left);
            int length = 8;
            return SendRequest.fetchAndAdd(2, pair.right().address(0), pair.right().mr.rkey(), 1,
                    new Sge(bad.length() == 8 ? bad.address() : bad.address() + 1000, length, bad.lkey()));
        });
    }

    @Test
    void readsAndAtomicsNeedTheRightToWriteLocally() {
        Pair first = rig.pair();
        failsHere(first, left -> SendRequest.read(2, first.right().address(0), first.right().mr.rkey(),
                Sge.of(rig.left.memory(64, Access.REMOTE_READ), 0, 8)));
        Pair second = rig.pair();
        failsHere(second, left -> SendRequest.compareAndSwap(2, second.right().address(0), second.right().mr.rkey(),
                0, 1, Sge.of(rig.left.memory(64, 0), 0, 8)));
        Pair third = rig.pair();
        MemoryRegion direct = rig.keep(rig.left.pd.register(ByteBuffer.allocateDirect(64), 0));
        failsHere(third, left -> SendRequest.read(2, third.right().address(0), third.right().mr.rkey(),
                Sge.of(direct, 0, 8)));
    }

    @Test
    void directMemoryIsBoundedLikeAnyOther() {
        MemoryRegion direct = rig.keep(rig.left.pd.register(ByteBuffer.allocateDirect(64), Access.LOCAL_WRITE));
        failsHere(rig.pair(), left -> SendRequest.send(2, Sge.of(direct, 1, 64)));
        failsHere(rig.pair(), left -> SendRequest.send(2, Sge.of(direct, -1, 8)));
        Sge dead = Sge.of(direct, 0, 8);
        direct.close();
        failsHere(rig.pair(), left -> SendRequest.send(2, dead));
    }

    /** A message may end before the part of an SGE that is bad, so the ones that begin well are left out. */
    @ParameterizedTest
    @EnumSource(value = BadSge.class, mode = EnumSource.Mode.EXCLUDE, names = {
        "LONGER_THAN_THE_REGION", "LONGEST", "END_MARKER_LKEY"})
    void aReceiveIntoMemoryThatItMustNotTouchFailsOnBothSides(BadSge kind) {
        Pair pair = rig.pair();
        Sge bad = kind.make(pair.right());
        pair.right().receive(7, pair.right().sge(AT, 500 - bad.length()), bad);
        pair.right().receive(8, AT, 1000);
        failsThere(pair, 500, WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR);
    }

    @Test
    void theLkeyOfTheEndMarkerIsABadLkeyWhenTheLengthIsNotZero() {
        aReceiveIntoMemoryThatItMustNotTouchFailsOnBothSides(BadSge.END_MARKER_LKEY);
    }

    @Test
    void aShortMessageIsNotCopiedToMemoryOfAnotherPd() {
        aShortMessageIntoMemoryThatMustNotBeTouchedFailsAtTheReceiver(BadSge.OTHER_PD);
    }

    @ParameterizedTest(name = "message={0}")
    @ValueSource(ints = {33, 65, 97, 500})
    void aReceiveNeedsTheRightToWriteLocally(int size) {
        Pair pair = rig.pair();
        pair.right().receive(7, Sge.of(rig.right.memory(1000, Access.REMOTE_READ), 0, 1000));
        pair.right().receive(8, AT, 1000);
        failsThere(pair, size, WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR);
    }

    @ParameterizedTest(name = "message={0}")
    @ValueSource(ints = {33, 65, 97, 500})
    void aRegionThatEndsAfterTheReceiveWasPostedIsNotWritten(int size) {
        Pair pair = rig.pair();
        pair.exercise(1);
        MemoryRegion mr = rig.right.memory(1000);
        pair.right().receive(7, Sge.of(mr, 0, 1000));
        pair.right().receive(8, AT, 1000);
        mr.close();
        failsThere(pair, size, WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR);
    }

    /**
     * Data that is scattered to the CQE meets the receive's keys when it is polled, too late for the sender: it is
     * still never written, and the receiver is told.
     */
    @ParameterizedTest
    @EnumSource(value = BadSge.class, mode = EnumSource.Mode.EXCLUDE, names = {
        "LONGER_THAN_THE_REGION", "LONGEST", "END_MARKER_LKEY", "OTHER_PD"})
    void aShortMessageIntoMemoryThatMustNotBeTouchedFailsAtTheReceiver(BadSge kind) {
        Pair pair = rig.pair();
        Sge bad = kind.make(pair.right());
        pair.right().receive(7, pair.right().sge(AT, 8 - bad.length()), bad);
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 8)));
        pair.right().receivedFails(7, WcStatus.LOC_PROT_ERR);
        pair.right().awaitState(QueuePairState.ERR);
    }

    @ParameterizedTest(name = "message={0}")
    @ValueSource(ints = {1, 9, 33, 65, 97, 300})
    void aMessageOneByteLongerThanItsReceiveFailsOnBothSides(int size) {
        for (int cqeBytes : new int[] {64, 128}) {
            for (boolean inPlace : new boolean[] {false, true}) {
                Pair pair = rig.pair(Setup.usual().cq(64, cqeBytes, inPlace));
                pair.right().receive(7, pair.right().sge(AT, size / 2),
                        pair.right().sge(AT + 1000, size - 1 - size / 2));
                pair.right().receive(8, AT, 1000);
                failsThere(pair, size, WcStatus.LOC_LEN_ERR, dut.tooLong());
                pair.right().assertBytes(new byte[1], AT + size / 2);
                pair.right().assertBytes(new byte[1], AT + 1000 + size - 1 - size / 2);
            }
        }
    }

    /** Sends a message to receive 7 and checks how both sides fail; receive 8 is flushed. */
    private void failsThere(Pair pair, int size, WcStatus receiver, WcStatus sender) {
        End left = pair.left();
        left.put(0, Pattern.bytes(size, size));
        left.post(SendRequest.send(1, left.sge(0, size)), SendRequest.send(2, left.sge(0, 8)).signalled());
        pair.right().receivedFails(7, receiver);
        pair.right().receivedFails(8, WcStatus.WR_FLUSH_ERR);
        left.sentFails(1, sender);
        left.sentFails(2, WcStatus.WR_FLUSH_ERR);
        left.awaitState(QueuePairState.ERR);
        pair.right().awaitState(QueuePairState.ERR);
        rig.assertQuiet();
    }

    @Test
    void onlyFourFieldsOfAFailureAreDefined() {
        Pair pair = rig.pair();
        WorkCompletion wc = new WorkCompletion();
        pair.right().receive(1, AT, 8);
        pair.left().post(SendRequest.sendWithImmediate(1, 9, pair.left().sge(0, 8)).signalled(),
                SendRequest.send(0x1234_5678_9abc_def0L, new Sge(pair.left().address(0), 8, 0)).signalled());
        Deadline deadline = Deadline.usual();
        while (!pair.left().sends.cq().poll(wc) || wc.succeeded()) {
            deadline.turn(wc::toString);
        }
        assertEquals(0x1234_5678_9abc_def0L, wc.wrId());
        assertEquals(pair.left().qp.number(), wc.qpNumber());
        assertEquals(WcStatus.LOC_PROT_ERR, wc.status());
        assertThrows(IllegalStateException.class, wc::opcode);
        assertThrows(IllegalStateException.class, wc::byteLength);
        assertThrows(IllegalStateException.class, wc::hasImmediate);
        assertThrows(IllegalStateException.class, wc::immediate);
    }
}
