package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Talk;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/**
 * What perftest does with {@code -R}: one QP of the connection manager to talk by, where it has a TCP connection
 * otherwise, then another one for the test, by the same port. All of it ends with the {@link Local}. One thread.
 */
final class CmLine implements Talk {

    private static final int SLOT = 64;
    private static final int RECEIVES = 4;
    private static final long CONNECT_NS = 10_000_000_000L;
    private static final long TURN_NS = 1_000_000;

    private final Local local;
    private final int port;
    private final EventChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final WorkCompletion wc = new WorkCompletion();
    private final Deque<byte[]> received = new ArrayDeque<>();
    private Tool tool;
    private Listener listener;
    private PostReceive receive;
    private QueuePair qp;
    private int sent;

    CmLine(Local local, int port) {
        this.local = local;
        this.port = port;
        channel = local.keep(local.device.createChannel());
        cq = local.keep(local.device.createCq(CompletionQueueAttributes.ofDepth(2 * RECEIVES)));
        mr = local.keep(local.pd.allocate((1 + RECEIVES) * SLOT, Access.LOCAL_WRITE));
    }

    /** Waits for connections from now on, which the tool makes only once. */
    void listen() {
        listener = local.keep(local.device.listen(Ends.near(port), channel));
    }

    /** Connects the QP to talk by. */
    void open(Tool peer) {
        tool = peer;
        qp = join(() -> {
            QueuePair made = local.pd.createQp(new QueuePairAttributes(cq, cq).depth(RECEIVES, RECEIVES)
                    .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 640_000));
            made.init();
            receive = made.prepareReceive(ReceiveRequest.of(0, Sge.of(mr, SLOT, SLOT)));
            for (int i = 0; i < RECEIVES; i++) {
                post(i);
            }
            return made;
        });
    }

    private void post(long slot) {
        assertEquals(1, receive.wrId(0, slot).offset(0, 0, slot * SLOT).execute());
    }

    /** Connects a QP, or another one as long as the tool does not listen yet, and returns it. */
    QueuePair join(Supplier<QueuePair> make) {
        Deadline deadline = Deadline.usual();
        while (true) {
            QueuePair qp = local.keep(make.get());
            try {
                local.keep(connect(qp));
                return qp;
            } catch (ConnectionException e) {
                qp.close(); // with what it flushed
                assertTrue(tool.runsOn(), tool::toString);
                deadline.turn(() -> e + "; " + tool);
            }
        }
    }

    private Connection connect(QueuePair qp) {
        if (listener == null) {
            return local.device.connect(Ends.far(port), qp, new byte[0], channel, CONNECT_NS);
        }
        Deadline deadline = Deadline.usual();
        for (ConnectionRequest request = listener.poll();; request = listener.poll()) {
            if (request != null) {
                return request.accept(qp, new byte[0]);
            }
            channel.await(TURN_NS);
            deadline.turn(tool::toString);
        }
    }

    private void await() {
        Deadline deadline = Deadline.usual();
        while (!cq.poll(wc)) {
            deadline.turn(() -> "no completion; " + tool);
        }
        assertTrue(wc.succeeded(), () -> wc + "; " + tool);
        if (wc.opcode() == WcOpcode.SEND) {
            sent++;
            return;
        }
        byte[] bytes = new byte[wc.byteLength()];
        mr.buffer((1 + wc.wrId()) * SLOT, bytes.length).get(0, bytes);
        received.add(bytes);
        post(wc.wrId());
    }

    @Override
    public byte[] read(int bytes) {
        while (received.isEmpty()) {
            await();
        }
        byte[] next = received.remove();
        assertEquals(bytes, next.length, "bytes of a message");
        return next;
    }

    @Override
    public void write(byte[] bytes) {
        mr.buffer(0, bytes.length).put(0, bytes);
        PostSend send = qp.prepareSend(SendRequest.send(0, Sge.of(mr, 0, bytes.length)).signalled());
        assertEquals(1, send.execute());
        for (int before = sent; sent == before;) {
            await();
        }
        send.free();
    }
}
