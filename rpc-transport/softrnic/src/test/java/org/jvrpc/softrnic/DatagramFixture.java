package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.shm.ShmEndpoint;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** A receiver of datagrams that reports to a CQ which others may share, and a sender on the same device. */
abstract class DatagramFixture {

    static final int RECEIVES = 8;
    static final int HEADER = 40;

    SoftDevice device;
    CompletionQueue shared;
    ShmEnd receiver;
    ShmEnd sender;
    Destination there;
    SoftQueuePair control;
    ByteBuffer memory;
    int context;
    final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = (SoftDevice) ShmUnderTest.open();
        shared = device.createCq(CompletionQueueAttributes.ofDepth(16));
        sender = datagrams(null);
        makeReceiver();
    }

    void makeReceiver() {
        receiver = datagrams(shared);
        there = destination(sender, receiver);
        control = (SoftQueuePair) ((Mlx5QueuePair) receiver.qp).control();
        long address = ShmEndpoint.decode("test", receiver.qp.endpoint()).address();
        memory = device.arena().require(address, QpContext.BYTES, "qp").window(address);
        context = Slab.index(address);
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, receiver.qp.prepareReceive(
                    ReceiveRequest.of(i, receiver.sge(128 * i, HEADER + 64))).execute());
        }
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    ShmEnd datagrams(CompletionQueue cq) {
        ShmEnd end = new ShmEnd(device, RECEIVES, cq, device.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        return end;
    }

    static Destination destination(ShmEnd from, ShmEnd to) {
        return new Destination(from.pd.createAh(to.qp.endpoint()), to.qp.number(), ShmEnd.QKEY);
    }

    void send(ShmEnd from, Destination to, long value) {
        from.mr.buffer(0, 8).putLong(0, value);
        assertEquals(1, from.qp.prepareSend(SendRequest.datagram(value, to, from.sge(0, 8)).signalled()).execute());
        Deadline.until("send", () -> from.sendCq.poll(wc));
        assertTrue(wc.succeeded() && wc.wrId() == value, wc::toString);
    }

    void expect(long wrId, long value) {
        Deadline.until("wrId=" + wrId, () -> shared.poll(wc));
        assertTrue(wc.succeeded() && wc.wrId() == wrId && wc.qpNumber() == receiver.qp.number(), wc::toString);
        assertEquals(value, receiver.mr.buffer(128 * wrId + HEADER, 8).getLong(0));
    }
}
