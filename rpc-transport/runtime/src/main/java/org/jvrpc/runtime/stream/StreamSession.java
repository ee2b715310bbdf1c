package org.jvrpc.runtime.stream;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.stream.piece.Piece;
import org.jvrpc.runtime.stream.piece.StreamHeader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Idler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One side of a session of streams: cuts what they send into pieces, as many as the peer has room for, and hands what
 * comes to them. Sending is for any thread, under the monitor of this; whoever has the turn polls.
 */
public class StreamSession {

    private static final Logger LOG = LoggerFactory.getLogger(StreamSession.class);

    private final Clock clock;
    private final Link link;
    private final Bodies bodiesMemory;
    private final StreamMemory memory;
    private final IdleStrategy idle;
    private final int window;
    private final int pieceBytes;
    private final int ownWindow;
    private final int peerWindow;
    private final long id;
    private final StreamPoller poller;
    private final StreamTable table = new StreamTable();
    private final ByteBuffer[] bodies;
    private final ReadyStreams ready = new ReadyStreams();
    private final PollTurn turn = new PollTurn();
    private final Helpers helpers = new Helpers();
    private final Signals signals;
    private int credits;
    private int owed;
    private int sent;
    private volatile boolean over;
    private volatile boolean goneAway;
    private Stream control;

