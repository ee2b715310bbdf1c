package org.jvrpc.tcp.link;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.KeyedBody;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;

/**
 * A link over a byte stream. Messages lie in their slots until they are flushed: by a poll that finds nothing, by
 * {@link #wakePeer}, or as there are many. Long bodies are asked for, and sent by their owner as it polls.
 */
public final class StreamLink extends Link {

    private static final int SPINS_PER_LOOK = 1 << 8;
    /** Reads of one poll: a peer that sends what is no message, and more of it all the time, holds nobody up. */
    private static final int MOST_FILLS = 4;
    private static final int READS_AFTER_BREAK = 16;
    private static final String ENDED = "the connection ended";

    private final Clock clock;
    private final StreamEvents events;
    private final Wire wire;
    private final SocketChannel channel;
    private final InetAddress peerHost;
    private final SlotFrames slots;
    private final Outbound out;
    private final Inbound in;
    private final Pieces pieces;
    private final Signs signs;
    private final Watch watch;
    private final Room room = new Room();
    private final long[] controlSent = new long[Protocol.CONTROLS];
    private final AtomicBoolean disconnected = new AtomicBoolean();
    private int nextControl;
    /** Bytes of the message polled last. */
    private int taken;
    /** The peer asked for something since the last message. */
    private boolean asked;
    /** More was read than the message polled last, which nothing else tells of. */
    private volatile boolean left;
    private volatile boolean connected = true;
    private volatile boolean brokenOff;
    private int leftReads = READS_AFTER_BREAK;
    private LifeSigns life;
    /** Why nothing can be sent any more; what came before can be taken. */
    private String sendFailure;

    /**
     * Makes one.
     *
     * @param wire of a channel that does not block
     * @param peerHost null for a process of this host
     * @param wakesOnce what comes wakes who waits once, until it is armed, or watched, again: see {@link #watch}
     */
    public StreamLink(Clock clock, StreamEvents events, Wire wire, InetAddress peerHost, SlotFrames slots,
            KeyedBodies bodies, int slotBytes, boolean wakesOnce) {
        super(slotBytes);
        this.clock = clock;
        this.events = events;
        this.wire = wire;
        this.channel = wire.channel();
        this.peerHost = peerHost;
        this.slots = slots;
        this.out = new Outbound(wire);
        this.in = new Inbound(wire, slotBytes);
        this.pieces = new Pieces(bodies, out);
        this.signs = new Signs(out);
        this.watch = new Watch(events, wakesOnce);
    }

    /** Has what comes end waits. Once, before the first message. */
    public void begin() throws IOException {
        watch.begin(channel);
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
        out.add(slots.message(slot, first, second, bodyLength));
        return !out.isMany() || out.isFull() || flush();
    }

    @Override
    public boolean sendFrom(int slot, long first, long second, int head, ByteBuffer body, int at, int length) {
        return body.isDirect() && flush() && out.isEmpty() && out.addInTwo(
                slots.message(slot, first, second, head + length), SlotFrames.BODY_AT + head, body, at) && flush();
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        long number = out.add(slots.message(slot, first, second, bodyLength));
        return !flush() ? -1 : out.completed() >= number ? 0 : number;
    }

    @Override
    public boolean hasControl() {
        return out.completed() >= controlSent[nextControl] || flush() && out.completed() >= controlSent[nextControl];
    }

    @Override
    public boolean sendControl(long first, long second) {
        int control = nextControl;
        nextControl = nextControl + 1 == Protocol.CONTROLS ? 0 : nextControl + 1;
        if (!awaitSent(controlSent[control])) {
            return false;
        }
        controlSent[control] = sendOneWay(slots.controls() + control, first, second, 0);
        return failure() == null;
    }

    private boolean awaitSent(long number) {
        for (int spins = 1; out.completed() < number && failure() == null; spins++) {
            if (spins % SPINS_PER_LOOK == 0) {
                catchUp(); // looks at the time
                Thread.yield();
            } else {
                flush();
            }
        }
        return failure() == null;
    }

    @Override
    public boolean isSent(long number) {
        return Pieces.isFetch(number) ? pieces.isFetched(number) : out.completed() >= number;
    }

    @Override
    public void reap() {
        // what is sent and fetched is noted as it happens
    }

    /** The answer to a ping behind all of it tells, which is looked for among what was not taken. */
    @Override
    public boolean hasLeft() {
        long wanted = signs.askForAll();
        if (!flush()) {
            return true;
        }
        if (wanted == 0) {
            return false;
        }
        if (!signs.isHeard(wanted)) {
            hasCome();
        }
        return signs.isHeard(wanted) || !pieces.isComing() && in.hasPong(taken, wanted) || in.isEnded()
                || failure() != null;
    }

    @Override
    public boolean isBehind() {
        return out.isFull();
    }

    @Override
    public void catchUp() {
        if (flush() && out.isFull() && room.isMissing(clock.nanoTime())) {
            fail(Room.REFUSAL);
        }
    }

    @Override
    public void wakePeer() {
        if (!out.isEmpty()) {
            flush();
        }
    }

    /** Sends what there is room for; false when nothing can be sent any more. */
    private boolean flush() {
        if (failure() != null || sendFailure != null) {
            out.clear();
            return false;
        }
        try {
            if (out.flush()) {
                room.found();
            }
            if (out.isFull()) {
                watch.noRoom();
            }
            return true;
        } catch (IOException e) {
            sendFailure = String.valueOf(e.getMessage());
            connected = false;
            out.clear();
            return false;
        }
    }

    // ---- receiving

