package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.jvrpc.verbs.WorkCompletion;

/**
 * The Java side of perftest's bandwidth tests, in which many requests are under way. Memory as perftest has it: what is
 * sent lies at 0, what the peer may use {@code size} behind; then come slots of that size. One thread.
 */
final class BandwidthPeer implements AutoCloseable {

    /** Requests under way, and receives. */
    private static final int SLOTS = 16;

    private final Local local;
    private final Tool tool;
    private final boolean client;
    private final int iterations;
    private final int size;
    private QueuePair qp;
    private final PostReceive[] slots = new PostReceive[SLOTS];
    private Perftest talk;
    private PerftestKey mine;
    private PerftestKey theirs;

    /** What is posted for a slot. */
    private interface Request {

        SendRequest of(Sge slot);
    }

    /** What has to be true of the answer in a slot. */
    private interface Check {

        void accept(int number, long offset);
    }

    BandwidthPeer(String driver, Tool tool, boolean client, int iterations, int size) {
        this(new Local(driver, bytes(size)), tool, client, iterations, size);
    }

    BandwidthPeer(Local local, Tool tool, boolean client, int iterations, int size) {
        this.local = local;
        this.tool = tool;
        this.client = client;
        this.iterations = iterations;
        this.size = size;
    }

    /** Returns what memory there has to be. */
    static int bytes(int size) {
        return (2 + SLOTS) * size;
    }

    /** Makes the QP, with receives where it is to have some. */
    private QueuePair make(boolean receives) {
        qp = local.keep(local.pd.createQp(local.attributes()));
        qp.init();
        for (int i = 0; receives && i < SLOTS; i++) {
            slots[i] = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(local.mr, slot(i), size)));
            assertEquals(1, slots[i].execute());
        }
        return qp;
    }

    private void meet(Talk line, int after, boolean receives) {
        talk = Perftest.greet(line, client);
        mine = PerftestKey.of(make(receives), local.mr, size);
        if (line instanceof CmLine cm) {
            talk.keys(mine, 1);
            cm.join(() -> make(receives));
            talk.keys(mine, 2);
            theirs = talk.keys(mine, after);
        } else {
            theirs = talk.keys(mine, 1);
            qp.connect(theirs.endpoint(talk.mtu()));
            talk.keys(mine, after);
        }
    }

    private long slot(int number) {
        return (2L + number % SLOTS) * size;
    }

    /** Posts so many, {@link #SLOTS} at a time, in slots in turn; checks each when it is complete. */
    private void post(WcOpcode opcode, int length, Request request, Check check) {
        PostSend[] calls = new PostSend[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            calls[i] = qp.prepareSend(request.of(Sge.of(local.mr, slot(i), length)));
        }
        int posted = 0;
        for (int done = 0; done < iterations; done++) {
            for (; posted < iterations && posted < done + SLOTS; posted++) {
                assertEquals(1, calls[posted % SLOTS].execute());
            }
            assertEquals(opcode, local.await(tool).opcode());
            check.accept(done, slot(done));
        }
    }

    /** {@code ib_send_bw}: the server's messages are whole; the tool as server checks nothing. */
    void send(Talk line) {
        if (client) {
            meet(line, 3, false);
            post(WcOpcode.SEND, size, slot -> SendRequest.send(2, slot).signalled(), (number, offset) -> { });
        } else {
            receive(line);
        }
        talk.close(mine);
    }

    private void receive(Talk line) {
        meet(line, 3, true);
        byte[] first = null;
        for (int i = 0; i < iterations; i++) {
            WorkCompletion wc = local.await(tool);
            assertEquals(WcOpcode.RECV, wc.opcode());
            assertEquals(size, wc.byteLength());
            if (first == null) {
                first = local.bytes(slot(0), size);
                CRandom.assertFilled(first, 0);
            }
            assertArrayEquals(first, local.bytes(slot(i), size), "message " + i);
            local.put(slot(i), new byte[size]);
            assertEquals(1, slots[i % SLOTS].execute());
        }
    }

    /** {@code ib_write_bw}, the one that writes: the tool does not look at what came. */
    void write(Talk line) {
        meet(line, 2, false);
        post(WcOpcode.RDMA_WRITE, size,
                slot -> SendRequest.write(2, theirs.address(), theirs.rkey(), slot).signalled(),
                (number, offset) -> { });
        end();
    }

    /** {@code ib_read_bw}, the one that reads. */
    void read(Talk line) {
        meet(line, 2, false);
        byte[][] first = new byte[1][];
        post(WcOpcode.RDMA_READ, size,
                slot -> SendRequest.read(2, theirs.address(), theirs.rkey(), slot).signalled(), (number, offset) -> {
                    byte[] read = local.bytes(offset, size);
                    if (first[0] == null) {
                        CRandom.assertFilled(read, size);
                        first[0] = read;
                    }
                    assertArrayEquals(first[0], read, "read " + number);
                    local.put(offset, new byte[size]);
                });
        end();
    }

    /** {@code ib_atomic_bw}, the one that adds. */
    void add(Talk line) {
        meet(line, 2, false);
        long[] start = new long[1];
        post(WcOpcode.FETCH_ADD, Long.BYTES,
                slot -> SendRequest.fetchAndAdd(2, theirs.address(), theirs.rkey(), 1, slot).signalled(),
                (number, offset) -> {
                    long found = local.mr.buffer(offset, Long.BYTES).getLong(0);
                    start[0] = number == 0 ? found : start[0];
                    assertEquals(start[0] + number, found, "value found by addition " + number);
                });
        end();
    }

    private void end() {
        talk.keys(mine, 1);
        talk.reports();
        talk.close(mine);
    }

    /** Serves a client's one-sided verbs, and returns what its memory has afterwards. */
    byte[] serve(Talk line, long start) {
        local.mr.buffer(size, Long.BYTES).putLong(0, start);
        meet(line, 2, false);
        end(); // begins when the client is done
        return local.bytes(size, size);
    }

    @Override
    public void close() {
        local.close();
    }
}
