package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.SendRequest.Opcode;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** What the peer refuses: keys, ranges and rights of its memory, requests that make no sense, and silence. */
public abstract class RemoteErrorContract extends DeviceContract {

    RemoteErrorContract(DeviceUnderTest dut) {
        super(dut);
    }

    /** Where one-sided verbs of 8 bytes must not go; each is made of a region of 1000 bytes. */
    enum BadTarget {
        UNKNOWN_RKEY((end, mr) -> new Target(mr.address(), mr.rkey() ^ 0x00ff0000)),
        NEIGHBOUR_RKEY((end, mr) -> new Target(mr.address(), mr.rkey() ^ 1)),
        ZERO_RKEY((end, mr) -> new Target(mr.address(), 0)),
        ALL_ONES_RKEY((end, mr) -> new Target(mr.address(), -1)),
        OTHER_PD((end, mr) -> {
            MemoryRegion other = end.side.rig.keep(end.side.otherPd().allocate(64, Side.ALL));
            return new Target(other.address(), other.rkey());
        }),
        EIGHT_BYTES_PAST_THE_END((end, mr) -> new Target(mr.address() + 1000, mr.rkey())),
        EIGHT_BYTES_BEFORE((end, mr) -> new Target(mr.address() - 8, mr.rkey())),
        ADDRESS_ZERO((end, mr) -> new Target(0, mr.rkey())),
        ADDRESS_WRAPS_UNSIGNED((end, mr) -> new Target(-8, mr.rkey())),
        ADDRESS_NEAR_LARGEST((end, mr) -> new Target(Long.MAX_VALUE - 7, mr.rkey())),
        FOUR_GIB_OFF((end, mr) -> new Target(mr.address() + (1L << 32), mr.rkey())),
        DEREGISTERED((end, mr) -> {
            mr.close();
            return new Target(mr.address(), mr.rkey());
        }),
        LOCAL_MEMORY_OF_THE_PROCESS((end, mr) -> {
            MemoryRegion direct = end.side.rig.keep(end.side.pd.register(
                    ByteBuffer.allocateDirect(64), Access.LOCAL_WRITE));
            return new Target(direct.address(), direct.rkey());
        });

        private final BiFunction<End, MemoryRegion, Target> maker;

        BadTarget(BiFunction<End, MemoryRegion, Target> maker) {
            this.maker = maker;
        }

        Target make(End end) {
            return maker.apply(end, end.side.memory(1000));
        }
    }

    record Target(long address, int rkey) {

        static Target of(MemoryRegion mr, long offset) {
            return new Target(mr.address() + offset, mr.rkey());
        }
    }

    private static SendRequest request(Pair pair, Opcode opcode, Target target, int length) {
        End left = pair.left();
        return switch (opcode) {
            case RDMA_WRITE -> SendRequest.write(2, target.address, target.rkey, left.sge(0, length));
            case RDMA_WRITE_WITH_IMM -> SendRequest.writeWithImmediate(
                    2, target.address, target.rkey, 1, left.sge(0, length));
            case RDMA_READ -> SendRequest.read(2, target.address, target.rkey, left.sge(64, length));
            case COMPARE_SWAP -> SendRequest.compareAndSwap(
                    2, target.address, target.rkey, 0, 1, left.sge(64, 8));
            default -> SendRequest.fetchAndAdd(2, target.address, target.rkey, 1, left.sge(64, 8));
        };
    }

