package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * RedN's hash get, instance by instance as its public code posts it, over two devices: the client's SEND sets it going.
 * Source of the program: hash_bench.c, as the reference of the verbs has it; keys have 48 bits as in the paper.
 */
class HashGetTest {

    private static final int INSTANCES = 4;
    private static final int BLOCKS = 7;
    private static final long NOP_3 = 3;

    private final ChainEnd server = new ChainEnd(ShmUnderTest.open());
    private final Device client = ShmUnderTest.open();
    private final ProtectionDomain clientPd = client.allocatePd();
    private final MemoryRegion clientMr =
            clientPd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private final ByteBuffer clientMemory = clientMr.buffer(0, 4096);
    private final CompletionQueue clientCq = client.createCq(CompletionQueueAttributes.ofDepth(64));
    private final QueuePair clientQp = clientPd.createQp(new QueuePairAttributes(clientCq, clientCq).rnr(0, 1));
    private final WorkCompletion wc = new WorkCompletion();
    private final Queue worker = server.loopback(64, true, false);
    private final Queue answers = server.queue(8, true, false, false);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static long control(int opcode, long key, int segments) {
        return key >>> 24 << 40 | (long) opcode << 32 | (key & 0xffffff) << 8 | segments;
    }

    private void bucket(int at, long key, int value) {
        server.memory.order(ByteOrder.BIG_ENDIAN)
                .putLong(at, control(Wqe.NOP, key, 3))
                .putLong(at + 8, server.mr.address() + value)
                .putInt(at + 16, 8);
    }

    private void load(int instance) {
        int first = instance * BLOCKS;
        long answer = answers.at(instance);
        Code read = Code.read(0, server.mr.rkey(), ChainEnd.piece(answers, instance, 0, 8),
                ChainEnd.piece(answers, instance, 40, 8), ChainEnd.piece(answers, instance, 32, 4));
        long write = control(Wqe.RDMA_WRITE, answers.qp.number(), 3);
        worker.load(first,
                Code.waitFor(answers.cq, instance),
                Code.enable(worker.qp, first + BLOCKS + 2),
                read,
                Code.compareAndSwap(answer, answers.code.rkey(), 0, Long.reverseBytes(write), server.piece(8000, 8))
                        .signalled(),
                Code.waitFor(worker.cq, instance),
                Code.enable(answers.qp, instance + 1));
        answers.load(instance, Code.write(clientMr.address(), clientMr.rkey(), server.piece(0, 8)).control(NOP_3));
    }

    private void start() {
        answers.qp.connect(clientQp.endpoint());
        clientQp.connect(answers.qp.endpoint());
        for (int i = 0; i < INSTANCES; i++) {
            load(i);
            long read = worker.at(i * BLOCKS + 2) + Wqe.REMOTE;
            long compare = worker.at(i * BLOCKS + 4) + Wqe.ATOMIC + Wqe.ATOMIC_COMPARE;
            answers.qp.prepareReceive(new ReceiveRequest(i, List.of(new Sge(compare, 8, worker.code.lkey()),
                    new Sge(read, 8, worker.code.lkey())))).execute();
        }
        Queue kick = server.loopback(8, false, true);
        kick.post(Code.enable(worker.qp, 2));
    }

    private void get(long key, int bucket) {
        clientMemory.order(ByteOrder.BIG_ENDIAN)
                .putLong(1024, Long.reverseBytes(control(Wqe.NOP, key, 3)))
                .putLong(1032, server.mr.address() + bucket);
        clientQp.prepareSend(SendRequest.send(1, new Sge(clientMr.address() + 1024, 16, clientMr.lkey()))).execute();
    }

    @Test
    void aKeyOf48BitsIsFoundAndItsValueWritten() {
        clientQp.init();
        bucket(256, 0xabcdef_123456L, 512);
        bucket(288, 0x000001_000000L, 520);
        server.memory.order(ByteOrder.LITTLE_ENDIAN).putLong(512, 11).putLong(520, 12);
        start();
        get(0xabcdef_123456L, 256);
        assertEquals(11, clientMemory.order(ByteOrder.LITTLE_ENDIAN).getLong(0));
        get(0x000001_000000L, 288);
        assertEquals(12, clientMemory.order(ByteOrder.LITTLE_ENDIAN).getLong(0));
        clientMemory.putLong(0, -1);
        get(0xabcdef_123457L, 256);
        assertEquals(-1, clientMemory.order(ByteOrder.LITTLE_ENDIAN).getLong(0), "another key was answered");
        get(0xabcdef_123456L, 256);
        assertEquals(11, clientMemory.order(ByteOrder.LITTLE_ENDIAN).getLong(0), "after a miss");
        get(0xabcdef_123456L, 256);
        assertTrue(clientCq.poll(wc));
        assertEquals(WcStatus.RNR_RETRY_EXC_ERR, wc.status(), "all instances are used up");
    }
}
