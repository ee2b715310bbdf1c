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
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * One side of a session: a QP, its session memory, and the cached verb calls over it. Each send slot has a header, a
 * body and a prepared SEND of the two; a send changes the header, one length, and executes. Receives are posted again
 * in batches, in order, after the next poll. One thread at a time, except for arming.
 *
 * <pre>
 * session memory: header of 64 bytes a slot | body of {@code slotBytes} a slot | receives of 64 + slotBytes, rounded
 * </pre>
 */
final class Link implements AutoCloseable {

    /** Send slots beyond those of calls, for control messages. */
    static final int CONTROLS = 8;
    /** Receives posted beyond those that flow control counts on, so that they can be posted in batches. */
    private static final int SLACK = 16;
    private static final int BATCH = 8;
    private static final int HEADER_STRIDE = 64;
    private static final int SEND_DEPTH = 256;
    private static final int SIGNAL_EVERY = 64;
    /** How often an unfinished send is looked for before the clock is; a power of two. */
    private static final int SPINS_PER_LOOK = 1 << 10;
    /** How much longer a long READ may take than a short send: 10 MB/s, which an emulated device reaches. */
    private static final long NS_PER_BYTE = 100;
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
    private final int slotBytes;
    private final int receiveBase;
    private final int receiveStride;
    private final PostSend[] sends;
    private final PostSend read;
    private final PostReceive[] batches;
    private final WorkCompletion wc = new WorkCompletion();
    private final WorkCompletion sendWc = new WorkCompletion();
    private final long[] controlSent = new long[CONTROLS];
    private final long sendLimitNs;
    private ByteBuffer payload;
    private int payloadOffset;
    private int payloadLength;
    private boolean taken;
    private int takenInBatch;
    private int nextBatch;
    private int nextControl;
    private long posted;
    private long woken;
    private long signalled;
    private volatile long completed;
    private String failure;

    /** @param receives messages that the peer may send before it hears of any being taken */
    Link(Device device, ProtectionDomain pd, EventChannel channel, int slots, int slotBytes, int receives) {
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.sendLimitNs = device.longestSendNs();
        int sendSlots = slots + CONTROLS;
        int receiveCount = receives + SLACK + BATCH - 1 & -BATCH;
        this.receiveStride = RpcHeader.BYTES + slotBytes + 63 & -64;
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
            qp.init();
            this.batches = postReceives(receiveCount);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
    }

    private PostReceive[] postReceives(int count) {
        PostReceive[] calls = new PostReceive[count / BATCH];
        for (int i = 0; i < calls.length; i++) {
            ReceiveRequest[] requests = new ReceiveRequest[BATCH];
            for (int j = 0; j < BATCH; j++) {
                int index = i * BATCH + j;
                requests[j] = ReceiveRequest.of(
                        index, Sge.of(mr, receiveBase + (long) index * receiveStride, receiveStride));
            }
            calls[i] = qp.prepareReceive(requests);
            calls[i].execute();
        }
        return calls;
    }

    private int bodyOffset(int slot) {
        return (slots + CONTROLS) * HEADER_STRIDE + slot * slotBytes;
    }

    QueuePair qp() {
        return qp;
    }

    int slotBytes() {
        return slotBytes;
    }

    /** Returns the memory of a slot's body. */
    ByteBuffer body(int slot) {
        return mr.buffer(bodyOffset(slot), slotBytes);
    }

    /** Returns why the link is broken, or null. */
    String failure() {
        return failure;
    }

    /** Sends a slot's message; false when the link is broken. */
    boolean send(int slot, long first, long second, int bodyLength) {
        int header = slot * HEADER_STRIDE;
        LONG.set(memory, header, first);
        LONG.set(memory, header + 8, second);
        PostSend call = sends[slot].length(0, 1, bodyLength);
        boolean signal = ++posted - signalled >= SIGNAL_EVERY;
        if (signal) {
            return sendSignalled(call);
        }
        return call.execute() == 1 || executeWhenRoom(call);
    }

    /** Posts when the sends before have made room: a burst may be faster than the peer acknowledges. */
    private boolean executeWhenRoom(PostSend call) {
        long startNs = System.nanoTime();
        for (int spins = 1; failure == null; spins++) {
            drainSends();
            if (call.execute() == 1) {
                return true;
            }
            if ((spins & SPINS_PER_LOOK - 1) == 0 && System.nanoTime() - startNs > sendLimitNs) {
                return fail("send queue is full");
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private boolean sendSignalled(PostSend call) {
        signalled = posted;
        boolean sent = call.signalled(0, true).wrId(0, posted).execute() == 1 || executeWhenRoom(call);
        call.signalled(0, false);
        drainSends();
        return sent && failure == null;
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
        boolean sent = sendSignalled(sends[slot].length(0, 1, bodyLength));
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

    /** Looks which sends are complete. */
    void reap() {
        drainSends();
    }

    /**
     * Sends a message without a body. Control messages take slots of their own in turns, so that the thread need not
     * wait for the acknowledgement of each.
     */
    boolean sendControl(long first, long second) {
        int control = nextControl;
        nextControl = nextControl + 1 == CONTROLS ? 0 : nextControl + 1;
        if (!awaitSent(controlSent[control], sendLimitNs)) {
            return false;
        }
        controlSent[control] = sendOneWay(slots + control, first, second, 0);
        return controlSent[control] >= 0;
    }

    /** Waits until a signalled send, and all before it, are complete. */
    private boolean awaitSent(long number, long limitNs) {
        long startNs = 0;
        for (int spins = 0; completed < number && failure == null; spins++) {
            drainSends();
            if ((spins & SPINS_PER_LOOK - 1) == SPINS_PER_LOOK - 1) {
                long nowNs = System.nanoTime();
                startNs = startNs == 0 ? nowNs : startNs;
                if (nowNs - startNs > limitNs) {
                    return fail("a send did not complete within ms=" + limitNs / 1_000_000);
                }
                Thread.yield(); // others may have to work for it, where processors are few
            }
            Thread.onSpinWait();
        }
        return failure == null;
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

    /** Reads the peer's memory into a body; false when the link is broken or the peer's key refuses. */
    boolean read(Body body, int offset, int length, long remoteAddress, int rkey) {
        posted++;
        signalled = posted;
        read.address(0, 0, body.mr().address() + offset)
                .length(0, 0, length)
                .lkey(0, 0, body.mr().lkey())
                .remoteAddress(0, remoteAddress + offset)
                .rkey(0, rkey)
                .wrId(0, posted);
        return (read.execute() == 1 || executeWhenRoom(read)) && awaitSent(posted, sendLimitNs + length * NS_PER_BYTE);
    }

    /**
     * Takes the next message, whose bytes lie at {@link #payload()} until the next poll.
     *
     * @return false when there is none, or the link is broken: see {@link #failure()}
     */
    boolean poll() {
        if (taken) {
            release();
        }
        try {
            if (!receiveCq.poll(wc)) {
                wakePeer();
                return false;
            }
        } catch (VerbsException e) {
            return fail(e.getMessage());
        }
        return take();
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

    private void release() {
        taken = false;
        if (++takenInBatch == BATCH) {
            takenInBatch = 0;
            batches[nextBatch].execute();
            nextBatch = nextBatch + 1 == batches.length ? 0 : nextBatch + 1;
        }
    }

    private boolean fail(String why) {
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

    void arm() {
        receiveCq.arm();
    }

    void disarm() {
        receiveCq.disarm();
    }

    @Override
    public void close() {
        qp.close();
        receiveCq.close();
        sendCq.close();
        mr.close();
    }
}
