package org.jvrpc.runtime.message;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;

/**
 * One side of a message session: cuts frames into pieces, sends as many as the peer has room for, keeps the rest, and
 * puts pieces together again. Sending is for any thread, under the monitor of this; one thread at a time polls, and
 * hands frames out without it.
 *
 * <p>A session that is paused, or has much queued, delivers nothing but goes on taking what comes, for the peer's
 * credits are there, too.
 */
final class FrameSession extends PeerSession {

    /** How long a session that is closed waits for its peer to take what was sent. */
    private static final long LINGER_NS = 2_000_000_000L;
    /** How long a session whose peer is gone waits until it may hand out what that one sent. */
    private static final long PAUSED_LINGER_NS = 60_000_000_000L;
    private static final int NOTHING = -1;
    private static final int NO_DATA = Integer.MAX_VALUE;

    private final Clock clock;
    private final Link link;
    private final Bodies memory;
    private final int window;
    private final int pieceBytes;
    private final int peerMaxFrame;
    private final long id;
    private final MessageHandler handler;
    private final Runnable interest;
    private final Outbox outbox;
    private final FrameAssembly assembly;
    private final ByteBuffer[] bodies;
    /** Those behind whose credits are heard while this side delivers no frames. The polling thread. */
    private final HeldPieces held;
    private volatile boolean paused;
    private volatile boolean closing;
    private volatile long closingNs;
    private volatile boolean over;
    private int credits;
    private int owed;
    private int sent;
    private int expected;
    private int nextControl;
    private boolean byeSeen;
    private boolean byeSaid;
    private boolean told;
    private long finishedNs;

    /**
     * @param memory closed with the session
     * @param interest called when a poll would find something to do that no completion tells of
     */
    FrameSession(
            Clock clock,
            Link link,
            Bodies memory,
            Hello agreed,
            int ownMaxFrame,
            MessageHandler handler,
            QueueBudget budget,
            long id,
            Runnable interest) {
        super(link, interest);
        this.outbox = new Outbox(budget, interest);
        this.assembly = new FrameAssembly(ownMaxFrame);
        this.clock = clock;
        this.link = link;
        this.memory = memory;
        this.window = agreed.units();
        this.pieceBytes = agreed.unitBytes();
        this.peerMaxFrame = (int) Math.min(agreed.maxBytes(), Integer.MAX_VALUE);
        this.id = id;
        this.handler = handler;
        this.interest = interest;
        this.credits = window;
        this.held = new HeldPieces(window);
        this.bodies = new ByteBuffer[window];
        for (int i = 0; i < window; i++) {
            bodies[i] = link.body(i);
        }
    }

    Link link() {
        return link;
    }

    MessageHandler handler() {
        return handler;
    }

