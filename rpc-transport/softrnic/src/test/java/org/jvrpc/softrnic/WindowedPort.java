package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/**
 * A port as one with a network is: what was sent is completed when the test acknowledges it, at the next poll that
 * finds nothing; messages arrive when the test says so. One thread.
 */
final class WindowedPort implements Port, SendEngine {

    final List<String> calls = new ArrayList<>();
    final PortQueuePair qp;
    /** What {@link #isStalled} says next; where there is nothing, whether WQEs are acknowledged and not completed. */
    final Deque<Boolean> stalled = new ArrayDeque<>();
    /** What is done when it is disconnected. */
    Runnable atDisconnect = () -> { };
    int progresses;
    int flushes;
    private final CqWriter sends;
    private final CqWriter receives;
    private int posted;
    private int acknowledged;
    private int completed;
    private int consumed;

    WindowedPort(PortQueuePair qp) {
        this.qp = qp;
        this.sends = producer(qp.sendCq());
        this.receives = producer(qp.receiveCq());
    }

    private CqWriter producer(PortCompletionQueue cq) {
        return new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false);
    }

    /** The peer has these WQEs, of one block each. */
    void acknowledge(int wqes) {
        acknowledged += wqes;
        qp.stalled();
    }

    /** A message comes that fits in a CQE. */
    void arrive(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
        int format = receives.format(bytes.length);
        int cqe = receives.claim();
        receives.memory().put(Cqe.inlineOffset(cqe, format), bytes);
        BigEndian.putInt(receives.memory(), cqe + Cqe.BYTE_COUNT, bytes.length);
        receives.publish(cqe, 0, consumed++, Cqe.RESP_SEND, format);
    }

    /** The network is found broken. */
    void breakDown() {
        QpContext.fail(memory(), qp.context());
        qp.error();
    }

    /** Returns how many WQEs are sent and not completed. */
    int underWay() {
        return posted - completed;
    }

    private ByteBuffer memory() {
        return qp.sends().memory();
    }

    @Override
    public void ring(int producer) {
        posted = producer;
    }

    @Override
    public boolean isStalled() {
        Boolean said = stalled.poll();
        return said != null ? said : completed != acknowledged;
    }

    @Override
    public void progress() {
        progresses++;
        completeAcknowledged();
    }

    private void completeAcknowledged() {
        for (; completed != acknowledged; completed++) {
            sends.succeed(Wqe.SEND, completed, 0);
        }
    }

    @Override
    public void wakePeer() {
        calls.add("wakePeer");
    }

    @Override
    public SendEngine engine() {
        return this;
    }

    @Override
    public byte[] endpoint() {
        return new byte[] {1, 2, 3};
    }

    @Override
    public void open() {
        calls.add("open");
        if (qp.attributes().maxSendWr() == 1) {
            throw new VerbsException("create_qp", "the network is down");
        }
    }

    @Override
    public void connect(byte[] endpoint) {
        if (endpoint.length != 3) {
            throw new VerbsException("modify_qp", "no such peer");
        }
        QpContext.advance(memory(), qp.context(), QueuePairState.INIT, QueuePairState.RTR);
        QpContext.advance(memory(), qp.context(), QueuePairState.RTR, QueuePairState.RTS);
    }

    @Override
    public void makeReady() {
        throw new VerbsException("modify_qp", "no datagrams");
    }

    @Override
    public void flush() {
        flushes++;
        completeAcknowledged();
        for (; completed != posted; completed++) {
            sends.fail(completed, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
        }
        acknowledged = completed;
    }

    @Override
    public void recover() {
        calls.add("recover");
    }

    @Override
    public void disconnect() {
        calls.add("disconnect in " + qp.state());
        atDisconnect.run();
    }

    @Override
    public void close(Arena.Block memory, Set<Quarantine> known) {
        calls.add("close");
        Quarantine.free(memory, known); // nobody else could write to it
    }
}
