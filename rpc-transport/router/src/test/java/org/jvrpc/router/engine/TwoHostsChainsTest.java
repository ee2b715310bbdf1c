package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Chains of a tenant whose clients are on another host, and the atomics that chains are made of. */
final class TwoHostsChainsTest {

    private static final long EPOCH = System.nanoTime();
    private static final int ANSWER = 64;
    /** Bytes of a message that no CQE has room for. */
    private static final int LONGER = 128;

    private final TwoHosts hosts = new TwoHosts(true);
    private final Party client = new Party(hosts.east.worker, "client", 1);
    private final ChainParty host = new ChainParty(hosts.west.worker, "host", 2);
    private final ChainParty.Queue queue = host.new Queue(0, 100, 0);

    @AfterEach
    void end() {
        client.device.end();
        host.device.end();
        hosts.close();
    }

    private void connect() {
        hosts.until("lanes", () -> hosts.east.path.reaches("west") && hosts.west.path.reaches("east"));
        TwoHosts.connect(hosts.east, client, new RemoteConnection("west", 22, 1, 1001, EPOCH));
        hosts.west.worker.connect(host.device, queue.qpn, new RemoteConnection("east", 11, 1001, 1, EPOCH));
    }

    private void ask(long value) {
        client.memory.putLong(Party.DATA, value);
        client.send(0, 8);
        client.ring();
    }

    /** Has a chain wait for a message and write it to where the client wants it. */
    private void answers(long address, int key) {
        queue.receive(0, 8);
        queue.order(Wqe.WAIT, queue.cq(), 0);
        queue.write(0, 8, address, key);
        queue.ring();
        hosts.rounds();
    }

    private long answer() {
        return client.memory.getLong(Party.DATA + ANSWER);
    }

    @Test
    void aMessageSetsAChainGoingWhoseAnswerIsSeenAtTheOtherHost() {
        connect();
        answers(client.data(ANSWER), client.rkey);
        assertEquals(0, answer(), "it did not wait");
        long before = host.state().executed();
        ask(99);
        hosts.until("the answer", () -> answer() == 99);
        hosts.until("the chain to hear of it", () -> host.state().executed() == before + 2);
        client.expectSent(WcStatus.SUCCESS);
        assertEquals(QueuePairState.RTS, queue.state());
    }

    @Test
    void whatAChainMayNotWriteFailsItAndItsClientsQp() {
        connect();
        answers(client.data(ANSWER), client.rkey ^ 1);
        ask(99);
        hosts.until("the chain to fail", () -> queue.state() == QueuePairState.ERR);
        hosts.until("the client to fail", () -> client.state() == QueuePairState.ERR);
        assertEquals(0, answer());
        WcStatus last = queue.poll();
        for (WcStatus next = queue.poll(); next != null; next = queue.poll()) {
            last = next;
        }
        assertEquals(WcStatus.REM_ACCESS_ERR, last);
    }

    @Test
    void aChainThatWaitsForAHostThatIsGoneFails() {
        connect();
        answers(client.data(ANSWER), client.rkey);
        hosts.down();
        hosts.until("the chain to fail", () -> queue.state() == QueuePairState.ERR);
        assertTrue(host.failures > 0);
        hosts.up();
    }

    /** Writes WRITEs of 8 bytes, one behind the other, that complete only if they fail. */
    private void writes(int count, int key) {
        for (int i = 0; i < count; i++) {
            queue.write(8 * i, 8, client.data(ANSWER + 8 * i), key);
            queue.isSilent();
        }
    }

    /** Goes on until the queue has so many completions, the last of which says success. */
    private void completes(int count) {
        hosts.until("completions=" + count, () -> queue.produced() >= count);
        assertEquals(WcStatus.SUCCESS, queue.poll());
    }

    @Test
    void whatNobodyWaitsForDoesNotHoldItsChainUp() {
        connect();
        host.put(0, 11);
        host.put(8, 22);
        host.put(16, 33);
        writes(3, client.rkey);
        queue.nop();
        queue.ring();
        TwoHosts.roundsOf(hosts.west);
        assertEquals(WcStatus.SUCCESS, queue.poll(), "the NOP behind them");
        assertEquals(0, answer(), "the other host has done nothing yet");
        hosts.until("the answers", () -> client.memory.getLong(Party.DATA + ANSWER + 16) == 33);
        assertEquals(11, answer());
        assertEquals(22, client.memory.getLong(Party.DATA + ANSWER + 8));
        assertEquals(4, host.state().executed());
    }

    @Test
    void aReadHoldsUpWhatIsBehindItThoughWritesBeforeItDoNot() {
        connect();
        client.memory.putLong(Party.DATA + 512, 77);
        writes(2, client.rkey);
        queue.read(64, 8, client.data(512), client.rkey);
        queue.isSilent();
        queue.nop();
        queue.ring();
        TwoHosts.roundsOf(hosts.west);
        assertNull(queue.poll());
        completes(1);
        assertEquals(77, host.get(64), "the NOP was not behind it");
    }

