package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import org.jvrpc.ibverbs.interop.exchange.CRandom;
import org.jvrpc.ibverbs.interop.exchange.Perftest;
import org.jvrpc.ibverbs.interop.exchange.PerftestKey;
import org.jvrpc.ibverbs.interop.exchange.Talk;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.contract.Deadline;

/**
 * The Java side of perftest's latency tests. Memory as perftest has it: what is sent lies at 0, what the peer may use a
 * page behind. One thread.
 */
final class PerftestPeer implements AutoCloseable {

    /** Where the memory for the peer begins, here and there. */
    static final int SHARED = 4096;
    /** What memory there has to be. */
    static final int BYTES = 3 * SHARED;
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Local local;
    private final Tool tool;
    private final boolean client;
    private final int iterations;
    private final int size;
    private QueuePair qp;
    private PostReceive receive;
    /** Completions that came before they were waited for. */
    private final Map<WcOpcode, Integer> seen = new EnumMap<>(WcOpcode.class);
    private Perftest talk;
    private PerftestKey mine;
    private PerftestKey theirs;

    PerftestPeer(String driver, Tool tool, boolean client, int iterations, int size) {
        this(new Local(driver, BYTES), tool, client, iterations, size);
    }

    PerftestPeer(Local local, Tool tool, boolean client, int iterations, int size) {
        this.local = local;
        this.tool = tool;
        this.client = client;
        this.iterations = iterations;
        this.size = size;
    }

