package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;

/** SEND and receive: what is sent arrives, whole, once, where it was asked for. */
public abstract class SendReceiveContract extends DeviceContract {

    private static final int AT = 4096;

    protected SendReceiveContract(DeviceUnderTest dut) {
        super(dut);
    }

    @ParameterizedTest(name = "cqeBytes={0} payloadInPlace={1}")
    @CsvSource({"64,false", "64,true", "128,false", "128,true"})
    void everySizeAroundTheLimitsOfScatterToCqeArrives(int cqeBytes, boolean inPlace) {
        Pair pair = rig.pair(Setup.usual().cq(256, cqeBytes, inPlace));
        long wrId = 1;
        for (int size : new int[] {0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 95, 96, 97, 127, 128, 129, 1000,
            4096, 65536}) {
            byte[] data = Pattern.bytes(size, size);
            pair.left().put(0, data);
            pair.right().put(AT - 8, new byte[size + 16]);
            pair.right().receive(wrId, AT, size);
            pair.left().post(SendRequest.send(wrId, pair.left().sge(0, size)).signalled());
            pair.left().sentOk(wrId, WcOpcode.SEND);
            Wc wc = pair.right().receivedOk(wrId++, size);
            assertFalse(wc.hasImmediate(), wc::toString);
            assertArrayEquals(data, wc.inline() != null ? wc.inline() : pair.right().bytes(AT, size), "size=" + size);
            pair.right().assertBytes(new byte[8], AT - 8);
            pair.right().assertBytes(new byte[8], AT + size);
        }
        rig.assertQuiet();
    }

    @ParameterizedTest(name = "cqeBytes={0}")
    @ValueSource(ints = {64, 128})
    void payloadIsNeverInPlaceUnlessAskedFor(int cqeBytes) {
        Pair pair = rig.pair(Setup.usual().cq(64, cqeBytes, false));
        for (int size : new int[] {1, 32, 64, 65}) {
            pair.right().receive(size, AT, 128);
            pair.left().post(SendRequest.send(size, pair.left().sge(0, size)).signalled());
            assertNull(pair.right().receivedOk(size, size).inline());
            pair.left().sentOk(size, WcOpcode.SEND);
        }
    }

