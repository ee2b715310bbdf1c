package org.jvrpc.runtime.session;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A link whose messages a fuzzer writes: {@code length:8 | bytes} each, where a header that is cut off ends with zeros
 * and a length of 255 takes the rest. What is sent goes to a subclass, and has left at once.
 */
public class ScriptedLink extends Link {

    /** What came is there though the link has failed. */
    public volatile boolean outlivesFailure;
    private static final int ALL = 255;

    private final ByteBuffer[] bodies;
    private final byte[] script;
    private final ArrayDeque<ByteBuffer> added = new ArrayDeque<>();
    private final ByteBuffer memory;
    /** What was done to have more slots. */
    public final List<String> growths = Collections.synchronizedList(new ArrayList<>());
    /** What memory for more slots meets. */
    public volatile RuntimeException noMemory;
    /** Why the link fails when it grows, or null. */
    public volatile String growthFailure;
    /** What the link meets when it grows, or null. */
    public volatile RuntimeException growthFault;
    private final Semaphore mayPrepare = new Semaphore(1);
    private ByteBuffer before;
    private int next;
    private boolean connected = true;
    private boolean closed;
    private int expected;
    private int wakes;

    /**
     * @param bodies one for each slot, used by one link at a time
     * @param script read from an index on
     */
    public ScriptedLink(ByteBuffer[] bodies, byte[] script, int from) {
        super(bodies[0].capacity());
        this.bodies = bodies;
        this.script = script;
        this.next = Math.min(from, script.length);
        this.memory = ByteBuffer.allocate(script.length + RpcHeader.BYTES);
    }

    /**
     * One of the messages that came or left as one, see {@link RpcHeader#MORE}.
     *
     * @param at where its body lies
     * @param length of its body
     */
    public record Part(long first, long second, int at, int length) {
    }

    /** Returns the messages that came as the one polled last, up to the first that cannot be one of several. */
    protected final List<Part> parts() {
        return split(first(), second(), payload(), payloadOffset() + RpcHeader.BYTES,
                payloadOffset() + payloadLength());
    }

    /** Returns the messages that leave as one, whose body lies in a slot. */
    protected final List<Part> parts(int slot, long first, long second, int bodyLength) {
        return slot < 0 ? List.of(new Part(first, second, 0, 0)) : split(first, second, body(slot), 0, bodyLength);
    }

