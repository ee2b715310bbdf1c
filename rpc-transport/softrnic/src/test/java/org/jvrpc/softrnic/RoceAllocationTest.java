package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What packets make no garbage for, on the threads of callers and of nodes. */
class RoceAllocationTest extends RoceEnds {

    private static final int OPERATIONS = 1_000;
    /** Sixteen packets. */
    private static final int LONG = 1 << 15;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final WorkCompletion wc = new WorkCompletion();
    private ShmEnd left;
    private ShmEnd right;

    @BeforeEach
    void connect() {
        left = new ShmEnd(open("roce://127.0.0.1:0"), 4);
        right = new ShmEnd(open("roce://127.0.0.1:0"), 4);
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
    }

    /** Polls for both ends, as each waits for the other. */
    private void await(CompletionQueue cq, CompletionQueue other) {
        long startNs = System.nanoTime();
        while (!cq.poll(wc)) {
            other.poll(wc);
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "nothing came");
        }
        assertEquals(WcStatus.SUCCESS, wc.status());
    }

    private long allocated() {
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
    }

    /**
     * Goes on until a round took nothing, as compilers come late on a slow machine, and code that is not compiled yet
     * makes objects which compiled code does not.
     */
    private void allocatesNothing(Runnable operation) {
        List<Long> taken = new ArrayList<>();
        long startNs = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS,
                    () -> "each " + OPERATIONS + " operations took bytes: " + taken);
            long first = allocated();
            long before = allocated();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            taken.add(allocated() - before - (before - first)); // a look takes some, too
        } while (taken.get(taken.size() - 1) >= OPERATIONS);
    }

    @Test
    void messages() {
        PostReceive receive = right.qp.prepareReceive(ReceiveRequest.of(7, right.sge(64, 16)));
        PostSend send = left.qp.prepareSend(SendRequest.send(1, left.sge(0, 16)).signalled());
        allocatesNothing(() -> {
            receive.execute();
            send.execute();
            await(right.receiveCq, left.receiveCq);
            await(left.sendCq, right.sendCq);
        });
    }

    @Test
    void writesOfManyPackets() {
        PostSend write = left.qp.prepareSend(
                SendRequest.write(1, right.mr.address(), right.mr.rkey(), left.sge(0, LONG)).signalled());
        allocatesNothing(() -> {
            write.execute();
            await(left.sendCq, right.receiveCq);
        });
    }

    @Test
    void readsOfManyPackets() {
        PostSend read = left.qp.prepareSend(
                SendRequest.read(1, right.mr.address(), right.mr.rkey(), left.sge(0, LONG)).signalled());
        allocatesNothing(() -> {
            read.execute();
            await(left.sendCq, right.receiveCq);
        });
    }
}
