package org.jvrpc.runtime.inproc;

import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jvrpc.runtime.memory.KeyedBody;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;

/**
 * A link within a process: a ring each way, from which messages are read where they lie. What finds no room stays in
 * its slot and goes on with later polls. Long bodies are copied from the memory that the peer wrote them to.
 */
final class InprocLink extends Link {

    /** How long a peer may leave no room before it is given up. */
    private static final long ROOM_NS = 10_000_000_000L;
    private static final int SPINS_PER_LOOK = 1 << 8;
    /** Numbers of fetches, apart from those of messages. */
    private static final long FETCH = 1L << 62;
    private static final String ENDED = "the connection ended";

    private final Clock clock;
    private final Pair.Side side;
    private final Ring in;
    private final Ring out;
    private final SlotFrames slots;
    private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();
    private final long[] controlSent = new long[Protocol.CONTROLS];
    private int nextControl;
    /** Length of the message polled last, 0 for none. */
    private int taken;
    /** Something was sent or taken that the peer may sleep over. */
    private boolean peerUnaware;
    private long posted;
    private volatile long completed;
    private volatile long fetched = FETCH;
    private long stuckSinceNs;

    InprocLink(Clock clock, Pair.Side side, SlotFrames slots, int slotBytes) {
        super(slotBytes);
        this.clock = clock;
        this.side = side;
        this.in = side.in();
        this.out = side.out();
        this.slots = slots;
    }

    /** Returns what a server's side of a session takes, in bytes, with the rings of both; {@link Protocol.Cost}. */
    static long sessionBytes(Protocol protocol, int units, int most, int unitBytes) {
        return SlotFrames.bytes(units, most, unitBytes) + 2L * Ring.bytes(unitBytes);
    }

    // ---- slots

    @Override
    public ByteBuffer body(int slot) {
        return slots.body(slot).limit(slotBytes()).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public int describe(int slot, Body body) {
        KeyedBody sent = (KeyedBody) body;
        Descriptor.write(slots.frame(slot), SlotFrames.BODY_AT, sent.begin(), sent.key());
        return RpcHeader.DESCRIPTOR_BYTES;
    }

    @Override
    public Growth prepare(int wanted, int receives) {
        return slots.prepare(wanted);
    }

    @Override
    public void grow(Growth growth) {
        slots.grow(growth);
    }

    // ---- sending

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        peerUnaware = true;
        if (unsent.isEmpty() && !side.pair().isEnded()
                && out.offer(first, second, slots.frame(slot), SlotFrames.BODY_AT, bodyLength)) {
            posted++;
            return true;
        }
        return keep(slot, first, second, bodyLength);
    }

    private boolean keep(int slot, long first, long second, int bodyLength) {
        unsent.add(slots.message(slot, first, second, bodyLength));
        posted++;
        out.wantRoom();
        return flush();
    }

    /** Sends what there is room for; false when nothing can be sent any more. */
    private boolean flush() {
        if (failure() != null || side.pair().isEnded()) {
            unsent.clear();
            completed = posted;
            return false;
        }
        boolean some = unsent.isEmpty();
        while (!unsent.isEmpty() && offer(unsent.peek())) {
            unsent.remove();
            some = true;
        }
        completed = posted - unsent.size();
        if (some) {
            stuckSinceNs = 0;
        }
        return true;
    }

    private boolean offer(ByteBuffer frame) {
        boolean left = out.offer(frame.getLong(SlotFrames.HEADER_AT),
                frame.getLong(SlotFrames.HEADER_AT + Long.BYTES), frame, SlotFrames.BODY_AT,
                frame.limit() - SlotFrames.BODY_AT);
        peerUnaware |= left;
        return left;
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        if (!send(slot, first, second, bodyLength)) {
            return -1;
        }
        long number = unsent.isEmpty() ? 0 : posted;
        wakePeer();
        return number;
    }

