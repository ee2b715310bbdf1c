package org.jvrpc.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * One side of a session: a QP, its session memory, and the cached verb calls over it. Each send slot has a header, a
 * body and a prepared SEND of the two; a send changes the header, one length, and executes. What finds no room in the
 * send queue, because the peer or the network is slow, stays in its slot and goes on with later polls: a thread that
 * serves others waits for no peer. Receives are posted again in batches, in order, after the next poll. One thread at a
 * time, except for arming.
 *
 * <pre>
 * session memory: header of 64 bytes a slot | body of {@code slotBytes} a slot | receives of 64 + slotBytes, rounded
 * </pre>
 */
final class Link implements AutoCloseable {

    private static final int HEADER_STRIDE = 64;
    private static final int SEND_DEPTH = 256;
    /** Of a queue and its CQ, for each entry. */
    private static final long QUEUE_BYTES = 256;
    private static final int SIGNAL_EVERY = 64;
    /** How long a peer may leave the send queue without room, at least, before the link is given up. */
    private static final long PATIENCE_NS = 5_000_000_000L;
    /** How often the acknowledgement of a message without an answer is looked for at once. */
    private static final int SPINS_FOR_ACK = 32;
    /** Nothing failed by itself: the device, or the connection's manager, gave it up. */
    private static final String ENDED = "the connection ended";
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final QueuePair qp;
    private final MemoryRegion mr;
    private final ByteBuffer memory;
    private final int slots;
    private final int bodyStride;
    private int slotBytes;
    private final int receiveBase;
    private final int receiveStride;
    private final PostSend[] sends;
    private final PostSend read;
    private final PostSend ping;
    private final ReceiveBatches batches;
    private final WorkCompletion wc = new WorkCompletion();
    private final WorkCompletion sendWc = new WorkCompletion();
    private final long[] controlSent = new long[Protocol.CONTROLS];
    private final Unsent unsent;
    private final long sendLimitNs;
    private ByteBuffer payload;
    private int payloadOffset;
    private int payloadLength;
    private boolean taken;
    private int nextControl;
    private long posted;
    private long woken;
    private long signalled;
    /** Sends that wait for room: the size of {@link #unsent}, at hand for every send and poll. */
    private int waiting;
    /** The last send whose completion somebody waits for without polling again and again. */
    private long awaited;
    private boolean sendsArmed;
    private volatile long completed;
    private String failure;
    /** Looks whether the peer is there; null where a socket tells. Its poller's. */
    KeepAlive keepAlive;