    @Override
    public boolean poll() {
        if (taken > 0) {
            in.take(taken);
            taken = 0;
        }
        boolean any = false;
        try {
            int fills = 0;
            do {
                any = isNextTaken();
            } while (!any && failure() == null && (fills++ < MOST_FILLS ? fill() : events.again()));
        } catch (IOException e) {
            connected = false;
            return fail(ENDED + ": " + e.getMessage());
        }
        if (asked) { // whoever asked waits
            asked = false;
            signs.give();
            wakePeer();
            if (!any) { // a silent link stays silent: nobody else has it rest
                rest();
            }
        }
        boolean more = any && in.length() > taken;
        if (left != more) {
            left = more;
        }
        return any;
    }

    /** Sends what waits, then reads what is there; false when that is nothing. */
    private boolean fill() throws IOException {
        if (!out.isEmpty()) { // first: a look that finds nothing takes as long as a send
            catchUp();
        }
        if (signs.give()) {
            catchUp();
        }
        if (brokenOff && leftReads-- <= 0) { // what came before is there by now, and what comes behind it is nobody's
            return fail(ENDED);
        }
        if (sendFailure != null || watch.isWorthALook(clock)) { // of one that failed, for the last time
            watch.read();
            if (!pieces.isComing() && in.fill()) { // a piece was looked for already
                watch.found(true);
                return true;
            }
        }
        watch.found(false);
        if (in.isEnded() || sendFailure != null) {
            connected = false;
            return fail(sendFailure == null ? ENDED : ENDED + ": " + sendFailure);
        }
        return false;
    }

    /** Takes frames that are no messages, and the next that is one; false where there is none yet. */
    private boolean isNextTaken() throws IOException {
        while (failure() == null && (!pieces.isComing() || pieces.take(in)) && in.length() >= FrameHead.BYTES) {
            String refusal = in.refusal();
            if (refusal != null) {
                return fail(refusal);
            }
            int length = FrameHead.length(in.head());
            int kind = FrameHead.kind(in.head());
            int needed = FrameHead.BYTES + (kind == FrameHead.DATA ? FrameHead.NUMBER_BYTES : length);
            if (in.length() < needed) {
                return false;
            }
            if (kind == FrameHead.MESSAGE) {
                taken = needed;
                payload(in.buffer(), in.from() + FrameHead.BYTES, length);
                return true;
            }
            other(kind, needed);
        }
        return false;
    }

    private void other(int kind, int needed) {
        int at = in.from() + FrameHead.BYTES;
        ByteBuffer bytes = in.buffer();
        String refusal = switch (kind) {
            case FrameHead.DATA -> pieces.begin(in); // which takes it
            case FrameHead.FETCH -> pieces.serve(
                    bytes.getLong(at), bytes.getLong(at + 8), bytes.getInt(at + 16), bytes.getInt(at + 20));
            case FrameHead.REFUSED -> "the peer has no such long body any more";
            default -> signs.take(kind, bytes.getLong(at));
        };
        if (refusal != null) {
            fail(refusal);
        } else if (kind != FrameHead.DATA) {
            in.take(needed);
            asked = true;
        }
    }

    /** Only where all was taken: the memory is somebody else's then. */
    @Override
    public void rest() {
        if (taken == 0 && !pieces.isComing()) {
            in.rest();
            wire.rest();
        }
    }

    // ---- long bodies

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        long number = pieces.ask(into, offset, length, source, key);
        wakePeer();
        return number;
    }

    @Override
    public long fetchLimitNs(int length) {
        return Room.PATIENCE_NS + length * Pieces.NS_PER_BYTE;
    }

    @Override
    public boolean hasMore() {
        return in.length() > taken;
    }

    // ---- waiting

    @Override
    public void arm() {
        if (in.isEnded() || failure() != null) {
            watch.interest(0); // nothing comes, and the end of a stream would wake whoever waits again and again
        } else {
            watch.arm(out.isFull());
        }
    }

    @Override
    public void disarm() {
        watch.calm();
    }

    @Override
    public boolean isReady() {
        return watch.isReady() || left;
    }

    @Override
    public long watch() {
        return left ? Watch.AGAIN_NS : watch.look(in.reads());
    }

    // ---- the peer, and the end

    @Override
    public void keepAlive(long idleNs) {
        life = new LifeSigns(idleNs, in.reads(), clock.nanoTime());
    }

    @Override
    public void checkPeer(long nowNs) {
        LifeSigns.Due due = life == null || failure() != null || !isTrusted() ? LifeSigns.Due.NOTHING
                : life.look(in.reads(), nowNs);
        if (due == LifeSigns.Due.REST) { // who polled last may not be who has links rest
            rest();
        } else if (due == LifeSigns.Due.PING) {
            signs.ask();
            wakePeer();
        } else if (due == LifeSigns.Due.FAIL && !hasCome()) {
            fail("peer gives no sign of life");
        }
    }

    /** A certificate expires, or is revoked, while the session lives. */
    private boolean isTrusted() {
        String refusal = wire.refusal();
        return refusal == null || fail(refusal);
    }

    /** Returns true when something came that nobody has read, as polls stopped perhaps. */
    private boolean hasCome() {
        try {
            return pieces.isComing() || !in.hasRoom() || in.fill();
        } catch (IOException e) {
            connected = false;
            return !fail(ENDED + ": " + e.getMessage());
        }
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public InetAddress peerHost() {
        return peerHost;
    }

    @Override
    public void breakOff() {
        connected = false;
        brokenOff = true;
        Quietly.end(channel, channel::shutdownOutput);
        events.wakeup();
    }

    @Override
    public void disconnect() {
        if (disconnected.getAndSet(true)) {
            return;
        }
        connected = false;
        Quietly.end(channel, channel);
        watch.end();
    }

    @Override
    public void close() {
        slots.close();
    }
}
