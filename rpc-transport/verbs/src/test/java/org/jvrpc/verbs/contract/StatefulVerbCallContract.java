package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** Stateful verb calls: made once, changed in place, executed many times. Source: jVerbs, SOCC'13, section 4.2. */
public abstract class StatefulVerbCallContract extends DeviceContract {

    private static final int AT = 4096;

    StatefulVerbCallContract(DeviceUnderTest dut) {
        super(dut);
    }

    private static void outOfBounds(Executable... changes) {
        for (Executable change : changes) {
            assertThrows(IndexOutOfBoundsException.class, change);
        }
    }

    private static void illegal(Executable... calls) {
        for (Executable call : calls) {
            assertThrows(IllegalStateException.class, call);
        }
    }

    @Test
    void oneCallExecutesManyTimesUnchanged() {
        Pair pair = rig.pair();
        PostSend send = pair.left().qp.prepareSend(SendRequest.send(7, pair.left().sge(0, 8)).signalled());
        PostReceive receive = pair.right().qp.prepareReceive(ReceiveRequest.of(8, pair.right().sge(AT, 8)));
        for (int i = 0; i < 1000; i++) {
            pair.left().putLong(0, i);
            assertEquals(1, receive.execute());
            assertEquals(1, send.execute());
            pair.left().sentOk(7, WcOpcode.SEND);
            pair.right().receivedOk(8, 8);
            assertEquals(i, pair.right().getLong(AT));
        }
        assertTrue(send.valid() && receive.valid());
    }

    @Test
    void addressOffsetAndLengthOfEachSgeChangeInPlace() {
        Pair pair = rig.pair();
        End left = pair.left();
        byte[] data = Pattern.bytes(1, 4096);
        left.put(0, data);
        PostSend send = left.qp.prepareSend(SendRequest.send(1, left.sge(0, 8), left.sge(100, 8)).signalled());
        check(pair, send, new int[] {0, 8}, new int[] {100, 8});
        send.offset(0, 1, 30);
        check(pair, send, new int[] {0, 8}, new int[] {130, 8});
        send.offset(0, 1, 5);
        check(pair, send, new int[] {0, 8}, new int[] {105, 8});
        send.address(0, 1, left.address(1000)).length(0, 1, 500);
        check(pair, send, new int[] {0, 8}, new int[] {1000, 500});
        send.offset(0, 1, 7);
        check(pair, send, new int[] {0, 8}, new int[] {1007, 500});
        send.length(0, 0, 0);
        check(pair, send, new int[] {0, 0}, new int[] {1007, 500});
        send.length(0, 0, 40).length(0, 1, 0);
        check(pair, send, new int[] {0, 40}, new int[] {1007, 0});
        send.length(0, 1, 3).offset(0, 0, 11);
        check(pair, send, new int[] {11, 40}, new int[] {1007, 3});
        send.length(0, 0, 0).length(0, 1, 0);
        check(pair, send, new int[] {11, 0}, new int[] {1007, 0});
        send.length(0, 0, 9).length(0, 1, 9);
        check(pair, send, new int[] {11, 9}, new int[] {1007, 9});
    }

    private static void check(Pair pair, PostSend send, int[] first, int[] second) {
        End left = pair.left();
        pair.right().receive(2, AT, 1000);
        assertEquals(1, send.execute());
        left.sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(2, first[1] + second[1]);
        pair.right().assertBytes(left.bytes(first[0], first[1]), AT);
        pair.right().assertBytes(left.bytes(second[0], second[1]), AT + first[1]);
    }

    @Test
    void aCallKeepsItsValuesUntilTheyAreChangedAgain() {
        Pair pair = rig.pair();
        PostSend send = pair.left().qp.prepareSend(SendRequest.send(1, pair.left().sge(0, 4)).signalled());
        send.wrId(0, Long.MIN_VALUE).length(0, 0, 6);
        for (int i = 0; i < 100; i++) {
            pair.right().receive(i, AT, 8);
            assertEquals(1, send.execute());
            pair.left().sentOk(Long.MIN_VALUE, WcOpcode.SEND);
            pair.right().receivedOk(i, 6);
        }
    }