    /** Makes the QP, with a receive. */
    private QueuePair make() {
        qp = local.keep(local.pd.createQp(local.attributes()));
        qp.init();
        receive = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(local.mr, SHARED, size)));
        assertEquals(1, receive.execute());
        return qp;
    }

    /** Connects; {@code before} and {@code after} say how many times keys are exchanged before and after that. */
    private void meet(Talk line, int before, int after) {
        talk = Perftest.greet(line, client);
        mine = PerftestKey.of(make(), local.mr, SHARED);
        if (line instanceof CmLine cm) {
            talk.keys(mine, 1);
            cm.join(this::make);
            talk.keys(mine, 1 + before);
            theirs = talk.keys(mine, after);
        } else {
            theirs = talk.keys(mine, before);
            qp.connect(theirs.endpoint(talk.mtu()));
            talk.keys(mine, after);
        }
    }

    /** Waits for a completion; the peer's answer may come before that of the send that it answers. */
    private void completed(WcOpcode opcode) {
        while (seen.getOrDefault(opcode, 0) == 0) {
            seen.merge(local.await(tool).opcode(), 1, Integer::sum);
        }
        seen.merge(opcode, -1, Integer::sum);
    }

    private long shared(long offset) {
        // Acquire: what the device writes from outside of the JVM is looked at anew.
        return (long) LONGS.getAcquire(local.mr.buffer(SHARED, size), (int) offset);
    }

    /** {@code ib_send_lat}: the client begins; each side sends what it has, which does not change. */
    void sendLatency(Talk line) {
        meet(line, 1, 3);
        PostSend send = qp.prepareSend(SendRequest.send(2, Sge.of(local.mr, 0, size)).signalled());
        if (client) {
            assertEquals(1, send.execute());
            completed(WcOpcode.SEND);
        }
        byte[] first = null;
        for (int i = 0; i < iterations; i++) {
            completed(WcOpcode.RECV);
            if (first == null) {
                first = local.bytes(SHARED, size);
                CRandom.assertFilled(first, 0);
            }
            assertArrayEquals(first, local.bytes(SHARED, size), "message " + i);
            local.put(SHARED, new byte[size]); // the peer sends its next one when it has the answer
            assertEquals(1, receive.execute());
            if (!client || i + 1 < iterations) {
                assertEquals(1, send.execute());
                completed(WcOpcode.SEND);
            }
        }
        talk.close(mine);
    }

    /** {@code ib_write_lat}: the server begins; the last byte of each write is the number of the write. */
    void writeLatency(Talk line) {
        meet(line, 2, 2);
        PostSend write = qp.prepareSend(
                SendRequest.write(2, theirs.address(), theirs.rkey(), Sge.of(local.mr, 0, size)).signalled());
        if (!client) {
            write(write, 1);
        }
        for (int n = 1; n <= iterations; n++) {
            long expected = (long) n << 56; // a count of 8 bits in the last of 8 bytes, of which the others are 0
            Deadline deadline = Deadline.usual();
            while (shared(0) != expected) {
                deadline.turn(() -> "expected " + Long.toHexString(expected) + " got " + Long.toHexString(shared(0))
                        + "; " + tool);
            }
            if (client || n < iterations) {
                write(write, client ? n : n + 1);
            }
        }
    }

    private void write(PostSend write, int n) {
        local.mr.buffer(0, size).put(size - 1, (byte) n);
        assertEquals(1, write.execute());
        completed(WcOpcode.RDMA_WRITE);
    }

    /** {@code ib_read_lat}, the one that reads. */
    void readLatency(Talk line) {
        meet(line, 2, 2);
        PostSend read = qp.prepareSend(
                SendRequest.read(2, theirs.address(), theirs.rkey(), Sge.of(local.mr, 0, size)).signalled());
        byte[] first = null;
        for (int i = 0; i < iterations; i++) {
            local.put(0, new byte[size]);
            assertEquals(1, read.execute());
            completed(WcOpcode.RDMA_READ);
            if (first == null) {
                first = local.bytes(0, size);
                CRandom.assertFilled(first, SHARED);
            }
            assertArrayEquals(first, local.bytes(0, size), "read " + i);
        }
        talk.close(mine);
    }

    /** {@code ib_atomic_lat}, the one that adds 1 each time. */
    void addLatency(Talk line) {
        meet(line, 2, 2);
        PostSend add = qp.prepareSend(
                SendRequest.fetchAndAdd(2, theirs.address(), theirs.rkey(), 1, Sge.of(local.mr, 0, 8)).signalled());
        long start = 0;
        for (int i = 0; i < iterations; i++) {
            assertEquals(1, add.execute());
            completed(WcOpcode.FETCH_ADD);
            long found = local.mr.buffer(0, 8).getLong(0);
            if (i == 0) {
                start = found;
                CRandom.assertFilled(local.bytes(0, 8), SHARED);
            }
            assertEquals(start + i, found, "value found by addition " + i);
        }
        assertEquals(1, add.operands(0, 0, 0).execute()); // the server's QP is for atomics alone
        completed(WcOpcode.FETCH_ADD);
        assertEquals(start + iterations, local.mr.buffer(0, 8).getLong(0), "the server's memory");
        talk.close(mine);
    }

    /** {@code ib_atomic_lat -A CMP_AND_SWAP}, the one that swaps. */
    void swapLatency(Talk line) {
        meet(line, 2, 2);
        PostSend swap = qp.prepareSend(SendRequest.compareAndSwap(
                2, theirs.address(), theirs.rkey(), 0, 0, Sge.of(local.mr, 0, 8)).signalled());
        long expected = 0;
        for (int i = 0; i < iterations; i++) {
            // The first one fails, and so tells what is there; every third one is wrong on purpose.
            boolean wrong = i % 3 == 0;
            long next = expected * 31 + i;
            assertEquals(1, swap.operands(0, wrong ? ~expected : expected, next).execute());
            completed(WcOpcode.COMPARE_SWAP);
            long found = local.mr.buffer(0, 8).getLong(0);
            if (i == 0) {
                expected = found;
                CRandom.assertFilled(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(found).array(),
                        SHARED);
            }
            assertEquals(expected, found, "value found by swap " + i);
            expected = wrong ? expected : next;
        }
        talk.close(mine);
    }

    /** Serves a client's one-sided verbs, and returns the first 8 bytes of its memory afterwards. */
    long serve(Talk line, long start) {
        local.mr.buffer(SHARED, size).putLong(0, start);
        meet(line, 2, 2);
        talk.close(mine); // the client ends this exchange when it is done
        return shared(0);
    }

    @Override
    public void close() {
        local.close();
    }
}