    @Test
    void payloadInPlaceIsStillRightInALaterCompletionOfTheSameObject() {
        Pair pair = rig.pair(Setup.usual().cq(64, 128, true));
        for (int i = 0; i < 300; i++) {
            int size = i % 2 == 0 ? 8 : 300;
            byte[] data = Pattern.bytes(i, size);
            pair.left().put(0, data);
            pair.right().receive(i, AT, 300);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, size)).signalled());
            Wc wc = pair.right().receivedOk(i, size);
            if (wc.inline() == null) {
                pair.right().assertBytes(data, AT);
            } else {
                assertArrayEquals(data, wc.inline());
            }
            pair.left().sentOk(i, WcOpcode.SEND);
        }
    }

    @Test
    void aMessageLargerThanOneMegabyteArrives() {
        int size = (3 << 20) + 17;
        Pair pair = rig.pair(Setup.usual().memory(size));
        byte[] data = Pattern.bytes(7, size);
        pair.left().put(0, data);
        pair.right().receive(1, 0, size);
        pair.left().post(SendRequest.send(1, pair.left().sge(0, size)).signalled());
        pair.left().sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, size);
        pair.right().assertBytes(data, 0);
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {0, 4, 32, 64, 500})
    void immediateDataArrivesWithTheMessage(int size) {
        Pair pair = rig.pair();
        int immediate = 0x81020304;
        byte[] data = Pattern.bytes(size, size);
        pair.left().put(0, data);
        pair.right().receive(1, AT, size);
        pair.left().post(SendRequest.sendWithImmediate(2, immediate, pair.left().sge(0, size)).signalled());
        pair.left().sentOk(2, WcOpcode.SEND);
        Wc wc = pair.right().receivedOk(1, size);
        assertTrue(wc.hasImmediate());
        assertEquals(immediate, wc.immediate());
        pair.right().assertBytes(data, AT);
        pair.exercise(3);
    }

    @Test
    void immediateDataDoesNotStayForTheNextMessage() {
        Pair pair = rig.pair();
        pair.right().receive(1, AT, 8);
        pair.right().receive(2, AT, 8);
        pair.left().post(SendRequest.sendWithImmediate(1, -1), SendRequest.send(2));
        assertTrue(pair.right().receivedOk(1, 0).hasImmediate());
        assertFalse(pair.right().receivedOk(2, 0).hasImmediate());
    }

    @Test
    void aMessageWithoutSgesTakesAReceiveWithoutSges() {
        Pair pair = rig.pair();
        pair.right().receive(11);
        pair.left().post(SendRequest.send(12).signalled());
        pair.left().sentOk(12, WcOpcode.SEND);
        pair.right().receivedOk(11, 0);
    }

    @ParameterizedTest(name = "cqeBytes={0}")
    @ValueSource(ints = {64, 128})
    void manySgesAreGatheredAndScatteredInOrder(int cqeBytes) {
        Setup setup = Setup.usual().sges(16, 16).cq(256, cqeBytes, false);
        Pair pair = rig.pair(setup);
        SplittableRandom random = new SplittableRandom(Pattern.seed("manySgesAreGatheredAndScatteredInOrder"));
        for (int round = 0; round < 400; round++) {
            int most = round % 2 == 0 ? 12 : 700;
            Sge[] from = cut(random, pair.left(), 1 + random.nextInt(16), most);
            int total = Arrays.stream(from).mapToInt(Sge::length).sum();
            Sge[] into = cut(random, pair.right(), 1 + random.nextInt(16), most);
            into[into.length - 1] = pair.right().sge(100_000, total);
            byte[] data = Pattern.bytes(round, total);
            scatter(pair.left(), from, data);
            pair.right().receive(round, into);
            pair.left().post(SendRequest.send(round, from).signalled());
            pair.left().sentOk(round, WcOpcode.SEND);
            pair.right().receivedOk(round, total);
            assertArrayEquals(data, gather(pair.right(), into, total), "round=" + round);
        }
    }

    /** Pieces one after the other, some empty, with gaps between. */
    private static Sge[] cut(SplittableRandom random, End end, int count, int most) {
        Sge[] sges = new Sge[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(8) == 0 ? 0 : random.nextInt(most);
            sges[i] = end.sge(at, length);
            at += length + random.nextInt(5);
        }
        return sges;
    }

    private static void scatter(End end, Sge[] sges, byte[] data) {
        int done = 0;
        for (Sge sge : sges) {
            end.put(sge.address() - end.mr.address(), Arrays.copyOfRange(data, done, done + sge.length()));
            done += sge.length();
        }
    }

    private static byte[] gather(End end, Sge[] sges, int total) {
        byte[] data = new byte[total];
        int done = 0;
        for (Sge sge : sges) {
            int length = Math.min(sge.length(), total - done);
            System.arraycopy(end.bytes(sge.address() - end.mr.address(), length), 0, data, done, length);
            done += length;
        }
        return data;
    }

    @Test
    void aZeroLengthSgeBetweenOthersIsSkippedWhateverItsKey() {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(1, 48);
        pair.left().put(0, data);
        pair.right().receive(1, pair.right().sge(AT, 8), new Sge(0, 0, 0x7777), pair.right().sge(AT + 8, 40));
        pair.left().post(SendRequest.send(
                2, pair.left().sge(0, 20), new Sge(-1, 0, 0x1234), pair.left().sge(20, 28)).signalled());
        pair.left().sentOk(2, WcOpcode.SEND);
        pair.right().receivedOk(1, 48);
        pair.right().assertBytes(data, AT);
    }

    @Test
    void inlineDataMayChangeOnceItIsPosted() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        for (int size : new int[] {1, 4, 12, 13, 28, 29, 44, 60, 61, 100, 128}) {
            byte[] data = Pattern.bytes(size, size);
            pair.left().put(0, data);
            pair.left().post(SendRequest.send(size, pair.left().sge(0, size)).inline().signalled());
            pair.left().put(0, Pattern.bytes(-1, size));
            pair.right().receive(size, AT, 128);
            pair.right().receivedOk(size, size);
            pair.left().sentOk(size, WcOpcode.SEND);
            pair.right().assertBytes(data, AT);
        }
    }

    @Test
    void inlineDataIsGatheredFromSeveralSges() {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(3, 60);
        pair.left().put(100, data);
        pair.right().receive(1, AT, 60);
        Sge[] sges = {pair.left().sge(100, 17), new Sge(0, 0, 0), pair.left().sge(117, 43)};
        pair.left().post(SendRequest.send(1, sges).inline().signalled());
        pair.left().sentOk(1, WcOpcode.SEND);
        pair.right().receivedOk(1, 60);
        pair.right().assertBytes(data, AT);
    }

    @Test
    void inlineDataWrapsAroundTheEndOfTheSendRing() {
        Pair pair = rig.pair(Setup.usual().depth(4, 4).inline(500));
        for (int i = 0; i < 500; i++) {
            int size = i % 7 == 0 ? 1 : i;
            byte[] data = Pattern.bytes(i, size);
            pair.left().put(0, data);
            pair.right().receive(i, AT, 512);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, size)).inline().signalled());
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, size);
            pair.right().assertBytes(data, AT);
        }
    }

    @Test
    void bothSidesMaySendAtOnce() {
        Pair pair = rig.pair();
        for (int i = 0; i < 1000; i++) {
            pair.left().receive(i, AT, 16);
            pair.right().receive(i, AT, 16);
            pair.left().putLong(0, i);
            pair.right().putLong(0, -i);
            pair.left().post(SendRequest.send(i, pair.left().sge(0, 8)).signalled());
            pair.right().post(SendRequest.send(i, pair.right().sge(0, 8)).signalled());
            pair.left().receivedOk(i, 8);
            pair.right().receivedOk(i, 8);
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().sentOk(i, WcOpcode.SEND);
            assertEquals(-i, pair.left().getLong(AT));
            assertEquals(i, pair.right().getLong(AT));
        }
    }

    @Test
    void aQpConnectedToItselfReceivesWhatItSends() {
        End end = rig.left.end(Setup.usual());
        end.qp.init();
        end.qp.connect(end.qp.endpoint());
        byte[] data = Pattern.bytes(5, 100);
        end.put(0, data);
        end.receive(1, AT, 100);
        end.post(SendRequest.send(2, end.sge(0, 100)).signalled());
        end.sentOk(2, WcOpcode.SEND);
        end.receivedOk(1, 100);
        end.assertBytes(data, AT);
    }

    @Test
    void directMemoryOfTheProcessMaySendAndTakeTheResultsOfReads() {
        assumeTrue(dut.reachesUserMemory(), "the device reaches no memory but its own");
        Pair pair = rig.pair();
        var sending = ByteBuffer.allocateDirect(600);
        var receiving = ByteBuffer.allocateDirect(600);
        byte[] data = Pattern.bytes(9, 600);
        sending.put(0, data);
        var from = rig.keep(rig.left.pd.register(sending, 0));
        var into = rig.keep(rig.right.pd.register(receiving, Access.LOCAL_WRITE));
        for (int size : new int[] {8, 40, 600}) {
            pair.right().receive(1, AT, size);
            pair.left().post(SendRequest.send(2, Sge.of(from, 600 - size, size)).signalled());
            pair.left().sentOk(2, WcOpcode.SEND);
            pair.right().receivedOk(1, size);
            pair.left().put(AT, pair.right().bytes(AT, size));
            pair.right().post(SendRequest.read(3, pair.left().address(AT), pair.left().mr.rkey(),
                    Sge.of(into, 600 - size, size)).signalled());
            pair.right().sentOk(3, WcOpcode.RDMA_READ);
            byte[] got = new byte[size];
            receiving.get(600 - size, got);
            assertArrayEquals(Arrays.copyOfRange(data, 600 - size, 600), got);
        }
        assertNotNull(from.buffer(0, 600));
    }
}