    @Test
    void whatIsChangedAfterExecuteDoesNotReachWhatWasPosted() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        End left = pair.left();
        left.putLong(0, 1);
        left.putLong(8, 2);
        PostSend send = left.qp.prepareSend(SendRequest.send(1, left.sge(0, 8)).signalled());
        assertEquals(1, send.execute());
        send.wrId(0, 2).offset(0, 0, 8);
        assertEquals(1, send.execute());
        send.wrId(0, 3).length(0, 0, 1).lkey(0, 0, 0);
        send.free();
        for (int i = 1; i <= 2; i++) {
            pair.right().receive(i, AT, 8);
            pair.right().receivedOk(i, 8);
            assertEquals(i, pair.right().getLong(AT));
            left.sentOk(i, WcOpcode.SEND);
        }
    }

    @Test
    void lkeySignallingAndImmediateChangeInPlace() {
        Pair pair = rig.pair();
        End left = pair.left();
        MemoryRegion other = rig.left.memory(64);
        other.buffer(8, 8).putLong(0, 4711);
        PostSend send = left.qp.prepareSend(SendRequest.sendWithImmediate(1, 5, left.sge(0, 8)).signalled());
        send.address(0, 0, other.address()).offset(0, 0, 8).lkey(0, 0, other.lkey()).immediate(0, -6);
        pair.right().receive(2, AT, 8);
        assertEquals(1, send.execute());
        left.sentOk(1, WcOpcode.SEND);
        assertEquals(-6, pair.right().receivedOk(2, 8).immediate());
        assertEquals(4711, pair.right().getLong(AT));
        send.signalled(0, false).immediate(0, 9);
        pair.right().receive(3, AT, 8);
        assertEquals(1, send.execute());
        assertEquals(9, pair.right().receivedOk(3, 8).immediate());
        rig.assertQuiet();
        send.signalled(0, true).lkey(0, 0, other.lkey() ^ 0x10000);
        assertEquals(1, send.execute());
        left.sentFails(1, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void remoteAddressAndRkeyChangeInPlace() {
        Pair pair = rig.pair();
        End left = pair.left();
        MemoryRegion first = rig.right.memory(64);
        MemoryRegion second = rig.right.memory(64);
        left.putLong(0, 31);
        PostSend write = left.qp.prepareSend(
                SendRequest.write(1, first.address(), first.rkey(), left.sge(0, 8)).signalled(),
                SendRequest.read(2, first.address(), first.rkey(), left.sge(64, 8)).signalled());
        assertEquals(2, write.execute());
        left.sentOk(1, WcOpcode.RDMA_WRITE);
        left.sentOk(2, WcOpcode.RDMA_READ);
        assertEquals(31, left.getLong(64));
        left.putLong(0, 32);
        write.remoteAddress(0, second.address() + 16).rkey(0, second.rkey());
        write.remoteAddress(1, second.address() + 16).rkey(1, second.rkey());
        assertEquals(2, write.execute());
        left.sentOk(1, WcOpcode.RDMA_WRITE);
        left.sentOk(2, WcOpcode.RDMA_READ);
        assertEquals(32, left.getLong(64));
        assertEquals(32, second.buffer(16, 8).getLong(0));
        assertEquals(31, first.buffer(0, 8).getLong(0));
        write.rkey(1, first.rkey());
        assertEquals(2, write.execute());
        left.sentOk(1, WcOpcode.RDMA_WRITE);
        left.sentFails(2, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void operandsOfAtomicsChangeInPlace() {
        Pair pair = rig.pair();
        End left = pair.left();
        long at = pair.right().address(AT);
        int rkey = pair.right().mr.rkey();
        PostSend call = left.qp.prepareSend(
                SendRequest.fetchAndAdd(1, at, rkey, 1, left.sge(0, 8)),
                SendRequest.compareAndSwap(2, at, rkey, 1, 2, left.sge(8, 8)).signalled());
        long value = 0;
        for (long i = 0; i < 50; i++) {
            long add = i * 0x0123456789abcdefL;
            call.operands(0, -1, add).operands(1, value + add, ~i);
            assertEquals(2, call.execute());
            left.sentOk(2, WcOpcode.COMPARE_SWAP);
            assertEquals(value, left.getLong(0));
            assertEquals(value + add, left.getLong(8));
            value = ~i;
            assertEquals(value, pair.right().getLong(AT));
        }
    }

    @Test
    void inlineDataIsCopiedAnewAtEachExecuteAndMayShrinkAndGrowBack() {
        Pair pair = rig.pair(Setup.usual().inline(100));
        End left = pair.left();
        PostSend send = left.qp.prepareSend(
                SendRequest.send(1, left.sge(0, 40), left.sge(200, 60)).inline().signalled());
        for (int i = 0; i <= 40; i++) {
            left.put(0, Pattern.bytes(i, 40));
            left.put(200, Pattern.bytes(-i, 60));
            int first = i % 2 == 0 ? i : 40 - i;
            send.length(0, 0, first).offset(0, 1, i % 3).length(0, 1, 60 - i);
            check(pair, send, new int[] {0, first}, new int[] {200 + i % 3, 60 - i});
        }
        send.length(0, 0, 40).offset(0, 1, 0).length(0, 1, 60);
        check(pair, send, new int[] {0, 40}, new int[] {200, 60});
    }

    @Test
    void inlineDataPastWhatTheQpWasMadeForIsRefused() {
        Pair pair = rig.pair(Setup.usual().inline(64));
        End left = pair.left();
        assertThrows(VerbsException.class,
                () -> left.qp.prepareSend(SendRequest.send(1, left.sge(0, 65)).inline()));
        assertThrows(VerbsException.class,
                () -> left.qp.prepareSend(SendRequest.send(1, left.sge(0, 60), left.sge(0, 5)).inline()));
        PostSend send = left.qp.prepareSend(SendRequest.send(1, left.sge(0, 60)).inline().signalled());
        assertThrows(RuntimeException.class, () -> {
            send.length(0, 0, 65);
            send.execute();
        });
        send.length(0, 0, 60);
        pair.right().receive(2, AT, 64);
        assertEquals(1, send.execute());
        pair.right().receivedOk(2, 60);
        left.sentOk(1, WcOpcode.SEND);
    }

    @Test
    void listsOfSeveralRequestsKeepTheirOrderAndChangeOneByOne() {
        Pair pair = rig.pair();
        End left = pair.left();
        List<SendRequest> requests = new ArrayList<>();
        List<ReceiveRequest> receives = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            requests.add(SendRequest.sendWithImmediate(i, i, left.sge(8L * i, 8)).signalled());
            receives.add(ReceiveRequest.of(i, pair.right().sge(AT + 8L * i, 8)));
            left.putLong(8L * i, i);
        }
        PostSend send = left.qp.prepareSend(requests.toArray(SendRequest[]::new));
        PostReceive receive = pair.right().qp.prepareReceive(receives.toArray(ReceiveRequest[]::new));
        assertEquals(6, send.size());
        assertEquals(6, receive.size());
        for (int round = 0; round < 200; round++) {
            int odd = round % 6;
            send.wrId(odd, 1000 + round).immediate(odd, -round).length(odd, 0, 3);
            receive.wrId(odd, 2000 + round).address(odd, 0, pair.right().address(2 * AT)).offset(odd, 0, 8);
            assertEquals(6, receive.execute());
            assertEquals(6, send.execute());
            for (int i = 0; i < 6; i++) {
                left.sentOk(i == odd ? 1000 + round : i, WcOpcode.SEND);
                Wc wc = pair.right().receivedOk(i == odd ? 2000 + round : i, i == odd ? 3 : 8);
                assertEquals(i == odd ? -round : i, wc.immediate());
            }
            assertArrayEquals(left.bytes(8L * odd, 3), pair.right().bytes(2 * AT + 8, 3));
            send.wrId(odd, odd).immediate(odd, odd).length(odd, 0, 8);
            receive.wrId(odd, odd).address(odd, 0, pair.right().address(AT + 8L * odd));
        }
    }

    @Test
    void receivesChangeInPlace() {
        Pair pair = rig.pair();
        MemoryRegion other = rig.right.memory(64);
        byte[] data = Pattern.bytes(1, 24);
        pair.left().put(0, data);
        PostReceive receive = pair.right().qp.prepareReceive(
                ReceiveRequest.of(1, pair.right().sge(AT, 8), pair.right().sge(AT + 8, 16)));
        receive.wrId(0, 5).address(0, 0, other.address()).lkey(0, 0, other.lkey()).offset(0, 0, 32).length(0, 0, 10);
        receive.length(0, 1, 14);
        for (int i = 0; i < 3; i++) {
            assertEquals(1, receive.execute());
            pair.left().post(SendRequest.send(2, pair.left().sge(0, 24)).signalled());
            pair.right().receivedOk(5, 24);
            byte[] got = new byte[10];
            other.buffer(32, 10).get(0, got);
            assertArrayEquals(Arrays.copyOf(data, 10), got);
            pair.right().assertBytes(Arrays.copyOfRange(data, 10, 24), AT + 8);
        }
        receive.length(0, 0, 0);
        assertEquals(1, receive.execute());
        pair.left().post(SendRequest.send(2, pair.left().sge(0, 14)).signalled());
        pair.right().receivedOk(5, 14);
        pair.right().assertBytes(Arrays.copyOf(data, 14), AT + 8);
    }

    @Test
    void growthOfTheListsIsRefusedAndChangesNothing() {
        Pair pair = rig.pair();
        End left = pair.left();
        PostSend send = left.qp.prepareSend(
                SendRequest.sendWithImmediate(1, 2, left.sge(0, 8)).signalled(),
                SendRequest.write(3, pair.right().address(AT), pair.right().mr.rkey(), left.sge(0, 8), left.sge(8, 8)));
        outOfBounds(() -> send.wrId(2, 0), () -> send.wrId(-1, 0), () -> send.signalled(2, true),
                () -> send.immediate(2, 0), () -> send.address(0, 1, 0), () -> send.address(2, 0, 0),
                () -> send.offset(0, 1, 0), () -> send.offset(1, 2, 0), () -> send.length(0, 1, 0),
                () -> send.length(0, -1, 0), () -> send.lkey(1, 2, 0), () -> send.remoteAddress(2, 0),
                () -> send.rkey(-1, 0), () -> send.operands(2, 0, 0));
        PostReceive receive = pair.right().qp.prepareReceive(ReceiveRequest.of(1, pair.right().sge(AT, 8)));
        outOfBounds(() -> receive.wrId(1, 0), () -> receive.address(0, 1, 0), () -> receive.offset(1, 0, 0),
                () -> receive.length(0, 1, 0), () -> receive.lkey(0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> send.length(0, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> receive.length(0, 0, -1));
        assertEquals(1, receive.execute());
        assertEquals(2, send.execute());
        left.sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, 8);
    }

    @Test
    void changesThatTheOpcodeDoesNotHaveAreRefused() {
        Pair pair = rig.pair();
        End left = pair.left();
        PostSend send = left.qp.prepareSend(SendRequest.send(1, left.sge(0, 8)),
                SendRequest.write(2, pair.right().address(0), pair.right().mr.rkey(), left.sge(0, 8)));
        illegal(() -> send.immediate(0, 1), () -> send.immediate(1, 1), () -> send.remoteAddress(0, 1),
                () -> send.rkey(0, 1), () -> send.operands(0, 1, 1), () -> send.operands(1, 1, 1));
    }

    @Test
    void tooManySgesOrRequestsAreRefusedWhenTheCallIsMade() {
        Pair pair = rig.pair(Setup.usual().sges(2, 1).depth(4, 4));
        End left = pair.left();
        Sge sge = left.sge(0, 8);
        assertThrows(VerbsException.class, () -> left.qp.prepareSend(SendRequest.send(1, sge, sge, sge)));
        assertThrows(VerbsException.class, () -> left.qp.prepareReceive(ReceiveRequest.of(1, sge, sge)));
        SendRequest[] sends = new SendRequest[5000];
        Arrays.fill(sends, SendRequest.send(1, sge));
        assertThrows(VerbsException.class, () -> left.qp.prepareSend(sends));
        ReceiveRequest[] receives = new ReceiveRequest[5000];
        Arrays.fill(receives, ReceiveRequest.of(1, sge));
        assertThrows(VerbsException.class, () -> left.qp.prepareReceive(receives));
    }

    @Test
    void aFreedCallIsNotValidAndCannotExecute() {
        Pair pair = rig.pair();
        PostSend send = pair.left().qp.prepareSend(SendRequest.send(1, pair.left().sge(0, 8)).signalled());
        PostReceive receive = pair.right().qp.prepareReceive(ReceiveRequest.of(1, pair.right().sge(AT, 8)));
        assertTrue(send.valid() && receive.valid());
        for (int i = 0; i < 2; i++) {
            send.free();
            receive.free();
            assertFalse(send.valid());
            assertFalse(receive.valid());
        }
        illegal(send::execute, receive::execute);
        rig.assertQuiet();
        pair.exercise(3);
    }

    @Test
    void aThousandCallsLiveAtOnce() {
        Pair pair = rig.pair();
        List<PostSend> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            calls.add(pair.left().qp.prepareSend(SendRequest.send(i, pair.left().sge(8L * i, 8)).signalled()));
            pair.left().putLong(8L * i, i);
        }
        for (int i = 999; i >= 0; i--) {
            pair.right().receive(i, 8L * i, 8);
            assertEquals(1, calls.get(i).execute());
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, 8);
            assertEquals(i, pair.right().getLong(8L * i));
            calls.get(i).free();
        }
    }
}
