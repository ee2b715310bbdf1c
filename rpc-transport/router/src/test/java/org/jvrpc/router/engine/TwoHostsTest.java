package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Two tenants on two hosts, in memory that a test writes by hand, and lanes of a real device between them. */
class TwoHostsTest {

    /** Bytes of a message that goes directly. */
    private static final int LEAST = 64 << 10;

    private final TwoHosts hosts = hosts();
    private final Party one = new Party(hosts.east.worker, "one", 1);
    private final Party other = new Party(hosts.west.worker, "other", 2);

    boolean seals() {
        return false;
    }

    TwoHosts hosts() {
        return new TwoHosts(seals());
    }

    @AfterEach
    void end() {
        one.device.end();
        other.device.end();
        hosts.close();
    }

    private void connect() {
        hosts.connect(one, other);
    }

    private void untilSent() {
        hosts.until("the send to complete", one::hasSent);
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 100, 8064, 8065, 100_000, Party.DATA_BYTES / 2})
    void aSendCompletesAtTheOtherHost(int bytes) {
        connect();
        one.fill(0, bytes, 1);
        other.receive(200, Party.DATA_BYTES / 2);
        one.send(0, bytes);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.SUCCESS);
        int cqe = other.expectReceived(WcStatus.SUCCESS);
        assertEquals(bytes, BigEndian.getInt(other.memory, cqe + Cqe.BYTE_COUNT));
        assertTrue(other.has(200, bytes, 1));
        assertFalse(other.has(200 + bytes, 1, 1 + bytes), "more was written");
        expectDirect(hosts.west, bytes);
    }

    /** What is long went without a copy between, unless it has to be sealed. */
    private void expectDirect(TwoHosts.End to, int bytes) {
        assertEquals(bytes < LEAST || seals() ? 0 : bytes, to.path.directBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8064, 8065, 100_000, Party.DATA_BYTES / 2})
    void aWriteIsSeenAtTheOtherHost(int bytes) {
        connect();
        one.fill(0, bytes, 3);
        one.remote(Wqe.RDMA_WRITE, 0, bytes, other.data(10), other.rkey);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.SUCCESS);
        assertTrue(other.has(10, bytes, 3));
        assertFalse(other.hasReceived());
        expectDirect(hosts.west, bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8064, 8065, 100_000, Party.DATA_BYTES / 2})
    void aReadBringsWhatLiesAtTheOtherHost(int bytes) {
        connect();
        other.fill(10, bytes, 5);
        one.remote(Wqe.RDMA_READ, 0, bytes, other.data(10), other.rkey);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.SUCCESS);
        assertTrue(one.has(0, bytes, 5));
        expectDirect(hosts.east, bytes);
    }

    @Test
    void aSubmittedMessageCompletesAtTheOtherHost() {
        connect();
        other.receive(0, 64);
        one.push(40, 9);
        one.device.look();
        one.ring();
        hosts.until("the message", other::hasReceived);
        other.expectReceived(WcStatus.SUCCESS);
        assertTrue(other.has(0, 40, 9));
    }

    @Test
    void anAtomicChangesWhatLiesAtTheOtherHost() {
        connect();
        other.memory.putLong(Party.DATA + 16, 40);
        int at = one.wqe();
        one.remote(Wqe.ATOMIC_FA, 0, 8, other.data(16), other.rkey);
        one.control(at, Wqe.ATOMIC_FA, 4);
        BigEndian.putLong(one.memory, at + 32, 2);
        BigEndian.putLong(one.memory, at + 40, 0);
        one.segment(at + 48, 8, Party.KEY, one.data(8));
        one.ring();
        untilSent();
        one.expectSent(WcStatus.SUCCESS);
        assertEquals(42, other.memory.getLong(Party.DATA + 16));
        assertEquals(40, one.memory.getLong(Party.DATA + 8));
    }

    @Test
    void sendsWaitForReceivesInTheirOrder() {
        connect();
        for (int i = 0; i < 5; i++) {
            one.fill(100 * i, 100, 10 * i);
            one.send(100 * i, 100);
        }
        one.ring();
        hosts.rounds();
        assertFalse(other.hasReceived());
        for (int i = 0; i < 5; i++) {
            other.receive(1000 + 100 * i, 100);
            hosts.until("a message", other::hasReceived);
            other.expectReceived(WcStatus.SUCCESS);
            assertTrue(other.has(1000 + 100 * i, 100, 10 * i), "message " + i);
        }
        hosts.until("the last send", () -> one.state() == QueuePairState.RTS && one.hasSent());
        for (int i = 0; i < 5; i++) {
            hosts.until("send", one::hasSent);
            one.expectSent(WcStatus.SUCCESS);
        }
    }

    @Test
    void aWrongKeyEndsBothAndFlushesWhatIsBehind() {
        connect();
        other.receive(0, 64);
        one.remote(Wqe.RDMA_WRITE, 0, 8, other.data(0), other.rkey + 1);
        one.send(0, 8);
        one.send(0, 8);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.REM_ACCESS_ERR);
        hosts.until("the flush", one::hasSent);
        one.expectSent(WcStatus.WR_FLUSH_ERR);
        hosts.until("the flush", one::hasSent);
        one.expectSent(WcStatus.WR_FLUSH_ERR);
        assertEquals(QueuePairState.ERR, one.state());
        assertEquals(QueuePairState.ERR, other.state());
        assertFalse(other.hasReceived());
    }

    @Test
    void aMessageThatIsTooLongFailsBoth() {
        connect();
        other.receive(0, 64);
        one.send(0, 65);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.REM_INV_REQ_ERR);
        other.expectReceived(WcStatus.LOC_LEN_ERR);
    }

    @Test
    void aLocalFaultCompletesBehindWhatIsUnderWay() {
        connect();
        other.receive(0, 64);
        one.send(0, 10);
        int at = one.wqe();
        one.send(0, 10);
        one.segment(at + 16, 10, 0x5500, one.data(0));
        one.ring();
        untilSent();
        one.expectSent(WcStatus.SUCCESS);
        hosts.until("the fault", one::hasSent);
        one.expectSent(WcStatus.LOC_PROT_ERR);
    }

    @Test
    void aPeerThatIsGoneIsNotWaitedFor() {
        connect();
        other.device.destroyQp(other.qpn);
        one.send(0, 10);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.RETRY_EXC_ERR);
        assertTrue(hosts.west.path.strays() > 0);
    }

    @Test
    void aConnectionTakesNothingOfAnotherEpoch() {
        hosts.connectApart(one, other);
        other.receive(0, 64);
        one.send(0, 10);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.RETRY_EXC_ERR);
        assertFalse(other.hasReceived());
        assertEquals(QueuePairState.RTS, other.state());
        assertTrue(hosts.west.path.strays() > 0);
    }

    @Test
    void lanesThatAreLostEndWhatIsUnderWay() {
        connect();
        one.send(0, 10);
        one.ring();
        hosts.rounds(); // it waits for a receive
        hosts.down();
        untilSent();
        one.expectSent(WcStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.ERR, one.state());
        hosts.until("the other one to know", () -> other.state() == QueuePairState.ERR);
    }

    @ParameterizedTest
    @CsvSource({Wqe.SEND + ",50", Wqe.RDMA_WRITE + ",50", Wqe.RDMA_READ + ",50", Wqe.SEND + ",100000",
        Wqe.RDMA_WRITE + ",100000", Wqe.RDMA_READ + ",100000"})
    void whoCutsItsSlabIsExpelledAndItsPeerIsTold(int opcode, int bytes, @TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve("1"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), Party.BYTES - 1);
            Slab slab = Slab.of(file, Party.SEGMENT, Party.BYTES);
            Party cutter = new Party(hosts.west.worker, "cutter", 3, slab);
            hosts.connect(one, cutter);
            cutter.receive(0, bytes);
            file.truncate(0);
            hosts.west.cut = slab;
            if (opcode == Wqe.SEND) {
                one.send(0, bytes);
            } else {
                one.remote(opcode, 0, bytes, cutter.data(0), cutter.rkey);
            }
            one.ring();
            untilSent();
            hosts.until("the cutter to go", () -> cutter.expelled != null);
            one.send(0, 50);
            one.ring();
            hosts.until("its peer to know", () -> one.state() == QueuePairState.ERR);
            assertNull(other.expelled);
            assertNull(one.expelled);
            Party next = new Party(hosts.east.worker, "next", 4);
            hosts.connect(next, other);
            other.receive(0, 64);
            next.send(0, 50);
            next.ring();
            hosts.until("another's message", other::hasReceived);
            next.device.end();
        }
    }

    @Test
    void anEndedRegionIsNotWritten() {
        connect();
        other.device.deregister(Party.KEY);
        int next = other.device.register(
                new RegionNote(Party.KEY + 1, Party.PD, Access.REMOTE_READ, other.data(0), 64));
        one.remote(Wqe.RDMA_WRITE, 0, 8, other.data(0), next);
        one.ring();
        untilSent();
        one.expectSent(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deregister", "destroy", "fail", "end"})
    void noByteComesWhereATenantHasItsMemoryBack(String how) {
        connect();
        int bytes = Party.DATA_BYTES;
        byte[] zeros = new byte[bytes];
        one.fill(0, bytes, 3);
        one.remote(Wqe.RDMA_WRITE, 0, bytes, other.data(0), other.rkey);
        one.ring();
        hosts.until("the first bytes", () -> other.memory.get(Party.DATA + 1) != 0);
        switch (how) {
            case "deregister" -> other.device.deregister(Party.KEY);
            case "destroy" -> other.device.destroyQp(other.qpn);
            case "fail" -> other.device.fail(other.qpn);
            default -> other.device.end();
        }
        other.memory.put(Party.DATA, zeros); // at once: what comes later is to be seen
        untilSent();
        hosts.rounds();
        for (int i = 0; i < bytes; i++) {
            assertEquals(0, other.memory.get(Party.DATA + i), "at " + i);
        }
        Party next = new Party(hosts.east.worker, "next", 4);
        Party after = new Party(hosts.west.worker, "after", 5);
        hosts.connect(next, after);
        next.fill(0, bytes, 9);
        next.remote(Wqe.RDMA_WRITE, 0, bytes, after.data(0), after.rkey);
        next.ring();
        hosts.until("another's write", next::hasSent);
        next.expectSent(WcStatus.SUCCESS);
        assertTrue(after.has(0, bytes, 9));
        next.device.end();
        after.device.end();
    }

    @Test
    void aSenderThatTakesItsMemoryBackInTheMidstFailsOrAllCame() {
        connect();
        int bytes = Party.DATA_BYTES / 2;
        one.fill(0, bytes, 3);
        one.remote(Wqe.RDMA_WRITE, 0, bytes, other.data(0), other.rkey);
        one.ring();
        hosts.until("the first bytes", () -> other.memory.get(Party.DATA + 1) != 0);
        one.device.deregister(Party.KEY);
        untilSent();
        boolean failed = one.state() == QueuePairState.ERR;
        one.expectSent(failed ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS);
        assertTrue(failed || other.has(0, bytes, 3), "what was taken back too late did not come whole");
    }
}
