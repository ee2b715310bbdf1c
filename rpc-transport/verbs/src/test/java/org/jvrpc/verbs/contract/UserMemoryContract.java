package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/**
 * Memory that the user brings, in the SGEs of all verbs: of devices that deliver to it, too, which shared memory's do
 * not, as a peer's processor cannot reach it.
 */
public abstract class UserMemoryContract extends DeviceContract {

    private static final int BYTES = 8192;
    private static final int AT = 4096;

    private Pair pair;

    protected UserMemoryContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void prepare() {
        pair = rig.pair();
    }

    /** Direct memory and its region. */
    private record User(ByteBuffer memory, MemoryRegion mr) {

        static User of(Rig rig, End end, int access) {
            ByteBuffer memory = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
            return new User(memory, rig.keep(end.side.pd.register(memory, access)));
        }

        Sge sge(int offset, int length) {
            return Sge.of(mr, offset, length);
        }

        void put(int offset, byte[] bytes) {
            memory.put(offset, bytes);
        }

        byte[] bytes(int offset, int length) {
            byte[] bytes = new byte[length];
            memory.get(offset, bytes);
            return bytes;
        }

        void assertBytes(byte[] expected, int offset) {
            assertArrayEquals(expected, bytes(offset, expected.length), "at offset=" + offset);
        }
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {1, 40, 112, 113, 4000})
    void eachSendTakesWhatTheMemoryHoldsThen(int size) {
        User from = User.of(rig, pair.left(), 0);
        for (int i = 0; i < 40; i++) { // more than the queue holds
            byte[] data = Pattern.bytes(i, size);
            from.put(7, data);
            pair.right().receive(i, AT, size);
            pair.left().post(SendRequest.send(i, from.sge(7, size)).signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, size);
            pair.right().assertBytes(data, AT);
        }
    }

    @Test
    void requestsOfOneCallEachTakeTheirOwnPieces() {
        User from = User.of(rig, pair.left(), 0);
        from.put(0, Pattern.bytes(1, BYTES));
        pair.left().put(0, Pattern.bytes(2, 100));
        pair.right().receive(1, AT, 1000);
        MemoryRegion to = pair.right().mr;
        pair.left().post(
                SendRequest.write(1, to.address(), to.rkey(), from.sge(5, 300)),
                SendRequest.send(2, from.sge(4000, 200), pair.left().sge(0, 100), from.sge(1, 3)),
                SendRequest.write(3, to.address() + 300, to.rkey(), from.sge(6000, 77)).signalled());
        pair.left().sentOk(3, WcOpcode.RDMA_WRITE);
        pair.right().receivedOk(1, 303);
        pair.right().assertBytes(from.bytes(5, 300), 0);
        pair.right().assertBytes(from.bytes(6000, 77), 300);
        pair.right().assertBytes(from.bytes(4000, 200), AT);
        pair.right().assertBytes(pair.left().bytes(0, 100), AT + 200);
        pair.right().assertBytes(from.bytes(1, 3), AT + 300);
    }

    @Test
    void answersOfUnsignalledRequestsAreThereWhenALaterOneCompletes() {
        User into = User.of(rig, pair.left(), Access.LOCAL_WRITE);
        byte[] there = Pattern.bytes(3, 600);
        pair.right().put(0, there);
        pair.right().putLong(1024, 41);
        MemoryRegion at = pair.right().mr;
        pair.left().post(
                SendRequest.read(1, at.address(), at.rkey(), into.sge(100, 200), into.sge(400, 400)),
                SendRequest.fetchAndAdd(2, at.address() + 1024, at.rkey(), 1, into.sge(1024, 8)),
                SendRequest.compareAndSwap(3, at.address() + 1024, at.rkey(), 42, 7, into.sge(2048, 8)),
                SendRequest.write(4, at.address() + 2000, at.rkey(), pair.left().sge(0, 8)).signalled());
        pair.left().sentOk(4, WcOpcode.RDMA_WRITE);
        assertArrayEquals(there, concat(into.bytes(100, 200), into.bytes(400, 400)));
        assertEquals(41, into.memory().getLong(1024));
        assertEquals(42, into.memory().getLong(2048));
        assertEquals(7, pair.right().getLong(1024));
        into.assertBytes(new byte[100], 300);
        into.assertBytes(new byte[8], 1032);
    }