    @Override
    public boolean hasControl() {
        return completed >= controlSent[nextControl] || flush() && completed >= controlSent[nextControl];
    }

    @Override
    public boolean sendControl(long first, long second) {
        int control = nextControl;
        nextControl = nextControl + 1 == Protocol.CONTROLS ? 0 : nextControl + 1;
        for (int spins = 1; completed < controlSent[control] && failure() == null; spins++) {
            if (spins % SPINS_PER_LOOK == 0) {
                catchUp(); // looks at the time
                Thread.yield();
            } else {
                flush();
            }
        }
        controlSent[control] = sendOneWay(slots.controls() + control, first, second, 0);
        return controlSent[control] >= 0 && failure() == null;
    }

    @Override
    public boolean isSent(long number) {
        return number > FETCH ? fetched >= number : completed >= number;
    }

    @Override
    public void reap() {
        // what is sent and fetched is noted as it happens
    }

    /** What was sent can be taken behind the end of this side, too. */
    @Override
    public boolean hasLeft() {
        return !flush() || unsent.isEmpty();
    }

    @Override
    public boolean isBehind() {
        return !unsent.isEmpty();
    }

    @Override
    public void catchUp() {
        if (!flush() || unsent.isEmpty()) {
            return;
        }
        long nowNs = clock.nanoTime();
        if (stuckSinceNs == 0) {
            stuckSinceNs = nowNs;
        } else if (nowNs - stuckSinceNs > ROOM_NS) {
            fail("peer takes no messages: waiting=" + unsent.size() + " ms=" + (nowNs - stuckSinceNs) / 1_000_000);
        }
    }

    @Override
    public void wakePeer() {
        if (peerUnaware) {
            peerUnaware = false;
            VarHandle.fullFence(); // either this side sees who armed, or whoever armed sees what was sent or taken
            if (out.wakesTaker() | in.wakesSender()) {
                side.peer().wakeup();
            }
        }
    }

    // ---- receiving

    @Override
    public boolean poll() {
        if (taken > 0) {
            in.release(taken);
            taken = 0;
            peerUnaware = true;
        }
        return take() || pollIdle();
    }

    private boolean take() {
        int offset = in.peek();
        if (offset < 0) {
            return false;
        }
        taken = in.length(offset);
        payload(in.memory(), offset, taken);
        return true;
    }

    private boolean pollIdle() {
        if (!unsent.isEmpty()) {
            catchUp();
        }
        wakePeer();
        if (side.pair().isEnded()) {
            return take() || fail(ENDED); // what was sent before its end is there by now
        }
        return false;
    }

    @Override
    public boolean hasMore() {
        return in.hasBehind(taken);
    }

    // ---- long bodies

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        if (fetchNow(source + offset, key, into.buffer(), offset, length)) {
            fetched++;
            return fetched;
        }
        fail("the peer has no such long body any more");
        return fetched + 1;
    }

    @Override
    public boolean fetchNow(long source, int key, ByteBuffer into, int at, int length) {
        KeyedBody body = side.peerBodies().find(key, source, length);
        if (body == null) {
            return false;
        }
        into.put(at, body.buffer(), (int) source, length);
        return true;
    }

    @Override
    public long fetchLimitNs(int length) {
        return ROOM_NS;
    }

    // ---- waiting

    @Override
    public void arm() {
        in.arm();
    }

    @Override
    public void disarm() {
        in.disarm();
    }

    // ---- the peer, and the end

    @Override
    public void keepAlive(long idleNs) {
        // it does not vanish without a word
    }

    @Override
    public void checkPeer(long nowNs) {
        // it says when it ends
    }

    @Override
    public boolean isConnected() {
        return !side.pair().isEnded();
    }

    @Override
    public InetAddress peerHost() {
        return null;
    }

    @Override
    public void breakOff() {
        side.pair().end();
    }

    @Override
    public void disconnect() {
        side.pair().end();
    }

    @Override
    public void close() {
        slots.close();
    }
}
