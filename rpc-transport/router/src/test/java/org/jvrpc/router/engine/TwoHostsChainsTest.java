package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Chains of a tenant whose clients are on another host, and the atomics that chains are made of. */
final class TwoHostsChainsTest {

    private static final long EPOCH = System.nanoTime();
    private static final int ANSWER = 64;

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