    @Test
    void anAnswerIsTakenOnce() {
        User into = User.of(rig, pair.left(), Access.LOCAL_WRITE);
        pair.right().put(0, Pattern.bytes(3, 200));
        pair.left().post(SendRequest.read(1, pair.right().address(0), pair.right().mr.rkey(), into.sge(0, 200))
                .signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        byte[] own = Pattern.bytes(4, 200);
        into.put(0, own);
        for (int i = 0; i < 400; i++) { // short ones, which may leave what was at their places of the queue
            pair.right().receive(i, AT, 8);
            SendRequest send = SendRequest.send(i, pair.left().sge(0, 8));
            pair.left().post(i % 5 == 4 ? send.signalled() : send);
            pair.right().receivedOk(i, 8);
            if (i % 5 == 4) {
                pair.left().sentOk(i, WcOpcode.SEND);
                into.assertBytes(own, 0);
            }
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {1, 20, 60, 100, 150, 3000})
    void aMessageIsReceivedWhereTheSgesSayAndNowhereElse(int size) {
        User into = User.of(rig, pair.right(), Access.LOCAL_WRITE);
        byte[] data = Pattern.bytes(size, size);
        pair.left().put(0, data);
        pair.right().put(0, new byte[40]);
        into.put(0, Pattern.bytes(4, BYTES));
        byte[] before = into.bytes(0, BYTES);
        pair.right().receive(1, into.sge(64, 33), pair.right().sge(0, 40), into.sge(1000, 5000));
        pair.left().post(SendRequest.send(2, pair.left().sge(0, size)).signalled());
        pair.left().sentOk(2, WcOpcode.SEND);
        pair.right().receivedOk(1, size);
        ByteBuffer expected = ByteBuffer.wrap(before);
        int first = Math.min(size, 33);
        expected.put(64, data, 0, first);
        int rest = Math.max(0, size - 73);
        expected.put(1000, data, size - rest, rest);
        into.assertBytes(before, 0);
        byte[] middle = pair.right().bytes(0, 40);
        assertArrayEquals(ByteBuffer.allocate(40).put(data, first, size - first - rest).array(), middle);
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {8, 500})
    void aSharedReceiveMayLieThere(int size) {
        assumeTrue(dut.sharesReceives(), "the device has no shared receive queues");
        SharedPairs pairs = new SharedPairs(rig, 1, 4, Setup.usual());
        Pair shared = pairs.get(0);
        User into = User.of(rig, shared.right(), Access.LOCAL_WRITE);
        byte[] data = Pattern.bytes(size, size);
        shared.left().put(0, data);
        pairs.receive(1, into.sge(77, size));
        shared.left().post(SendRequest.send(2, shared.left().sge(0, size)).signalled());
        shared.left().sentOk(2, WcOpcode.SEND);
        shared.right().receivedOk(1, size);
        into.assertBytes(data, 77);
        into.assertBytes(new byte[77], 0);
    }

    @Test
    void aWriteWithImmediateLeavesTheMemoryOfTheReceiveAlone() {
        User into = User.of(rig, pair.right(), Access.LOCAL_WRITE);
        byte[] data = Pattern.bytes(1, 300);
        pair.left().put(0, data);
        pair.right().receive(1, into.sge(0, 300));
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 300)).signalled());
        pair.left().sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, 300);
        byte[] own = Pattern.bytes(2, 300);
        into.put(0, own);
        pair.right().receive(2, into.sge(0, 300));
        MemoryRegion to = pair.right().mr;
        pair.left().post(SendRequest.writeWithImmediate(2, to.address(), to.rkey(), 5, pair.left().sge(0, 300))
                .signalled());
        pair.left().sentOk(2, WcOpcode.RDMA_WRITE);
        pair.right().receivedOk(2, 300, WcOpcode.RECV_RDMA_WITH_IMM);
        into.assertBytes(own, 0);
    }

    @Test
    void memoryThatMayNotBeWrittenTakesNoAnswer() {
        User into = User.of(rig, pair.left(), 0);
        byte[] own = Pattern.bytes(2, BYTES);
        into.put(0, own);
        pair.left().post(SendRequest.read(1, pair.right().address(0), pair.right().mr.rkey(), into.sge(0, 300))
                .signalled());
        pair.left().sentFails(1, WcStatus.LOC_PROT_ERR);
        into.assertBytes(own, 0);
    }

    @Test
    void aPartThatIsSharedReachesTheSameMemory() {
        assumeTrue(dut.shares(), "the device shares no regions between domains");
        User into = User.of(rig, pair.right(), Access.LOCAL_WRITE);
        MemoryRegion part = rig.keep(pair.right().side.pd.share(into.mr(), 512, 1024, Access.LOCAL_WRITE));
        byte[] data = Pattern.bytes(9, 1000);
        pair.left().put(0, data);
        pair.right().receive(1, Sge.of(part, 24, 1000));
        pair.left().post(SendRequest.send(1, pair.left().sge(0, 1000)).signalled());
        pair.left().sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, 1000);
        into.assertBytes(data, 536);
        into.assertBytes(new byte[536], 0);
    }

    @Test
    void inlineDataComesFromTheMemoryItself() {
        User from = User.of(rig, pair.left(), 0);
        byte[] data = Pattern.bytes(5, 100);
        from.put(0, data);
        pair.right().receive(1, AT, 100);
        pair.left().post(SendRequest.send(1, from.sge(0, 100)).inline().signalled());
        from.put(0, new byte[100]);
        pair.left().sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, 100);
        pair.right().assertBytes(data, AT);
    }

    @Test
    void mixturesOfRequestsRunManyLaps() {
        var random = new SplittableRandom(Pattern.seed("mixturesOfRequestsRunManyLaps"));
        User left = User.of(rig, pair.left(), Access.LOCAL_WRITE);
        User right = User.of(rig, pair.right(), Access.LOCAL_WRITE);
        for (int i = 0; i < 300; i++) {
            int size = 1 + random.nextInt(random.nextBoolean() ? 100 : 2000);
            int from = random.nextInt(BYTES - size);
            int to = random.nextInt(BYTES - size);
            byte[] data = Pattern.bytes(i, size);
            boolean read = random.nextInt(4) == 0;
            boolean signalled = i % 5 == 0 || read;
            if (read) {
                pair.right().put(AT, data);
                pair.left().post(SendRequest.read(i, pair.right().address(AT), pair.right().mr.rkey(),
                        left.sge(from, size)).signalled());
            } else {
                left.put(from, data);
                pair.right().receive(i, right.sge(to, size));
                SendRequest send = SendRequest.send(i, left.sge(from, size));
                pair.left().post(signalled ? send.signalled() : send);
                pair.right().receivedOk(i, size);
                right.assertBytes(data, to);
            }
            if (signalled) {
                pair.left().sentOk(i, read ? WcOpcode.RDMA_READ : WcOpcode.SEND);
            }
            left.assertBytes(data, from);
        }
    }
}