    private static List<Part> split(long head, long lengths, ByteBuffer bytes, int body, int end) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<Part> parts = new ArrayList<>();
        long first = head;
        long second = lengths;
        int at = body;
        while ((RpcHeader.flags(first) & RpcHeader.MORE) != 0 && RpcHeader.kind(first) == RpcHeader.kind(head)) {
            int length = RpcHeader.bodyLength(second);
            int next = at + (length + 7 & -8); // the header before the body has a multiple of eight bytes
            if (length < 0 || length > end - at || next > end - RpcHeader.BYTES
                    || (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) != 0) {
                return parts;
            }
            parts.add(new Part(first, second, at, length));
            first = in.getLong(next);
            second = in.getLong(next + Long.BYTES);
            at = next + RpcHeader.BYTES;
        }
        if (RpcHeader.kind(first) == RpcHeader.kind(head)
                && (parts.isEmpty() || (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) == 0)) {
            parts.add(new Part(first, second, at, end - at));
        }
        return parts;
    }

    /** Makes bodies for links. */
    public static ByteBuffer[] bodies(int slots, int slotBytes) {
        ByteBuffer[] bodies = new ByteBuffer[slots];
        for (int i = 0; i < slots; i++) {
            bodies[i] = ByteBuffer.allocateDirect(slotBytes);
        }
        return bodies;
    }

    /** Has a message come behind those of the script. */
    public final void add(long first, long second, byte[] body) {
        added.add(message(first, second, body));
    }

    /** Has a message come before the next of the script. */
    public final void addFirst(long first, long second, byte[] body) {
        before = message(first, second, body);
    }

    private static ByteBuffer message(long first, long second, byte[] body) {
        return ByteBuffer.allocate(RpcHeader.BYTES + body.length).order(ByteOrder.LITTLE_ENDIAN).putLong(first)
                .putLong(second).put(body).flip();
    }

    /** Somebody looks for a message. */
    protected void looked() {
    }

    /** A message is about to be handed out. */
    protected void polled() {
    }

    /** A message was sent, whose body lies in the slot, or which has none where the slot is -1. */
    protected void sent(int slot, long first, long second, int bodyLength) {
    }

    /** A part of a long body is to come. */
    protected void fetch(Body into, int offset, int length, long source) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    /** Returns how many messages it heard were to follow since this was asked last. */
    public final int expected() {
        int now = expected;
        expected = 0;
        return now;
    }

    @Override
    public final void expectSends(int count) {
        expected += count;
    }

    public final boolean isClosed() {
        return closed;
    }

    @Override
    public final boolean poll() {
        looked();
        if (failure() != null && !outlivesFailure) {
            return false;
        }
        if (before != null) {
            payload(before, 0, before.limit());
            before = null;
        } else if (next == script.length) {
            ByteBuffer message = added.poll();
            if (message == null) {
                return false;
            }
            payload(message, 0, message.limit());
        } else {
            int length = script[next++] & 0xff;
            int rest = script.length - next;
            int bytes = length == ALL ? rest : Math.min(length, rest);
            int whole = Math.max(bytes, RpcHeader.BYTES); // memory of its own: what is read beyond it is noticed
            ByteBuffer message = memory.slice(next, whole).put(0, script, next, bytes);
            for (int i = bytes; i < whole; i++) {
                message.put(i, (byte) 0);
            }
            next += bytes;
            payload(message, 0, whole);
        }
        polled();
        return true;
    }

    @Override
    public final boolean hasMore() {
        return next < script.length || !added.isEmpty();
    }

    @Override
    public final ByteBuffer body(int slot) {
        return slot < bodies.length ? bodies[slot] : ByteBuffer.allocateDirect(slotBytes());
    }

    /** Has memory for more slots take until {@link #letGrowth}. */
    public final void holdGrowth() {
        mayPrepare.acquireUninterruptibly();
    }

    public final void letGrowth() {
        mayPrepare.release();
    }

    @Override
    public final Growth prepare(int slots, int receives) {
        mayPrepare.acquireUninterruptibly();
        mayPrepare.release();
        if (noMemory != null) {
            throw noMemory;
        }
        growths.add("prepare " + slots + " " + receives);
        return () -> growths.add("give back");
    }

    @Override
    public final void grow(Growth growth) {
        if (closed) {
            growth.close();
        } else {
            growths.add("grow");
            if (growthFault != null) {
                throw growthFault;
            }
            if (growthFailure != null) {
                fail(growthFailure);
            }
        }
    }

    @Override
    public int describe(int slot, Body body) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    @Override
    public final boolean send(int slot, long first, long second, int bodyLength) {
        if (failure() == null) {
            sent(slot, first, second, bodyLength);
        }
        return failure() == null;
    }

    @Override
    public final long sendOneWay(int slot, long first, long second, int bodyLength) {
        return send(slot, first, second, bodyLength) ? 1 : -1;
    }

    @Override
    public final boolean sendControl(long first, long second) {
        return send(-1, first, second, 0);
    }

    @Override
    public boolean hasControl() {
        return true;
    }

    @Override
    public boolean isSent(long number) {
        return true;
    }

    @Override
    public final void reap() {
        // all has left
    }

    @Override
    public final boolean hasLeft() {
        return true;
    }

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public void catchUp() {
        // as before
    }

    @Override
    public final void wakePeer() {
        wakes++;
    }

    /** Returns how often the peer was to be woken since this was asked last. */
    public final int wakes() {
        int now = wakes;
        wakes = 0;
        return now;
    }

    @Override
    public final long beginFetch(Body into, int offset, int length, long source, int key) {
        fetch(into, offset, length, source);
        return 1;
    }

    @Override
    public final long fetchLimitNs(int length) {
        return Long.MAX_VALUE;
    }

    @Override
    public void arm() {
        // nobody sleeps
    }

    @Override
    public void disarm() {
        // as before
    }

    @Override
    public final void keepAlive(long idleNs) {
        // the script lives
    }

    @Override
    public final void checkPeer(long nowNs) {
        // as before
    }

    @Override
    public final boolean isConnected() {
        return connected;
    }

    @Override
    public InetAddress peerHost() {
        return null;
    }

    @Override
    public final void breakOff() {
        connected = false;
    }

    @Override
    public final void disconnect() {
        connected = false;
    }

    @Override
    public final void close() {
        closed = true;
    }
}