    /** @param receives messages that the peer may send before it hears of any being taken */
    Link(Device device, ProtectionDomain pd, EventChannel channel, int slots, int slotBytes, int receives) {
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.bodyStride = slotBytes;
        this.sendLimitNs = device.longestSendNs();
        int sendSlots = slots + Protocol.CONTROLS;
        this.unsent = new Unsent(sendSlots);
        int receiveCount = ReceiveBatches.count(receives);
        this.receiveStride = ReceiveBatches.stride(slotBytes);
        this.receiveBase = sendSlots * (HEADER_STRIDE + slotBytes) + 63 & -64;
        int bytes = receiveBase + receiveCount * receiveStride;
        Undo undo = new Undo();
        try {
            this.sendCq = undo.keep(device.createCq(
                    new CompletionQueueAttributes(SEND_DEPTH, 64, true, false, channel)));
            this.receiveCq = undo.keep(device.createCq(
                    new CompletionQueueAttributes(receiveCount, 128, true, true, channel)));
            this.qp = undo.keep(pd.createQp(new QueuePairAttributes(sendCq, receiveCq)
                    .depth(SEND_DEPTH, receiveCount)
                    .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1000)
                    .lazyWake(true)));
            this.mr = undo.keep(pd.allocate(bytes, Access.LOCAL_WRITE));
            this.memory = mr.buffer(0, bytes);
            this.sends = new PostSend[sendSlots];
            for (int i = 0; i < sendSlots; i++) {
                sends[i] = qp.prepareSend(SendRequest.send(i,
                        Sge.of(mr, (long) i * HEADER_STRIDE, RpcHeader.BYTES),
                        Sge.of(mr, bodyOffset(i), slotBytes)));
            }
            this.read = qp.prepareSend(SendRequest.read(0, 0, 0, Sge.of(mr, 0, 0)).signalled());
            this.ping = qp.prepareSend(SendRequest.write(0, 0, 0, Sge.of(mr, 0, 0)).signalled());
            qp.init();
            this.batches = new ReceiveBatches(qp, mr, receiveBase, receiveStride, receiveCount);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    /** Returns what a server's side of a session takes, in bytes. */
    static long bytes(Protocol protocol, int units, int unitBytes) {
        long receives = ReceiveBatches.count(protocol.receives(units));
        return (units + Protocol.CONTROLS) * ((long) HEADER_STRIDE + unitBytes)
                + receives * ReceiveBatches.stride(unitBytes) + (SEND_DEPTH + receives) * QUEUE_BYTES;
    }

    private int bodyOffset(int slot) {
        return (slots + Protocol.CONTROLS) * HEADER_STRIDE + slot * bodyStride;
    }

    QueuePair qp() {
        return qp;
    }

    int slotBytes() {
        return slotBytes;
    }

    /** The peer has room for less than this side does. Before the first message. */
    void lessen(int granted) {
        slotBytes = granted;
    }

    /** Returns the memory of a slot's body. */
    ByteBuffer body(int slot) {
        return mr.buffer(bodyOffset(slot), slotBytes);
    }

    /** Returns why the link is broken, or null. */
    String failure() {
        return failure;
    }

    /**
     * Sends a slot's message, at once or, when the send queue has no room, with a later poll. The slot's memory is the
     * link's until then.
     *
     * @return false when the link is broken
     */
    boolean send(int slot, long first, long second, int bodyLength) {
        int header = slot * HEADER_STRIDE;
        LONG.set(memory, header, first);
        LONG.set(memory, header + 8, second);
        PostSend call = sends[slot].length(0, 1, bodyLength);
        long number = ++posted;
        if (number - signalled >= SIGNAL_EVERY || waiting != 0) {
            return sendSignalled(slot, number);
        }
        return call.execute() == 1 || keep(slot, number);
    }

    private boolean sendSignalled(int slot, long number) {
        boolean kept = waiting == 0 && post(slot, number) || keep(slot, number);
        drainSends();
        return kept && failure == null;
    }

    private boolean post(int slot, long number) {
        PostSend call = sends[slot];
        boolean executed = call.signalled(0, true).wrId(0, number).execute() == 1;
        call.signalled(0, false);
        if (executed) {
            signalled = number;
        }
        return executed;
    }

    private boolean keep(int slot, long number) {
        drainSends(); // which may make room for the next try
        if (!unsent.add(slot, number, System.nanoTime())) {
            return fail("more is sent than there are slots: slots=" + unsent.size());
        }
        awaited = number;
        waiting = unsent.size();
        return failure == null;
    }

    /** Returns true while messages wait for room in the send queue. */
    boolean isBehind() {
        return waiting != 0;
    }

    /** Posts what waits for room, as far as there is some; gives the link up when there is none for too long. */
    void catchUp() {
        drainSends();
        while (waiting != 0 && failure == null) {
            long nowNs = System.nanoTime();
            if (!post(unsent.slot(), unsent.number())) {
                if (unsent.stuckNs(nowNs) > patienceNs()) {
                    fail("peer takes no messages: waiting=" + waiting + " ms=" + unsent.stuckNs(nowNs) / 1_000_000);
                }
                return;
            }
            unsent.remove(nowNs);
            waiting = unsent.size();
        }
    }

    /** Returns how long the peer may leave what is sent untaken, in nanoseconds. */
    long patienceNs() {
        return Math.max(sendLimitNs, PATIENCE_NS);
    }

    /**
     * Sends a slot's message to which no answer comes that would say when its memory is free again. Does not wait for
     * the acknowledgement, which comes at once in shared memory and after a round trip on a network.
     *
     * @return the number to ask {@link #isSent} for, -1 when the link is broken
     */
    long sendOneWay(int slot, long first, long second, int bodyLength) {
        int header = slot * HEADER_STRIDE;
        LONG.set(memory, header, first);
        LONG.set(memory, header + 8, second);
        long number = ++posted;
        sends[slot].length(0, 1, bodyLength);
        boolean sent = sendSignalled(slot, number);
        for (int i = 0; i < SPINS_FOR_ACK && completed < number && failure == null; i++) {
            drainSends();
        }
        wakePeer();
        return sent && failure == null ? number : -1;
    }

    /** Returns true when a send, and all before it, are known to be complete. Any thread. */
    boolean isSent(long number) {
        return completed >= number;
    }

    /** Returns a number that changes with each send. */
    long sends() {
        return posted;
    }

    /** Has the peer's card say that it is there; returns the number to ask {@link #isSent} for, 0 without room. */
    long ping() {
        return postSignalled(ping);
    }

    private long postSignalled(PostSend call) {
        long number = posted + 1;
        if (waiting != 0 || call.wrId(0, number).execute() != 1) { // what is sent first is posted first
            drainSends();
            return 0;
        }
        posted = number;
        signalled = number;
        awaited = number;
        drainSends();
        return number;
    }

    /** Looks which sends are complete. */
    void reap() {
        drainSends();
    }

    /** Returns true when {@link #sendControl} does not wait: the slot that it takes next is free. */
    boolean hasControl() {
        if (completed < controlSent[nextControl]) {
            drainSends();
        }
        return completed >= controlSent[nextControl];
    }

    /**
     * Sends a message without a body. Control messages take slots of their own in turns, so that the thread need not
     * wait for the acknowledgement of each, but it waits when all are under way: see {@link #hasControl}.
     */
    boolean sendControl(long first, long second) {
        int control = nextControl;
        nextControl = nextControl + 1 == Protocol.CONTROLS ? 0 : nextControl + 1;
        if (!LinkWaits.awaitSent(this, controlSent[control], sendLimitNs)) {
            return false;
        }
        controlSent[control] = sendOneWay(slots + control, first, second, 0);
        return controlSent[control] >= 0;
    }

    private void drainSends() {
        try {
            while (sendCq.poll(sendWc)) {
                if (!sendWc.succeeded()) {
                    broken(sendWc.status());
                    return;
                }
                completed = Math.max(completed, sendWc.wrId());
            }
        } catch (VerbsException e) {
            fail(e.getMessage());
        }
    }

    /** Names the cause: the one send that failed by itself, which those before and behind it were flushed for. */
    private void broken(WcStatus first) {
        WcStatus cause = first;
        while (cause == WcStatus.WR_FLUSH_ERR && sendCq.poll(sendWc)) {
            cause = sendWc.status();
        }
        fail(cause == WcStatus.WR_FLUSH_ERR ? ENDED : "send failed: " + cause);
    }

    /** Reads the peer's memory into a body, and waits; false when the link is broken or the peer's key refuses. */
    boolean read(Body body, int offset, int length, long remoteAddress, int rkey) {
        return LinkWaits.read(this, body, offset, length, remoteAddress, rkey);
    }

    /**
     * Begins to read the peer's memory into a body.
     *
     * @return the number to ask {@link #isSent} for; 0 when there is no room in the send queue yet
     */
    long beginRead(Body body, int offset, int length, long remoteAddress, int rkey) {
        read.address(0, 0, body.address() + offset)
                .length(0, 0, length)
                .lkey(0, 0, body.lkey())
                .remoteAddress(0, remoteAddress + offset)
                .rkey(0, rkey);
        return postSignalled(read);
    }

    /**
     * Takes the next message, whose bytes lie at {@link #payload()} until the next poll.
     *
     * @return false when there is none, or the link is broken: see {@link #failure()}
     */
    boolean poll() {
        if (taken) {
            taken = false;
            batches.done();
        }
        try {
            if (!receiveCq.poll(wc)) {
                wakePeer();
                if (waiting != 0) {
                    catchUp();
                }
                return false;
            }
        } catch (VerbsException e) {
            return fail(e.getMessage());
        }
        return take();
    }

    /** Returns false when no message lies behind the one polled last; true where the device cannot tell. */
    boolean hasMore() {
        return receiveCq.hasMore();
    }

    /**
     * Makes sure that a sleeping peer is woken for what was sent. A poll that finds nothing does it; who sends and
     * does not poll afterwards must call it.
     */
    void wakePeer() {
        if (woken != posted) {
            woken = posted;
            qp.wakePeer();
        }
    }

    private boolean take() {
        if (!wc.succeeded()) {
            drainSends(); // the cause, where there is one, is there
            return fail(wc.status() == WcStatus.WR_FLUSH_ERR ? ENDED : "receive failed: " + wc.status());
        }
        payloadLength = wc.byteLength();
        ByteBuffer inline = wc.inlineBuffer();
        payloadOffset = inline != null ? wc.inlineOffset() : receiveBase + (int) wc.wrId() * receiveStride;
        if (payload != (inline != null ? inline : memory)) {
            payload = inline != null ? inline : memory;
        }
        taken = true;
        return payloadLength >= RpcHeader.BYTES || fail("message is shorter than a header: bytes=" + payloadLength);
    }

    /** Gives the link up, for a reason that its user found. */
    boolean fail(String why) {
        if (failure == null) {
            failure = why;
        }
        return false;
    }

    ByteBuffer payload() {
        return payload;
    }

    int payloadOffset() {
        return payloadOffset;
    }

    int payloadLength() {
        return payloadLength;
    }

    /** Returns the first half of the header of the message polled last. */
    long first() {
        return (long) LONG.get(payload, payloadOffset);
    }

    /** Returns the second half. */
    long second() {
        return (long) LONG.get(payload, payloadOffset + 8);
    }

    /** Has the next message wake who waits, and so what makes room or completes a READ where that is waited for. */
    void arm() {
        receiveCq.arm();
        if (awaited > completed) {
            sendsArmed = true;
            sendCq.arm();
        }
    }

    void disarm() {
        receiveCq.disarm();
        if (sendsArmed) {
            sendsArmed = false;
            sendCq.disarm();
        }
    }

    @Override
    public void close() {
        qp.close();
        receiveCq.close();
        sendCq.close();
        mr.close();
    }
}
