package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/**
 * One QP to another router, with the memory that its messages come in. Made by who waits for connections; the worker's
 * once it is connected.
 */
final class Lane {

    static final int RECEIVES = 128;
    /** How many messages may be on their way. */
    static final int SENDS = 128;
    /** Those beyond are for answers: what a peer waits for never waits for what it has yet to take. */
    static final int REQUESTS = 64;
    private static final long RNR_NS = 20_000;
    /** Longer than a link is silent until its peer is taken for lost: a router that is starved is not. */
    private static final long PATIENCE_NS = 12_000_000_000L;
    /** One in so many says that it has left: each would have the peer's device say so at once. */
    private static final int TELLS = 8;
    private static final long A_SEND = 1L << 32;

    private final int number;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final PostReceive receive;
    private final Slots slots;
    private PostSend send;
    private Connection connection;
    private final int[] leaving = new int[SENDS];
    private int posted;
    private int left;
    private boolean over;

    /** A lane that is not connected, with its receives posted. */
    Lane(int number, ProtectionDomain pd, CompletionQueue cq, Slots slots) {
        this.number = number;
        this.slots = slots;
        this.region = pd.allocate((long) RECEIVES * Slots.BYTES, Access.LOCAL_WRITE);
        this.memory = region.buffer(0, RECEIVES * Slots.BYTES);
        this.qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(SENDS, RECEIVES).sges(1, 1)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, RNR_NS).patience(PATIENCE_NS));
        qp.init();
        this.receive = qp.prepareReceive(ReceiveRequest.of(0, Sge.of(region, 0, Slots.BYTES)));
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    QueuePair qp() {
        return qp;
    }

    int number() {
        return number;
    }

    void connected(Connection made) {
        connection = made;
        send = qp.prepareSend(SendRequest.send(0, new Sge(slots.address(0), Slots.BYTES, slots.lkey())).signalled());
    }

    /** Returns false when the peer is gone. */
    boolean isConnected() {
        return connection.isConnected();
    }

    /** Returns false once it has failed. */
    boolean isOver() {
        return over;
    }

    void over() {
        over = true;
    }

    boolean mayRequest() {
        return posted - left < REQUESTS;
    }

    /** Tells whether there is room for what may be dropped: others must not wait for it. */
    boolean mayDrop() {
        return posted - left < REQUESTS / 2;
    }

    boolean mayAnswer() {
        return posted - left < SENDS;
    }

    /** Sends what lies in a slot, which is needed until it has left. Room was looked for before. */
    void post(int slot, int bytes) {
        boolean tells = (posted + 1 & TELLS - 1) == 0;
        send.wrId(0, A_SEND).address(0, 0, slots.address(slot)).length(0, 0, bytes).signalled(0, tells);
        if (send.execute() == 1) {
            leaving[posted++ & SENDS - 1] = slot;
        } else {
            over = true;
            slots.give(slot);
        }
    }

    /** The next message that tells has left, with all before it. */
    void sent() {
        do {
            slots.give(leaving[left++ & SENDS - 1]);
        } while ((left & TELLS - 1) != 0 && left != posted);
    }

    ByteBuffer memory() {
        return memory;
    }

    static int at(int receive) {
        return receive * Slots.BYTES;
    }

    void postReceive(int i) {
        receive.wrId(0, i).offset(0, 0, at(i)).execute();
    }

    /** Ends it. Any thread that has it alone. */
    void close() {
        over = true;
        if (connection != null) {
            connection.close();
        } else {
            qp.close();
        }
        region.close();
    }
}