    /** Posts the request, which the peer must refuse with the status; both QPs are in ERR then. */
    private void refused(Pair pair, SendRequest request, WcStatus status) {
        End left = pair.left();
        byte[] results = Pattern.bytes(64, 64);
        left.put(64, results);
        pair.right().receive(31, 128, 8);
        pair.right().receive(32, 128, 8);
        left.post(request, SendRequest.send(3, left.sge(0, 8)));
        left.sentFails(2, status);
        left.sentFails(3, WcStatus.WR_FLUSH_ERR);
        left.assertBytes(results, 64);
        pair.right().awaitState(QueuePairState.ERR);
        left.awaitState(QueuePairState.ERR);
        pair.right().receivedFails(31, WcStatus.WR_FLUSH_ERR);
        pair.right().receivedFails(32, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(BadTarget.class)
    void memoryThatAPeerMustNotTouchIsRefusedToEveryVerb(BadTarget kind) {
        for (Opcode opcode : Opcode.values()) {
            if (opcode.isOneSided() && opcode != Opcode.RDMA_WRITE_WITH_IMM) {
                Pair pair = rig.pair();
                refused(pair, request(pair, opcode, kind.make(pair.right()), 8), WcStatus.REM_ACCESS_ERR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RDMA_WRITE", "RDMA_READ"})
    void oneByteOutsideTheRegionIsRefused(String opcode) {
        for (long offset : new long[] {-1, 993}) {
            Pair pair = rig.pair();
            MemoryRegion mr = rig.right.memory(1000);
            pair.left().put(0, new byte[] {1, 1, 1, 1, 1, 1, 1, 1});
            refused(pair, request(pair, Opcode.valueOf(opcode), Target.of(mr, offset), 8), WcStatus.REM_ACCESS_ERR);
            byte[] all = new byte[1000];
            mr.buffer(0, 1000).get(0, all);
            assertArrayEquals(new byte[1000], all, "nothing was written, not even inside");
        }
    }

    @Test
    void aRequestLongerThanTheRegionIsRefused() {
        for (Opcode opcode : new Opcode[] {Opcode.RDMA_WRITE, Opcode.RDMA_READ}) {
            Pair pair = rig.pair();
            pair.left().put(0, new byte[64]);
            Target target = Target.of(rig.right.memory(63), 0);
            refused(pair, request(pair, opcode, target, 64), WcStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    void aVerbWhoseRightTheRegionLacksIsRefused() {
        int all = Side.ALL;
        lacks(Opcode.RDMA_WRITE, all & ~Access.REMOTE_WRITE);
        lacks(Opcode.RDMA_READ, all & ~Access.REMOTE_READ);
        lacks(Opcode.COMPARE_SWAP, all & ~Access.REMOTE_ATOMIC);
        lacks(Opcode.FETCH_ADD, all & ~Access.REMOTE_ATOMIC);
        lacks(Opcode.FETCH_ADD, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        lacks(Opcode.RDMA_WRITE, 0);
        lacks(Opcode.RDMA_READ, Access.LOCAL_WRITE);
    }

    private void lacks(Opcode opcode, int access) {
        Pair pair = rig.pair();
        MemoryRegion mr = rig.right.memory(64, access);
        refused(pair, request(pair, opcode, Target.of(mr, 8), 8), WcStatus.REM_ACCESS_ERR);
        assertEquals(0, mr.buffer(8, 8).getLong(0));
    }

    @Test
    void aMisalignedAtomicIsAnInvalidRequest() {
        assumeTrue(dut.postsMisalignedAtomics(), "the device refuses such a post");
        for (Opcode opcode : new Opcode[] {Opcode.COMPARE_SWAP, Opcode.FETCH_ADD}) {
            for (int off : new int[] {1, 4, 7}) {
                Pair pair = rig.pair();
                MemoryRegion mr = rig.right.memory(64);
                refused(pair, request(pair, opcode, Target.of(mr, off), 8), WcStatus.REM_INV_REQ_ERR);
                assertEquals(0, mr.buffer(off, 8).getLong(0));
            }
        }
    }

    @Test
    void aRefusedWriteWithImmediateBringsNoImmediate() {
        Pair pair = rig.pair();
        MemoryRegion mr = rig.right.memory(64, Access.LOCAL_WRITE);
        SendRequest write = request(pair, Opcode.RDMA_WRITE_WITH_IMM, Target.of(mr, 0), 8);
        refused(pair, write, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void keysOfOtherRegionsDoNotReviveADeadOne() {
        Pair pair = rig.pair();
        MemoryRegion dead = rig.right.memory(1000);
        Target target = Target.of(dead, 0);
        dead.close();
        for (int i = 0; i < 20; i++) {
            rig.right.memory(1000).close();
            rig.right.memory(1000);
        }
        refused(pair, request(pair, Opcode.RDMA_WRITE, target, 8), WcStatus.REM_ACCESS_ERR);
    }

    private void silent(Pair pair) {
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 8)), SendRequest.send(2).signalled());
        pair.left().sentFails(1, WcStatus.RETRY_EXC_ERR);
        pair.left().sentFails(2, WcStatus.WR_FLUSH_ERR);
        pair.left().awaitState(QueuePairState.ERR);
    }

    @Test
    void aPeerQpInErrorDoesNotAnswerSends() {
        Pair pair = rig.pair();
        pair.exercise(1);
        pair.right().qp.error();
        silent(pair);
    }

    @Test
    void aPeerQpInErrorDoesNotAnswerOneSidedVerbs() {
        for (Opcode opcode : Opcode.values()) {
            if (opcode.isOneSided()) {
                Pair pair = rig.pair();
                pair.right().receive(9, 0, 8);
                pair.right().qp.error();
                pair.right().receivedFails(9, WcStatus.WR_FLUSH_ERR);
                pair.left().post(request(pair, opcode, Target.of(pair.right().mr, 1024), 8));
                pair.left().sentFails(2, WcStatus.RETRY_EXC_ERR);
                assertEquals(0, pair.right().getLong(1024));
                rig.assertQuiet();
            }
        }
    }

    /** As {@link #silent}, once the peer was closed. */
    private void closed(Pair pair) {
        if (!dut.endsWithItsPeer()) {
            silent(pair);
            return;
        }
        pair.left().awaitState(QueuePairState.ERR);
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 8)));
        pair.left().sentFails(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aClosedPeerQpDoesNotAnswer() {
        Pair pair = rig.pair();
        pair.exercise(1);
        pair.right().receive(2, 0, 8);
        pair.right().qp.close();
        closed(pair);
    }

    @Test
    void aClosedPeerQpDoesNotAnswerInTheNameOfItsSuccessor() {
        Pair pair = rig.pair();
        pair.exercise(1);
        pair.right().qp.close();
        Pair[] successors = new Pair[4];
        for (int i = 0; i < successors.length; i++) {
            successors[i] = rig.pair();
            successors[i].right().receive(50, 0, 8);
        }
        closed(pair);
        for (Pair successor : successors) {
            successor.left().post(SendRequest.send(4, successor.left().sge(0, 8)).signalled());
            successor.right().receivedOk(50, 8);
        }
    }

    @Tag("slow")
    @Test
    void aPeerThatNeverLeavesInitDoesNotAnswer() {
        assumeTrue(dut.meetsByEndpoints(), "the device connects QPs by connections alone");
        End left = rig.left.end(Setup.usual());
        End right = rig.right.end(Setup.usual());
        left.qp.init();
        right.qp.init();
        right.receive(1, 0, 8);
        left.qp.connect(right.qp.endpoint());
        left.post(SendRequest.send(2, left.sge(0, 8)));
        left.sentFails(2, WcStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.INIT, right.qp.state());
        rig.assertQuiet();
    }

    @Test
    void aPeerThatFailsWhileASendWaitsForAReceiveEndsTheWait() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 8)), SendRequest.send(2).signalled());
        rig.assertQuiet();
        pair.right().qp.error();
        pair.left().sentFails(1, WcStatus.RETRY_EXC_ERR);
        pair.left().sentFails(2, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aQpThatHasItsPeerRefusesAnother() {
        assumeTrue(dut.knowsPeers(), "the device does not ask a peer when it connects to it");
        Pair pair = rig.pair();
        End stranger = rig.left.end(Setup.usual());
        stranger.qp.init();
        assertThrows(VerbsException.class, () -> stranger.qp.connect(pair.right().qp.endpoint()));
        assertEquals(QueuePairState.INIT, stranger.qp.state());
        Pair.connect(stranger, rig.right.end(Setup.usual())).exercise(2);
        pair.right().receive(1, 128, 8);
        pair.left().post(SendRequest.send(3, pair.left().sge(0, 8)).signalled());
        pair.right().receivedOk(1, 8);
    }
}