    @Override
    public InetAddress peerHost() {
        return link.peerHost();
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int maxFrameBytes() {
        return peerMaxFrame;
    }

    @Override
    public long queuedBytes() {
        return outbox.bytes();
    }

    // ---- sending

    @Override
    public boolean send(ByteBuffer... pieces) {
        long total = 0;
        for (ByteBuffer piece : pieces) {
            total += piece.remaining();
        }
        if (total > peerMaxFrame) {
            throw new IllegalArgumentException("frame is longer than the peer takes: bytes=" + total + " limit="
                    + peerMaxFrame);
        }
        synchronized (this) {
            if (over || closing || outbox.overflow() != null) {
                return false;
            }
            if (outbox.isEmpty() && credits > 0 && total <= pieceBytes) {
                sendWhole(pieces, (int) total);
            } else if (!queue(pieces, (int) total)) {
                return false;
            }
            link.wakePeer();
            if (link.isBehind()) { // whoever sleeps did not arm for room
                interest.run();
            }
            frameLeft((int) total);
            return link.failure() == null;
        }
    }

    /** Queues a frame; false, and the end of the session, when its peer leaves too much queued. */
    private boolean queue(ByteBuffer[] pieces, int total) {
        if (!outbox.add(pieces, total, (long) credits * pieceBytes)) {
            return false;
        }
        flush();
        outbox.look();
        return true;
    }

    private void sendWhole(ByteBuffer[] pieces, int total) {
        ByteBuffer body = bodies[Integer.remainderUnsigned(sent, window)];
        int at = 0;
        for (ByteBuffer piece : pieces) {
            body.put(at, piece, piece.position(), piece.remaining());
            at += piece.remaining();
        }
        transmit(total, total);
    }

    private void transmit(int length, int rest) {
        long first = MessageHeader.first(MessageHeader.DATA, owed, sent);
        owed = 0;
        credits--;
        link.send(Integer.remainderUnsigned(sent++, window), first, MessageHeader.second(length, rest), length);
    }

    /** Sends what waits, as far as there is room; returns true when that was the last of it. */
    private boolean flush() {
        boolean some = !outbox.isEmpty();
        while (credits > 0 && !outbox.isEmpty()) {
            ByteBuffer bytes = outbox.first();
            int rest = bytes.remaining();
            int length = Math.min(rest, pieceBytes);
            bodies[Integer.remainderUnsigned(sent, window)].put(0, bytes, bytes.position(), length);
            outbox.consume(length);
            transmit(length, rest);
        }
        return some && outbox.isEmpty();
    }

    /**
     * Control messages take slots and receives of their own: the peer has taken one long before its slot is used
     * again, since half a window of pieces lies between two of them.
     */
    private void sendCredits() {
        int slot = window + nextControl;
        nextControl = nextControl + 1 == Protocol.CONTROLS ? 0 : nextControl + 1;
        link.send(slot, MessageHeader.first(MessageHeader.CREDIT, owed, 0), MessageHeader.second(0, 0), 0);
        owed = 0;
    }

    // ---- receiving

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        interest.run();
    }

    /**
     * Takes what came and hands it out. The polling thread.
     *
     * @return how much there was to do
     */
    int poll(int most) {
        int work = 0;
        boolean gone = link.failure() != null || !link.isConnected(); // before the look at what it left
        boolean empty = false;
        try {
            while (work < most && !empty && !over) {
                empty = !step(gone);
                work += empty ? 0 : 1;
            }
        } catch (RuntimeException | Error e) {
            end(e);
            work++;
        }
        return over ? work : work + endWhenFinished(byeSeen || gone && empty);
    }

    /** Returns true when the handler takes frames, and the peer takes what they have it sent or is gone. */
    private boolean mayDeliver(boolean gone) {
        return closing || !paused && !isAhead() && (!outbox.isFull() || gone || byeSeen);
    }

    /** @param finished true when the peer sends nothing any more */
    private int endWhenFinished(boolean finished) {
        if (expelled() != null) {
            end(new RpcException(Status.UNAUTHENTICATED, expelled()));
        } else if (outbox.overflow() != null) {
            end(new RpcException(Status.RESOURCE_EXHAUSTED, outbox.overflow()));
        } else if (closing && hasLeft(finished)) {
            end(null);
        } else if (finished && (held.isEmpty() || isOver(finishedNs))) {
            end(byeSeen ? null : new IllegalStateException(failure()));
        } else if (finished && finishedNs == 0) {
            finishedNs = clock.nanoTime();
        }
        return over ? 1 : 0;
    }

    private boolean isOver(long sinceNs) {
        return sinceNs != 0 && clock.nanoTime() - sinceNs > PAUSED_LINGER_NS;
    }

    /** Returns true when nothing but a message gives a poll something to do. The polling thread. */
    synchronized boolean rests() { // as senders do
        return !closing && !paused && expelled() == null && finishedNs == 0
                && held.isEmpty() && outbox.isEmpty() && !link.isBehind();
    }

    /** Delivers what is held, or takes a message. Returns false when there is nothing to do. */
    private boolean step(boolean gone) {
        boolean holds = !mayDeliver(gone);
        if (!holds && !held.isEmpty()) {
            deliverHeld();
            return true;
        }
        int length = take(holds);
        if (length != NOTHING && length != NO_DATA && isOpen()) { // it may have ended where all had left
            int rest = MessageHeader.rest(link.second());
            ByteBuffer bytes = link.payload().slice(link.payloadOffset() + RpcHeader.BYTES, length);
            if (holds) {
                held.add(bytes, rest);
            } else {
                deliver(bytes, rest);
            }
        }
        return length != NOTHING;
    }