    /** @param poller of whoever polls for all; told of what there is to do */
    public StreamSession(
            Clock clock,
            Link link,
            Bodies bodiesMemory,
            StreamMemory memory,
            IdleStrategy idle,
            Hello agreed,
            long ownWindow,
            long id,
            StreamPoller poller) {
        this.clock = clock;
        this.link = link;
        this.bodiesMemory = bodiesMemory;
        this.memory = memory;
        this.idle = idle;
        this.window = agreed.units();
        this.pieceBytes = agreed.unitBytes();
        this.ownWindow = (int) ownWindow;
        this.peerWindow = (int) Math.min(agreed.maxBytes(), Integer.MAX_VALUE >> 1);
        this.id = id;
        this.poller = poller;
        this.signals = new Signals(id, poller);
        this.credits = window;
        this.bodies = new ByteBuffer[window];
        for (int i = 0; i < window; i++) {
            bodies[i] = link.body(i).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Sets what gets messages of the session itself. Before the first. */
    protected final void control(Stream stream) {
        control = stream;
    }

    public final Link link() {
        return link;
    }

    public final long id() {
        return id;
    }

    public final Clock clock() {
        return clock;
    }

    public final InetAddress peerHost() {
        return link.peerHost();
    }

    public final boolean isConnected() {
        return !over && link.isConnected();
    }

    public final boolean isOver() {
        return over;
    }

    /** Returns true when the server takes no more calls here. */
    public final boolean isGoneAway() {
        return goneAway;
    }

    final StreamMemory memory() {
        return memory;
    }

    final int pieceBytes() {
        return pieceBytes;
    }

    /** Returns how many bytes of each stream this side has room for. */
    final int ownWindow() {
        return ownWindow;
    }

    final int peerWindow() {
        return peerWindow;
    }

    public final StreamTable table() {
        return table;
    }

    final Idler newIdler() {
        return Idler.ofCaller(idle, clock);
    }

    // ---- sending

    /** Sends a piece; false, and the stream is called again, where there is no room. Under the stream's monitor. */
    synchronized boolean send(Stream stream, int kind, int more, boolean buffer, ByteBuffer from, int at, int length) {
        if (over) {
            return false;
        }
        boolean first = ready.isTurnOf(stream);
        if (credits == 0 || !first) {
            ready.add(stream);
            return false;
        }
        int slot = Integer.remainderUnsigned(sent, window);
        long header = StreamHeader.first(kind, owed, stream.id());
        Piece.send(link, bodies[slot], slot, header, more, buffer, from, at, length); // fails by the user's buffer
        owed = 0;
        credits--;
        sent++;
        return true;
    }

    /** What was sent is to be seen now. */
    final void wakePeer() {
        boolean behind;
        synchronized (this) {
            if (over) {
                return;
            }
            link.wakePeer();
            behind = link.isBehind();
        }
        if (behind) {
            poller.nudge();
        }
    }

    /** A peer that takes no grants sends no more than its window. */
    private void sendCreditsIfDue() {
        if (areCreditsDue() && link.hasControl()) {
            int granted = owed;
            owed = 0;
            link.sendControl(StreamHeader.first(StreamHeader.CREDIT, granted, 0), StreamHeader.second(0, 0));
        }
    }

    private boolean areCreditsDue() {
        return owed >= Math.max(1, window / 2);
    }

    // ---- receiving

    /** Takes what came, where nobody else does; returns how much there was to do. Any thread. */
    final int poll(int most) {
        if (over || !turn.take()) {
            return 0;
        }
        int work = 0;
        try {
            boolean gone = link.failure() != null || !link.isConnected(); // before the look at what it left
            while (work < most && !over && step()) {
                work++;
            }
            pumpReady();
            if (gone && work < most && !over) {
                end(new RpcException(Status.UNAVAILABLE, "connection is lost: "
                        + (link.failure() != null ? link.failure() : "the peer is gone")));
                work++;
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("session {} of streams ends", id, e);
            end(new RpcException(Status.UNAVAILABLE, "connection is given up: " + e.getMessage(), e));
            work++;
        } finally {
            turn.leave();
        }
        return work;
    }

    private boolean step() {
        long first;
        long second;
        synchronized (this) {
            if (!link.poll()) {
                sendCreditsIfDue();
                return false;
            }
            first = link.first();
            second = link.second();
            credits += StreamHeader.credits(first);
            if (credits > window) {
                throw new IllegalStateException("peer grants more than the window: credits=" + credits);
            }
            if (StreamHeader.kind(first) == StreamHeader.CREDIT) {
                return true;
            }
            if (++owed > window) {
                throw new IllegalStateException("peer sends more pieces than it was granted: limit=" + window);
            }
            sendCreditsIfDue();
        }
        int length = StreamHeader.length(second);
        if (length < 0 || length > pieceBytes || length + RpcHeader.BYTES > link.payloadLength()) {
            throw new IllegalStateException("message makes no sense: kind=" + StreamHeader.kind(first) + " length="
                    + length + " bytes=" + link.payloadLength());
        }
        dispatch(StreamHeader.kind(first), StreamHeader.stream(first), length, StreamHeader.more(second));
        return true;
    }

    private void dispatch(int kind, int number, int length, int more) {
        ByteBuffer from = link.payload();
        int at = link.payloadOffset() + RpcHeader.BYTES;
        if (number == 0) {
            if (kind == StreamHeader.GO_AWAY) {
                goneAway = true;
            } else if (control != null && kind == StreamHeader.BIND) {
                control.piece(kind, from, at, length, more);
            } else {
                throw new IllegalStateException("message makes no sense: kind=" + kind);
            }
            return;
        }
        Stream stream = table.get(number);
        if (stream == null && kind == StreamHeader.OPEN) {
            stream = opened(number);
        }
        if (stream == null) {
            return; // it was on its way
        }
        stream.arrival.tell(stream, kind, from, at, length, more);
    }

    /** The client opens a stream; returns null where the session is over. Whoever polls. */
    protected Stream opened(int number) {
        throw new IllegalStateException("a server opens a stream: number=" + number);
    }

    /** Sends what waited for credits. Whoever polls. */
    private void pumpReady() {
        boolean any = false;
        for (Stream next = nextReady(); next != null; next = nextReady()) {
            any = true;
            next.pumpAll();
            next.tellSourceIfRoomy();
        }
        synchronized (this) {
            ready.endTurn();
            if (any && !over) {
                link.wakePeer();
            }
        }
    }

    private synchronized Stream nextReady() {
        if (credits == 0 || over) {
            return null;
        }
        return ready.next();
    }

    // ---- users' turns, and those who wait

    /** A stream has something to tell its user. Any thread. */
    final void signal(Stream stream) {
        signals.signal(stream);
    }

    /** Returns what tells users. */
    final Signals signals() {
        return signals;
    }

    /** Returns who waits for streams, and polls. */
    final Helpers helpers() {
        return helpers;
    }

    final void await(Blocker what, Idler idler, long endNs) {
        helpers.await(this, what, idler, endNs);
    }

    /** As {@link PollTurn#checkMayWait}. @throws RpcException FAILED_PRECONDITION on a thread that must not */
    public final void checkMayWait() {
        turn.checkMayWait();
    }

    /** Has the thread that polls for all look. */
    final void nudge() {
        poller.nudge();
    }

    // ---- the end

    static RpcException closed() {
        return new RpcException(Status.UNAVAILABLE, "connection is closed");
    }

    /** Ends streams whose time is over. The thread that polls for all. */
    final void expire(long nowNs) {
        table.forEach(stream -> {
            long endNs = stream.endNs();
            if (endNs != 0 && nowNs - endNs >= 0) {
                stream.endNs(0);
                stream.fail(new RpcException(Status.DEADLINE_EXCEEDED, "deadline of the stream has passed"));
            } else if (stream.above() != null && stream.above().isCancelled()) {
                stream.fail(new RpcException(Status.CANCELLED, "the call that the stream is made for is cancelled"));
            }
        });
        look(nowNs);
    }

    /** Does what the kind of session has to do now and then. The thread that polls for all. */
    protected void look(long nowNs) {
        // nothing
    }

    /** Returns true when nothing but a message gives a poll something to do. The thread that polls for all. */
    synchronized boolean rests() {
        return ready.isEmpty() && !signals.areThere() && !areCreditsDue() && !link.isBehind()
                && !helpers.areThere() && !table.isTimed();
    }

    /** Gives back what only messages need; not what somebody reads at the moment. The thread that polls for all. */
    synchronized void rest() {
        if (!over) {
            link.rest();
        }
    }

    synchronized boolean hasUnsent() {
        return !ready.isEmpty() || areCreditsDue() || link.isBehind();
    }

    /** Returns true when all that was to be sent is with the peer's device. Any thread. */
    public final synchronized boolean isSent() {
        return over || ready.isEmpty() && !link.isBehind() && link.hasLeft();
    }

    /** Ends the session and all its streams. Any thread. */
    public final void end(RpcException cause) {
        List<Stream> unsent;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            unsent = ready.drain();
        }
        table.forEach(stream -> stream.fail(cause));
        unsent.forEach(Stream::sendNothing); // also what was given up, and is not in the table
        if (control != null) {
            control.fail(cause);
        }
        ended();
    }

    /** The session is over. */
    protected void ended() {
        // nobody hears of it
    }

    /** Arms the link, where nobody helps. The thread that polls for all. */
    final void arm() {
        synchronized (this) {
            if (!over) {
                link.arm();
            }
        }
    }

    final void disarm() {
        synchronized (this) {
            if (!over) {
                link.disarm();
            }
        }
    }

    final synchronized void checkPeer(long nowNs) {
        if (!over) {
            link.checkPeer(nowNs);
        }
    }

    /**
     * Gives the memory back, after the end, when nobody polls for all any more. Whoever polls yet sees the end; where a
     * callback that it runs does not return within some seconds, the memory stays.
     *
     * @return false when it stays, and what it belongs to must stay, too
     */
    public final boolean bury() {
        end(closed());
        if (!turn.takeLast(clock)) {
            LOG.error("session {} of streams: {} does not return from a callback, its memory is not given back", id,
                    turn.holder());
            link.disconnect();
            return false;
        }
        synchronized (this) {
            link.disconnect();
            link.close();
            bodiesMemory.close();
        }
        return true;
    }
}
