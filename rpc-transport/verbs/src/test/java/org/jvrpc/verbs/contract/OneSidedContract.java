package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;

/** RDMA WRITE, READ and the atomics: the peer's memory changes, or comes, without the peer. */
public abstract class OneSidedContract extends DeviceContract {

    private static final int AT = 8192;

    protected OneSidedContract(DeviceUnderTest dut) {
        super(dut);
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {1, 7, 8, 32, 33, 64, 65, 96, 97, 1000, 65536})
    void aWriteChangesExactlyTheBytesThatItNames(int size) {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(size, size);
        pair.left().put(3, data);
        SendRequest write = SendRequest.write(
                5, pair.right().address(AT + 1), pair.right().mr.rkey(), pair.left().sge(3, size));
        pair.left().post(write.signalled());
        pair.left().sentOk(5, WcOpcode.RDMA_WRITE);
        pair.right().assertBytes(data, AT + 1);
        pair.right().assertBytes(new byte[1], AT);
        pair.right().assertBytes(new byte[8], AT + 1 + size);
        rig.assertQuiet();
    }

    @Test
    void aWriteNeedsNoReceiveAndGathersItsSges() {
        Pair pair = rig.pair(Setup.usual().rnr(0, 0));
        byte[] data = Pattern.bytes(1, 300);
        pair.left().put(0, data);
        End left = pair.left();
        left.post(SendRequest.write(1, pair.right().address(AT), pair.right().mr.rkey(),
                left.sge(0, 1), left.sge(1, 99), left.sge(100, 0), left.sge(100, 200)).signalled());
        left.sentOk(1, WcOpcode.RDMA_WRITE);
        pair.right().assertBytes(data, AT);
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {0, 8, 64, 200})
    void aWriteWithImmediateTakesAReceiveAndLeavesItsSgesAlone(int size) {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(size, size);
        pair.left().put(0, data);
        pair.right().receive(7, 0, 64);
        pair.left().post(SendRequest.writeWithImmediate(8, pair.right().address(AT), pair.right().mr.rkey(),
                0xcafe0001, pair.left().sge(0, size)).signalled());
        pair.left().sentOk(8, WcOpcode.RDMA_WRITE);
        Wc wc = pair.right().receivedOk(7, size, WcOpcode.RECV_RDMA_WITH_IMM);
        assertTrue(wc.hasImmediate());
        assertEquals(0xcafe0001, wc.immediate());
        pair.right().assertBytes(data, AT);
        pair.right().assertBytes(new byte[64], 0);
    }

    @Test
    void inlineWritesArrive() {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(4, 111);
        pair.left().put(0, data);
        pair.left().post(SendRequest.write(
                1, pair.right().address(AT), pair.right().mr.rkey(), pair.left().sge(0, 111)).inline().signalled());
        pair.left().put(0, new byte[111]);
        pair.left().sentOk(1, WcOpcode.RDMA_WRITE);
        pair.right().assertBytes(data, AT);
    }

    @ParameterizedTest(name = "size={0}")
    @ValueSource(ints = {1, 8, 32, 33, 64, 65, 96, 97, 5000, 65536})
    void aReadBringsTheBytes(int size) {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(size, size);
        pair.right().put(AT + 5, data);
        pair.left().post(SendRequest.read(
                9, pair.right().address(AT + 5), pair.right().mr.rkey(), pair.left().sge(16, size)).signalled());
        Wc wc = pair.left().sent();
        assertEquals(WcOpcode.RDMA_READ, wc.opcode());
        assertEquals(size, wc.byteLength());
        pair.left().assertBytes(data, 16);
        pair.left().assertBytes(new byte[8], 16 + size);
        pair.left().assertBytes(new byte[16], 0);
    }

    @Test
    void aReadScattersOverItsSges() {
        Pair pair = rig.pair();
        End left = pair.left();
        byte[] data = Pattern.bytes(2, 90);
        pair.right().put(AT, data);
        left.post(SendRequest.read(1, pair.right().address(AT), pair.right().mr.rkey(),
                left.sge(1000, 3), left.sge(2000, 0), left.sge(3000, 80), left.sge(4000, 7)).signalled());
        left.sentOk(1, WcOpcode.RDMA_READ);
        assertEquals(data[2], left.bytes(1002, 1)[0]);
        assertEquals(data[3], left.bytes(3000, 1)[0]);
        assertEquals(data[82], left.bytes(3079, 1)[0]);
        assertEquals(data[89], left.bytes(4006, 1)[0]);
        assertEquals(0, left.bytes(4007, 1)[0]);
    }

    @Test
    void oneSidedVerbsOfNoBytesDoNotLookAtTheRkey() {
        Pair pair = rig.pair();
        pair.left().post(SendRequest.write(1, 0, 0x5555).signalled(), SendRequest.read(2, -1, 0x5555).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_WRITE);
        pair.left().sentOk(2, WcOpcode.RDMA_READ);
        pair.exercise(3);
    }