    private void deliverHeld() {
        HeldPieces.Piece next = held.remove();
        if (!closing) {
            synchronized (this) {
                owed++;
                giveCreditsWhenMany();
                link.wakePeer();
            }
            deliver(next.bytes(), next.rest());
        }
    }

    /**
     * Returns true when a session that is being closed may end: the peer has taken all that was sent, or takes too long
     * over it. What lies behind all frames is the word that no more come, at which the peer leaves.
     *
     * @param peerLeft true when the peer sends nothing any more
     */
    private synchronized boolean hasLeft(boolean peerLeft) {
        if (!byeSaid && outbox.isEmpty() && !link.isBehind() && link.hasControl()) {
            sayBye();
        }
        return byeSaid && peerLeft || clock.nanoTime() - closingNs > LINGER_NS;
    }

    private void sayBye() {
        byeSaid = true;
        link.sendControl(MessageHeader.first(MessageHeader.BYE, 0, 0), MessageHeader.second(0, 0));
        link.wakePeer();
    }

    private String failure() {
        return link.failure() != null ? link.failure() : "the peer is gone";
    }

    /**
     * Takes a message; returns the length of its piece, {@link #NO_DATA}, or {@link #NOTHING}.
     *
     * @param holds true when the credit of a piece is not given back yet
     */
    private int take(boolean holds) {
        boolean drained;
        int length;
        synchronized (this) {
            if (byeSeen || !link.poll()) {
                return NOTHING;
            }
            long first = link.first();
            credits += MessageHeader.credits(first);
            if (credits > window) {
                throw new IllegalStateException("peer grants more than the window: credits=" + credits);
            }
            length = piece(first);
            owed += holds || length == NO_DATA ? 0 : 1;
            drained = flush();
            giveCreditsWhenMany();
        }
        if (drained) {
            handler.drained(this);
        }
        return length;
    }

    private void giveCreditsWhenMany() {
        if (owed >= window / 2 && !over) {
            sendCredits();
        }
    }

    private int piece(long first) {
        int kind = MessageHeader.kind(first);
        if (kind == MessageHeader.BYE) {
            byeSeen = true;
            return NO_DATA;
        }
        if (kind == MessageHeader.CREDIT) {
            return NO_DATA;
        }
        int length = MessageHeader.length(link.second());
        if (kind != MessageHeader.DATA || MessageHeader.number(first) != expected || length < 0
                || length > pieceBytes || length + RpcHeader.BYTES > link.payloadLength()) {
            throw new IllegalStateException("message makes no sense: kind=" + kind + " number="
                    + MessageHeader.number(first) + " expected=" + expected + " length=" + length + " bytes="
                    + link.payloadLength());
        }
        expected++;
        return length;
    }

    private void deliver(ByteBuffer piece, int rest) {
        received(piece.remaining());
        ByteBuffer frame = assembly.add(piece, rest);
        if (frame != null) {
            frameCame(frame.remaining());
            handler.frame(this, frame);
        }
    }

    // ---- the end

    /** Ends the session on this side and tells the handler, once. The polling thread. */
    void end(Throwable cause) {
        synchronized (this) {
            if (told) {
                return;
            }
            told = true;
            over = true;
            outbox.clear();
            held.clear();
            if (cause == null && !byeSaid && !byeSeen && link.failure() == null && link.isConnected()
                    && link.hasControl()) { // nobody waits for room here
                sayBye();
            }
        }
        try {
            handler.closed(this, cause);
        } catch (Throwable e) { // others are polled by this thread, too
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, e);
        }
    }

    boolean isOver() {
        return over;
    }

    /** Returns false once the peer has left or died; what it sent may not be handed out yet. Any thread. */
    boolean isPeerThere() {
        return link.isConnected();
    }

    @Override
    public boolean isOpen() {
        return !over && !closing;
    }

    @Override
    public void close() {
        if (!closing && !over) {
            closingNs = clock.nanoTime();
            closing = true;
            interest.run();
        }
    }

    /** Gives the memory back. After {@link #end}, when nobody polls any more. */
    void bury() {
        try {
            synchronized (this) {
                over = true;
                link.disconnect();
                link.close();
                memory.close();
            }
        } finally {
            leave();
        }
    }
}
