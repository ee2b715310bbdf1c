package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** One queue of receives for the QPs of the right side. */
public abstract class SharedReceiveQueueContract extends DeviceContract {

    SharedReceiveQueueContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.sharesReceives(), "the device has no shared receive queues");
    }

    private SharedPairs pairs(int count) {
        return new SharedPairs(rig, count, 16, Setup.usual());
    }

    @Test
    void aMessageTakesTheOldestReceiveWhicheverQpItComesTo() {
        SharedPairs pairs = pairs(3);
        for (int i = 0; i < 9; i++) {
            pairs.receive(100 + i, 64 * i, 64);
        }
        int[] order = {2, 2, 0, 1, 0, 2, 1, 1, 0};
        for (int i = 0; i < order.length; i++) {
            Pair pair = pairs.get(order[i]);
            pair.left().putLong(0, i);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(100 + i, 8);
            assertEquals(i, pairs.mr().buffer(64 * i, 8).getLong(0));
        }
        rig.assertQuiet();
    }

    @ParameterizedTest(name = "bytes={0}")
    @ValueSource(ints = {0, 1, 31, 32, 33, 64, 65, 96, 97, 1000, 4096, 100_000})
    void aMessageOfAnyLengthIsScatteredOverTheSges(int length) {
        SharedPairs pairs = pairs(2);
        byte[] data = Pattern.bytes(length, length);
        for (int i = 0; i < 2; i++) {
            Pair pair = pairs.get(i);
            int first = length / 3;
            pairs.receive(7, pairs.sge(0, first), pairs.sge(200_000, length - first), pairs.sge(150_000, 8));
            pair.left().put(0, data);
            pair.left().post(SendRequest.sendWithImmediate(8, length, pair.left().sge(0, length)).signalled());
            pair.left().sentOk(8, WcOpcode.SEND);
            Wc wc = pair.right().receivedOk(7, length);
            assertTrue(wc.hasImmediate() && wc.immediate() == length, wc::toString);
            assertArrayEquals(Arrays.copyOf(data, first), pairs.bytes(0, first));
            assertArrayEquals(Arrays.copyOfRange(data, first, length), pairs.bytes(200_000, length - first));
        }
    }

    @Test
    void aWriteWithImmediateTakesAReceiveAndPlainOneSidedVerbsDoNot() {
        SharedPairs pairs = pairs(2);
        Pair pair = pairs.get(1);
        pairs.receive(1, 0, 8);
        pair.left().putLong(0, 42);
        long address = pair.right().address(128);
        int rkey = pair.right().mr.rkey();
        pair.left().post(SendRequest.write(2, address, rkey, pair.left().sge(0, 8)).signalled(),
                SendRequest.read(3, address, rkey, pair.left().sge(8, 8)).signalled(),
                SendRequest.writeWithImmediate(4, address, rkey, 5, pair.left().sge(0, 8)).signalled());
        pair.left().sentOk(2, WcOpcode.RDMA_WRITE);
        pair.left().sentOk(3, WcOpcode.RDMA_READ);
        pair.left().sentOk(4, WcOpcode.RDMA_WRITE);
        assertEquals(5, pair.right().receivedOk(1, 8, WcOpcode.RECV_RDMA_WITH_IMM).immediate());
        assertEquals(42, pair.right().getLong(128));
        rig.assertQuiet();
    }

    @Test
    void whatComesInTheCqeIsReadThere() {
        SharedPairs pairs = new SharedPairs(rig, 2, 16, Setup.usual().cq(64, 128, true));
        for (int i = 0; i < 40; i++) {
            Pair pair = pairs.get(i & 1);
            byte[] data = Pattern.bytes(i, 1 + 2 * i);
            pairs.receive(i, 0, 100);
            pair.left().put(0, data);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, data.length)).signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
            Wc wc = pair.right().receivedOk(i, data.length);
            assertArrayEquals(data, wc.inline() != null ? wc.inline() : pairs.bytes(0, data.length));
        }
    }

    @Test
    void aSendWithoutAReceiveFailsWhenItsRetriesAreUsedUp() {
        SharedPairs pairs = new SharedPairs(rig, 2, 16, Setup.usual().rnr(2, 20_000));
        Pair pair = pairs.get(0);
        pair.left().post(SendRequest.send(5, pair.left().sge(0, 8)));
        pair.left().sentFails(5, WcStatus.RNR_RETRY_EXC_ERR);
        pairs.receive(6, 0, 8);
        pairs.get(1).left().post(SendRequest.send(7, pairs.get(1).left().sge(0, 8)));
        pairs.get(1).right().receivedOk(6, 8);
    }

    @Test
    void sendsThatWaitForReceivesGetThemWhenTheyArePosted() {
        SharedPairs pairs = new SharedPairs(rig, 4, 16, Setup.usual().rnr(7, 1000));
        for (int i = 0; i < 4; i++) {
            Pair pair = pairs.get(i);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
        }
        rig.assertQuiet();
        Set<Long> taken = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            pairs.receive(50 + i, 0, 8);
        }
        for (int i = 0; i < 4; i++) {
            pairs.get(i).left().sentOk(i, WcOpcode.SEND);
            taken.add(pairs.get(i).right().received().wrId());
        }
        assertEquals(Set.of(50L, 51L, 52L, 53L), taken);
        rig.assertQuiet();
    }

    @ParameterizedTest(name = "maxWr={0}")
    @ValueSource(ints = {1, 2, 3, 7, 8, 100})
    void theQueueTakesAsManyAsItsDepthAndTheRestWhenSomeAreComplete(int maxWr) {
        SharedPairs pairs = new SharedPairs(rig, 2, maxWr, Setup.usual());
        int depth = pairs.srq().depth();
        assertTrue(depth >= maxWr, "depth=" + depth);
        PostReceive call = pairs.srq().prepareReceive(ReceiveRequest.of(0, pairs.sge(0, 8)));
        long posted = 0;
        long received = 0;
        for (int lap = 0; lap < 300 / depth + 3; lap++) {
            while (call.wrId(0, posted).execute() == 1) {
                posted++;
            }
            assertEquals(depth, posted - received, "outstanding");
            for (int i = 0; i <= lap % depth; i++) {
                Pair pair = pairs.get((int) (received & 1));
                pair.left().post(SendRequest.send(received, pair.left().sge(0, 8)).signalled());
                pair.left().sentOk(received, WcOpcode.SEND);
                pair.right().receivedOk(received++, 8);
            }
        }
    }

    @Test
    void aListThatDoesNotFitIsTakenInPart() {
        SharedPairs pairs = new SharedPairs(rig, 1, 4, Setup.usual());
        int depth = pairs.srq().depth();
        ReceiveRequest[] list = new ReceiveRequest[depth];
        for (int i = 0; i < depth; i++) {
            list[i] = ReceiveRequest.of(i, pairs.sge(0, 8));
        }
        pairs.receive(99, 0, 8);
        PostReceive call = pairs.srq().prepareReceive(list);
        assertEquals(depth, call.size());
        assertEquals(depth - 1, call.execute());
        pairs.get(0).left().post(SendRequest.send(1), SendRequest.send(2));
        pairs.get(0).right().receivedOk(99, 0);
        pairs.get(0).right().receivedOk(0, 0);
    }

    @Test
    void aCallIsChangedInPlace() {
        SharedPairs pairs = pairs(1);
        Pair pair = pairs.get(0);
        PostReceive call = pairs.srq().prepareReceive(ReceiveRequest.of(1, pairs.sge(0, 8), pairs.sge(8, 0)));
        for (int i = 0; i < 50; i++) {
            assertEquals(1, call.wrId(0, i).offset(0, 0, 16 * i).length(0, 0, 3).offset(0, 1, 1000 + i)
                    .length(0, 1, i % 2 == 0 ? 0 : 5).execute());
            byte[] data = Pattern.bytes(i, i % 2 == 0 ? 3 : 8);
            pair.left().put(0, data);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, data.length)).signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, data.length);
            assertArrayEquals(Arrays.copyOf(data, 3), pairs.bytes(16 * i, 3));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> call.length(0, 2, 1));
        assertTrue(call.valid());
        call.free();
        assertFalse(call.valid());
        assertThrows(IllegalStateException.class, call::execute);
    }

    @Test
    void anErrorOfOneQpFlushesNothingOfTheQueue() {
        SharedPairs pairs = pairs(3);
        for (int i = 0; i < 4; i++) {
            pairs.receive(i, 0, 8);
        }
        pairs.get(0).right().qp.error();
        pairs.get(1).right().qp.close();
        rig.assertQuiet();
        Pair works = pairs.get(2);
        for (int i = 0; i < 4; i++) {
            works.left().post(SendRequest.send(i, works.left().sge(0, 8)));
            works.right().receivedOk(i, 8);
        }
        rig.assertQuiet();
    }

    @Test
    void aMessageThatIsTooLongFailsItsOwnQpAlone() {
        SharedPairs pairs = pairs(2);
        for (int i = 0; i < 3; i++) {
            pairs.receive(i, 0, 64);
        }
        Pair breaks = pairs.get(0);
        breaks.left().post(SendRequest.send(10, breaks.left().sge(0, 65)));
        breaks.left().sentFails(10, dut.tooLong());
        Wc wc = breaks.right().received();
        assertEquals(0, wc.wrId(), wc::toString);
        assertEquals(breaks.right().qp.number(), wc.qpNumber());
        assertNotEquals(WcStatus.SUCCESS, wc.status());
        breaks.right().awaitState(QueuePairState.ERR);
        Pair works = pairs.get(1);
        for (int i = 1; i < 3; i++) {
            works.left().post(SendRequest.send(i, works.left().sge(0, 64)));
            works.right().receivedOk(i, 64);
        }
        rig.assertQuiet();
    }

    @Test
    void completionsOfAClosedQpAreGoneAndTheirReceivesComeBack() {
        SharedPairs pairs = new SharedPairs(rig, 2, 4, Setup.usual());
        int depth = pairs.srq().depth();
        for (int i = 0; i < depth; i++) {
            pairs.receive(i, 0, 8);
        }
        Pair closed = pairs.get(0);
        closed.left().post(SendRequest.send(1).signalled(), SendRequest.send(2).signalled());
        Deadline deadline = Deadline.usual();
        for (int sent = 0; sent < 2; sent += closed.left().sends.take() == null ? 0 : 1) {
            closed.left().sends.pump(); // and not the CQ of the receives
            deadline.turn(closed.left()::toString);
        }
        closed.right().qp.close();
        rig.assertQuiet();
        for (int i = 0; i < 2; i++) {
            pairs.receive(100 + i, 0, 8);
        }
        Pair works = pairs.get(1);
        for (int i = 0; i < pairs.srq().depth(); i++) {
            works.left().post(SendRequest.send(i).signalled());
            works.left().sentOk(i, WcOpcode.SEND);
            works.right().receivedOk(i < pairs.srq().depth() - 2 ? i + 2 : 100 + i - pairs.srq().depth() + 2, 0);
        }
    }

    @Test
    void aQueueWithQpsDoesNotEndAndADomainWithQueuesDoesNot() {
        ProtectionDomain pd = rig.right.device.allocatePd();
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(1));
        End end = rig.right.end(Setup.usual().shared(srq));
        assertThrows(VerbsException.class, srq::close);
        assertThrows(VerbsException.class, pd::close);
        assertEquals(1, call.execute());
        end.qp.close();
        assertThrows(VerbsException.class, pd::close);
        srq.close();
        srq.close();
        assertFalse(call.valid());
        assertThrows(IllegalStateException.class, call::execute);
        assertThrows(VerbsException.class, () -> rig.right.end(Setup.usual().shared(srq)));
        pd.close();
    }

    @Test
    void whatDoesNotFitIsRefused() {
        SharedPairs pairs = pairs(1);
        SharedReceiveQueue srq = pairs.srq();
        assertThrows(VerbsException.class, () -> pairs.get(0).right().qp.prepareReceive(ReceiveRequest.of(1)));
        assertThrows(VerbsException.class, () -> srq.prepareReceive());
        Sge[] sges = new Sge[17];
        Arrays.fill(sges, pairs.sge(0, 8));
        assertThrows(VerbsException.class, () -> srq.prepareReceive(ReceiveRequest.of(1, sges)));
        ReceiveRequest[] list = new ReceiveRequest[srq.depth() + 1];
        Arrays.fill(list, ReceiveRequest.of(1));
        assertThrows(VerbsException.class, () -> srq.prepareReceive(list));
        try (Device other = dut.openDevice()) {
            SharedReceiveQueue foreign = other.allocatePd().createSrq(new SharedReceiveQueueAttributes(4, 1));
            assertThrows(VerbsException.class, () -> rig.right.end(Setup.usual().shared(foreign)));
        }
    }

    @Test
    void closingADeviceEndsItsQueues() {
        Device device = dut.openDevice();
        Side side = new Side(rig, "closing", device);
        SharedReceiveQueue srq = side.pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        End end = side.end(Setup.usual().shared(srq));
        PostReceive call = srq.prepareReceive(ReceiveRequest.of(1));
        device.close();
        assertFalse(call.valid());
        srq.close();
        end.qp.close();
    }
}