    @Test
    void aReadNeedsOnlyTheRightToReadAndAWriteOnlyTheRightToWrite() {
        Pair pair = rig.pair();
        MemoryRegion readable = rig.right.memory(4096, Access.REMOTE_READ);
        MemoryRegion writable = rig.right.memory(4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        MemoryRegion plain = rig.left.memory(4096, 0);
        pair.left().post(
                SendRequest.read(1, readable.address(), readable.rkey(), pair.left().sge(0, 64)).signalled(),
                SendRequest.write(2, writable.address(), writable.rkey(), Sge.of(plain, 0, 64)).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().sentOk(2, WcOpcode.RDMA_WRITE);
    }

    @Test
    void theFirstAndTheLastByteOfARegionAreReached() {
        Pair pair = rig.pair();
        MemoryRegion mr = rig.right.memory(4099);
        pair.left().put(0, new byte[] {1, 2});
        pair.left().post(
                SendRequest.write(1, mr.address(), mr.rkey(), pair.left().sge(0, 1)).signalled(),
                SendRequest.write(2, mr.address() + 4098, mr.rkey(), pair.left().sge(1, 1)).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_WRITE);
        pair.left().sentOk(2, WcOpcode.RDMA_WRITE);
        assertEquals(1, mr.buffer(0, 1).get(0));
        assertEquals(2, mr.buffer(4098, 1).get(0));
    }

    @Test
    void compareAndSwapStoresOnlyWhenItFindsTheExpectedValue() {
        Pair pair = rig.pair();
        long first = 0x0102030405060708L;
        long second = 0xf1f2f3f4f5f6f7f8L;
        pair.right().putLong(AT, first);
        pair.left().post(swap(pair, 1, first, second));
        pair.left().sentOk(1, WcOpcode.COMPARE_SWAP);
        assertEquals(first, pair.left().getLong(0), "the old value came back");
        assertEquals(second, pair.right().getLong(AT));
        pair.left().post(swap(pair, 2, first, 0));
        Wc wc = pair.left().sent();
        assertEquals(8, wc.byteLength());
        assertEquals(second, pair.left().getLong(0), "the value found came back");
        assertEquals(second, pair.right().getLong(AT), "and stayed");
    }

    private static SendRequest swap(Pair pair, long wrId, long compare, long swap) {
        return SendRequest.compareAndSwap(wrId, pair.right().address(AT), pair.right().mr.rkey(), compare, swap,
                pair.left().sge(0, 8)).signalled();
    }

    @Test
    void fetchAndAddAddsAndBringsTheOldValue() {
        Pair pair = rig.pair();
        SplittableRandom random = new SplittableRandom(Pattern.seed("fetchAndAddAddsAndBringsTheOldValue"));
        long sum = random.nextLong();
        pair.right().putLong(AT, sum);
        for (int i = 0; i < 100; i++) {
            long add = i == 0 ? Long.MAX_VALUE : random.nextLong();
            pair.left().post(SendRequest.fetchAndAdd(
                    i, pair.right().address(AT), pair.right().mr.rkey(), add, pair.left().sge(8, 8)).signalled());
            pair.left().sentOk(i, WcOpcode.FETCH_ADD);
            assertEquals(sum, pair.left().getLong(8));
            sum += add;
            assertEquals(sum, pair.right().getLong(AT));
        }
    }

    @Test
    void fetchAndAddOfManyQpsAtOnceLosesNothing() {
        int threads = 3;
        int rounds = Pace.rounds(dut.rounds(4000));
        MemoryRegion target = rig.right.memory(64);
        @SuppressWarnings({"unchecked", "rawtypes"})
        Background<Long>[] workers = new Background[threads];
        for (int t = 0; t < threads; t++) {
            End left = rig.pair().left();
            workers[t] = Background.start("adder-" + t, () -> add(left, target, rounds));
        }
        long oldValues = 0;
        for (Background<Long> worker : workers) {
            oldValues += worker.join(60);
        }
        long total = (long) threads * rounds;
        assertEquals(total, target.buffer(0, 8).getLong(0));
        assertEquals(total * (total - 1) / 2, oldValues, "each old value was handed out once");
    }

    /** Adds 1 again and again and returns the sum of what was found. */
    private static long add(End left, MemoryRegion target, int rounds) {
        long found = 0;
        SendRequest add = SendRequest.fetchAndAdd(1, target.address(), target.rkey(), 1, left.sge(0, 8)).signalled();
        var call = left.qp.prepareSend(add);
        Deadline deadline = Deadline.ofMillis(60_000);
        for (int i = 0; i < rounds; i++) {
            assertEquals(1, call.execute());
            while (left.sends.isEmpty()) {
                left.sends.pump();
                deadline.turn(left::toString);
            }
            assertTrue(left.sends.take().opcode() == WcOpcode.FETCH_ADD);
            found += left.getLong(0);
        }
        return found;
    }

    @Test
    void aFencedSendCarriesWhatTheReadBeforeItBrought() {
        Pair pair = rig.pair();
        End left = pair.left();
        for (int i = 0; i < 200; i++) {
            byte[] data = Pattern.bytes(i, 256);
            pair.right().put(AT, data);
            pair.right().receive(i, 1024, 256);
            left.post(
                    SendRequest.read(i, pair.right().address(AT), pair.right().mr.rkey(), left.sge(0, 256)),
                    SendRequest.send(i, left.sge(0, 256)).fenced().signalled());
            left.sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, 256);
            pair.right().assertBytes(data, 1024);
        }
    }

    @Test
    void aFencedAtomicWorksOnWhatTheReadBeforeItBrought() {
        End end = rig.left.end(Setup.usual());
        end.qp.init();
        end.qp.connect(end.qp.endpoint());
        end.putLong(0, 41);
        end.post(SendRequest.read(1, end.address(0), end.mr.rkey(), end.sge(64, 8)),
                SendRequest.fetchAndAdd(2, end.address(64), end.mr.rkey(), 1, end.sge(128, 8)).fenced().signalled());
        end.sentOk(2, WcOpcode.FETCH_ADD);
        assertEquals(41, end.getLong(128));
        assertEquals(42, end.getLong(64));
    }

    @Test
    void requestsOfOneQpTakeEffectInTheOrderOfPosting() {
        Pair pair = rig.pair();
        End left = pair.left();
        long at = pair.right().address(AT);
        int rkey = pair.right().mr.rkey();
        left.putLong(0, 10);
        left.post(SendRequest.write(1, at, rkey, left.sge(0, 8)),
                SendRequest.fetchAndAdd(2, at, rkey, 5, left.sge(8, 8)),
                SendRequest.compareAndSwap(3, at, rkey, 15, 100, left.sge(16, 8)),
                SendRequest.read(4, at, rkey, left.sge(24, 8)).signalled());
        left.sentOk(4, WcOpcode.RDMA_READ);
        assertEquals(10, left.getLong(8));
        assertEquals(15, left.getLong(16));
        assertEquals(100, left.getLong(24));
    }

    // ---- READs at once, into any memory, of devices that can

    private static PostSend readAtOnce(Pair pair, long address, int rkey) {
        return pair.left().qp.prepareSend(SendRequest.read(9, address, rkey, pair.left().sge(0, 8)));
    }

    @Test
    void aReadAtOnceFetchesWhatWasAskedForIntoAnyMemory() {
        Pair pair = rig.pair();
        byte[] data = Pattern.bytes(5, 5000);
        pair.right().put(AT, data);
        PostSend read = readAtOnce(pair, pair.right().address(AT), pair.right().mr.rkey());
        for (ByteBuffer into : List.of(ByteBuffer.allocate(5010), ByteBuffer.allocateDirect(5010))) {
            boolean done = read.read(into, 3, 5000);
            assertEquals(dut.pushes(), done);
            byte[] expected = new byte[5010];
            System.arraycopy(data, 0, expected, 3, done ? 5000 : 0);
            assertEquals(ByteBuffer.wrap(expected), into);
        }
        pair.left().assertBytes(new byte[8], 0); // the request's own memory
        rig.assertQuiet();
    }

    @Test
    void aReadAtOnceOfWhatMayNotBeReadIsNoneAndHarmsNothing() {
        Pair pair = rig.pair();
        PostSend read = readAtOnce(pair, pair.right().address(AT), pair.right().mr.rkey() + 1);
        ByteBuffer into = ByteBuffer.allocate(1 << 20);
        assertFalse(read.read(into, 0, 8), "wrong key");
        read.rkey(0, pair.right().mr.rkey()).remoteAddress(0, pair.right().address(0) + pair.right().mr.length() - 7);
        assertFalse(read.read(into, 0, 8), "beyond its end");
        assertFalse(read.read(into, 0, -1), "less than nothing");
        read.remoteAddress(0, pair.right().address(AT));
        assertEquals(ByteBuffer.allocate(1 << 20), into);
        pair.left().post(SendRequest.read(1, pair.right().address(AT), pair.right().mr.rkey(),
                pair.left().sge(0, 8)).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
    }

    @Test
    void nothingIsReadAtOnceOfAPeerThatIsInErrorNorByAQpThatIs() {
        for (boolean own : new boolean[] {true, false}) {
            Pair pair = rig.pair();
            PostSend read = readAtOnce(pair, pair.right().address(AT), pair.right().mr.rkey());
            (own ? pair.left() : pair.right()).qp.error();
            assertFalse(read.read(ByteBuffer.allocate(8), 0, 8));
        }
    }

    @Test
    void whatIsNoReadIsNotReadAtOnce() {
        Pair pair = rig.pair();
        PostSend write = pair.left().qp.prepareSend(SendRequest.write(
                9, pair.right().address(AT), pair.right().mr.rkey(), pair.left().sge(0, 8)));
        assertFalse(write.read(ByteBuffer.allocate(8), 0, 8));
    }
}
