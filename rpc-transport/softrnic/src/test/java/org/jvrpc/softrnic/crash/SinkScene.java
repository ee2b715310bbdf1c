package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/**
 * The child sends to this process, writes, reads or adds to its memory. Its receives come back once each, what arrived
 * is whole and in order, and another sender, who reports to the same CQ, goes on.
 */
final class SinkScene extends Scene {

    private static final int RECEIVES = 8;
    private static final int SLOT = 4096;

    /** What the child does. */
    enum Kind {
        SEND(Initiators.SHORT, true), LONG_SEND(Initiators.LONG, true), PUSH(Initiators.SHORT, true),
        LONG_PUSH(Initiators.LONG, true), WRITE(Initiators.LONG, true), READ(Initiators.LONG, false), ADD(8, false);

        private final int length;
        private final boolean takesReceives;

        Kind(int length, boolean takesReceives) {
            this.length = length;
            this.takesReceives = takesReceives;
        }
    }

    private final Kind kind;
    private final CompletionQueue cq =
            device.createCq(CompletionQueueAttributes.ofDepth(64).withChannel(channel));
    private final Listener listener = listen();
    private final Device another = ShmUnderTest.open();
    private final ShmEnd theirs = new ShmEnd(device, RECEIVES, cq, channel);
    private final PostReceive theirReceive =
            theirs.qp.prepareReceive(ReceiveRequest.of(0, theirs.sge(0, Initiators.SHORT)));
    private final Bystander bystander = new Bystander(another, theirs.qp);
    private ShmEnd end;
    private MemoryRegion target;
    private Connection connection;
    private int arrived;
    private int returned;

    SinkScene(Kind kind) {
        this.kind = kind;
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, theirReceive.wrId(0, i).offset(0, 0, SLOT * i).execute());
        }
    }

    @Override
    public List<String> begin() {
        end = new ShmEnd(device, RECEIVES, cq, channel);
        target = end.pd.allocate(SLOT,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC);
        if (kind == Kind.ADD) {
            target.buffer(0, 8).putLong(0, 0);
        } else {
            Message.write(target.buffer(0, kind.length), Message.TO_BE_READ);
        }
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(i, end.sge(SLOT * i, SLOT))).execute());
        }
        connection = null;
        arrived = 0;
        returned = 0;
        return List.of(listener.address());
    }

    @Override
    public void step() {
        if (connection == null) {
            ConnectionRequest request = asked(listener);
            if (request != null) {
                byte[] answer = ByteBuffer.allocate(12)
                        .putLong(target.address()).putInt(target.rkey()).array();
                connection = request.accept(end.qp, answer);
            }
        }
        channel.await(0);
        while (cq.poll(wc)) {
            if (wc.qpNumber() == theirs.qp.number()) {
                takeAnothers();
            } else {
                take();
            }
        }
    }

    private void takeAnothers() {
        assertTrue(wc.succeeded(), wc::toString);
        Message.check(theirs.mr.buffer(SLOT * wc.wrId(), Initiators.SHORT), bystander.expected());
        assertEquals(1, theirReceive.wrId(0, wc.wrId()).offset(0, 0, SLOT * wc.wrId()).execute());
    }

    private void take() {
        assertEquals(end.qp.number(), wc.qpNumber(), wc::toString);
        assertEquals(returned, wc.wrId(), "lost, doubled, or out of order");
        returned++;
        if (wc.succeeded()) {
            assertEquals(arrived + 1, returned, "a message behind a flush");
            assertEquals(kind.length, wc.byteLength());
            if (kind == Kind.WRITE) {
                assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, wc.opcode());
            } else {
                Message.check(end.mr.buffer(SLOT * wc.wrId(), kind.length), arrived);
            }
            arrived++;
        } else {
            assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
        }
    }

    /** Sends complete. In a shared CQ, what comes behind a slot that the child has claimed waits for it. */
    @Override
    public void others() {
        for (int i = 0; i < RECEIVES / 2; i++) {
            bystander.send();
            step();
        }
    }

    @Override
    public void end(boolean whole) {
        stepUntil("the child's end", () -> !connection.isConnected());
        others();
        stepUntil("another's messages", bystander::hasAllArrived);
        stepUntil("every receive", () -> returned == RECEIVES);
        if (whole) {
            assertEquals(kind.takesReceives ? Initiators.MESSAGES : 0, arrived, "of a whole operation");
        }
        if (kind == Kind.WRITE && whole) {
            Message.check(target.buffer(0, kind.length), Initiators.MESSAGES - 1);
        }
        if (kind == Kind.ADD) {
            long sum = target.buffer(0, 8).getLong(0);
            assertTrue(whole ? sum == Initiators.MESSAGES : sum >= 0 && sum <= Initiators.MESSAGES, "sum=" + sum);
        }
        connection.close();
        target.close();
        end.close();
        assertFalse(cq.poll(wc), wc::toString);
    }

    @Override
    public void close() {
        another.close();
        super.close();
    }

    @Override
    public String toString() {
        return "arrived=" + arrived + " returned=" + returned + " connected="
                + (connection != null && connection.isConnected()) + "; " + bystander;
    }
}