    @Test
    void aTurnWhileAMessageIsUnderWayDoesNotSendItAgain() {
        connect();
        client.receive(ANSWER, LONGER);
        client.receive(ANSWER + LONGER, LONGER);
        host.put(0, 5);
        host.put(LONGER, 6);
        queue.send(0, LONGER);
        queue.ring();
        for (int i = 0; i < 3; i++) {
            TwoHosts.roundsOf(hosts.west);
            queue.ring(); // its chains have a turn
        }
        completes(1);
        queue.send(LONGER, LONGER);
        queue.ring();
        completes(2);
        assertEquals(5, answer());
        assertEquals(6, client.memory.getLong(Party.DATA + ANSWER + LONGER));
    }

    @Test
    void whatFailsBehindTheChainsBackFailsItAndFlushesTheRest() {
        connect();
        writes(3, client.rkey ^ 1);
        queue.nop();
        queue.ring();
        TwoHosts.roundsOf(hosts.west);
        assertEquals(WcStatus.SUCCESS, queue.poll(), "the NOP");
        hosts.until("the chain to fail", () -> queue.state() == QueuePairState.ERR);
        hosts.rounds();
        assertEquals(WcStatus.REM_ACCESS_ERR, queue.poll());
        assertEquals(WcStatus.WR_FLUSH_ERR, queue.poll());
        assertEquals(WcStatus.WR_FLUSH_ERR, queue.poll());
        assertNull(queue.poll());
        assertEquals(1, host.failures);
        assertEquals(0, answer());
    }

    @Test
    void moreThanThereIsRoomForWaitsForRoom() {
        connect();
        for (int round = 0; round < 10; round++) {
            host.put(0, round);
            for (int i = 0; i < ChainParty.BLOCKS - 1; i++) {
                queue.write(0, 8, client.data(ANSWER), client.rkey);
                queue.isSilent();
            }
            queue.write(0, 8, client.data(ANSWER), client.rkey);
            queue.ring();
            if (round % 3 == 0) {
                TwoHosts.roundsOf(hosts.west);
            }
            completes(round + 1);
            assertEquals(round, answer());
        }
    }

    /** A program reads over its own next WQE what the other host has: that wakes, or does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProgramThatTheOtherHostsMemoryChangesDoesWhatThatSays(boolean wakes) {
        connect();
        host.put(0, 44);
        queue.readOverNext(client.data(256), client.rkey);
        queue.isSilent();
        queue.write(0, 8, client.data(ANSWER), client.rkey);
        long awake = queue.sleeps();
        long asleep = queue.start(1);
        client.memory.putLong(Party.DATA + 256, wakes ? awake : asleep);
        queue.nop();
        queue.ring();
        completes(1);
        completes(2);
        assertEquals(wakes ? 44 : 0, answer());
        assertEquals(wakes ? awake : asleep, queue.start(1), "the program is as it changed itself");
    }

    /** The other host writes a program's next WQE itself, while the program waits for its message. */
    @Test
    void aProgramThatAMessageOfTheOtherHostChangesGoesByIt() {
        connect();
        host.put(0, 55);
        queue.receiveOverNextButOne();
        queue.order(Wqe.WAIT, queue.cq(), 0);
        queue.write(0, 8, client.data(ANSWER), client.rkey);
        long awake = queue.sleeps();
        queue.ring();
        hosts.rounds();
        client.memory.putLong(Party.DATA, awake);
        client.send(0, 8);
        client.ring();
        hosts.until("the answer", () -> answer() == 55);
    }

    /** Writes an atomic with its operands. */
    private void atomic(int opcode, long... operands) {
        int at = client.wqe();
        client.control(at, opcode, 3 + operands.length / 2);
        BigEndian.putLong(client.memory, at + 16, host.data(16));
        BigEndian.putLong(client.memory, at + 24, (long) host.rkey << 32);
        for (int i = 0; i < operands.length; i++) {
            BigEndian.putLong(client.memory, at + Wqe.ATOMIC + i * Long.BYTES, operands[i]);
        }
        int data = at + Wqe.dataOffset(opcode);
        if (data == at + Wqe.BLOCK) {
            data = Party.QP + Party.SEND_RING; // the ring's next block
            data += ((at - data) / Wqe.BLOCK + 1) % Party.ENTRIES * Wqe.BLOCK;
            client.producer++;
        }
        client.segment(data, 8, Party.KEY, client.data(0));
        client.producer++;
        client.ring();
        hosts.until("the atomic", client::hasSent);
        client.expectSent(WcStatus.SUCCESS);
    }

    @Test
    void maskedAtomicsChangeTheirBitsAtTheOtherHost() {
        connect();
        host.put(16, 0x00000001_ffffffffL);
        atomic(Wqe.ATOMIC_MASKED_FA, 0x00000001_00000001L, 1L << 31); // a field ends at bit 31
        assertEquals(0x00000001_ffffffffL, client.memory.getLong(Party.DATA));
        assertEquals(0x00000002_00000000L, host.get(16));
        atomic(Wqe.ATOMIC_MASKED_CS, 0x7700L, 0, 0xff00L, 0);
        assertEquals(0x00000002_00007700L, host.get(16));
        atomic(Wqe.ATOMIC_MASKED_CS, 0x99L, 0x3300L, 0xffL, 0xff00L);
        assertEquals(0x00000002_00007700L, host.get(16), "it was not equal");
        assertEquals(0x00000002_00007700L, client.memory.getLong(Party.DATA));
    }
}
