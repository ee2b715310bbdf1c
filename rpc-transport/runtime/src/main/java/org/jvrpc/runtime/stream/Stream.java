package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.stub.WritablePublisher;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.stream.memory.Mailbox;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/**
 * One side of a call with streams: what it has to send waits here for room. What is sent is under the monitor of this;
 * what comes is told by whoever polls, one thread at a time.
 */
public abstract class Stream {

    private final StreamSession session;
    private int id;
    private final Outbox outbox = new Outbox();
    private Outbox.Message tail;
    /** Leaves before the tail, or the end. */
    private Outbox.Message beside;
    private int grant;
    private boolean cancelDue;
    private boolean endSent;
    /** Nothing follows. */
    private boolean done;
    final Arrival arrival = new Arrival();
    /** No elements follow. */
    private boolean dropped;
    private final Mailbox mailbox;
    private Outflow out;
    private volatile Inflow in;
    private volatile Source source;
    private volatile Sink sink;
    private volatile Runnable consumer;
    private volatile Runnable producer;
    /** When its time is over, on the session's clock; 0 for never. */
    private volatile long endNs;
    /** It is among those that wait for pieces' credits. Under the session's monitor. */
    boolean queued;
    /** How often there was something to tell its user since that was told. */
    final AtomicInteger signals = new AtomicInteger();

    /** Who consumes what comes. */
    interface Sink {
        /** There is more, or the end. Whoever polls. */
        void filled();
    }

    /** Who produces what is sent. */
    interface Source {
        /** There is room, or the end. Whoever polls. */
        void roomy();
    }

    protected Stream(StreamSession session) {
        this.session = session;
        this.mailbox = new Mailbox(session.memory());
    }

    public final StreamSession session() {
        return session;
    }

    public final int id() {
        return id;
    }

    /** Names it, when it is known to its session. */
    final void id(int value) {
        id = value;
    }

    public final long endNs() {
        return endNs;
    }

    /** Sets when its time is over. */
    public final void endNs(long value) {
        endNs = value;
    }

    /** Returns the call that it is made for, and ends with; null for none. */
    protected RpcContext above() {
        return null;
    }

    // ---- what comes; whoever polls

    /** A whole message came. */
    protected abstract void message(int kind, ByteBuffer bytes, int length);

    /** The peer's elements have ended. */
    protected abstract void ended();

    /** The peer takes no elements any more; of a client, it has given the call up. */
    protected abstract void cancelled();

    /** The session, or the call's time, is over. Any thread. */
    public abstract void fail(RpcException cause);

    /** Its consumer wants no more. Any thread. */
    protected abstract void stopReceiving(String why);

    /** Its producer has ended. Any thread. */
    protected abstract void outgoingEnded();

    /** Its producer has failed. Any thread. */
    protected abstract void outgoingFailed(Throwable cause);

    /** Returns why it is over, or null. Any thread. */
    protected abstract RpcException failure();

    /** Tells its user of what came, and asks for more. One thread at a time. */
    protected void run() {
        Runnable ofConsumer = consumer;
        if (ofConsumer != null) {
            ofConsumer.run();
        }
        Runnable ofProducer = producer;
        if (ofProducer != null) {
            ofProducer.run();
        }
    }

    /** Returns what runs {@link #run}; null for the thread that polls for all. */
    protected abstract Executor executor();

    final void piece(int kind, ByteBuffer from, int offset, int length, int rest) {
        ByteBuffer whole;
        try {
            whole = mailbox.add(kind, from, offset, length, rest);
        } catch (RpcException e) {
            if (id == 0) {
                throw e; // nobody waits for an answer to what is for the session
            }
            fail(e);
            return;
        }
        try {
            if (whole != null) {
                arrival.message(this, kind);
                message(kind, whole, whole.limit());
            }
        } finally {
            if (id == 0) { // of which nobody keeps any
                mailbox.forget();
            }
        }
    }

    /** Its messages are not kept any more. Any thread. */
    final void letMessagesGo() {
        mailbox.close();
    }

    final void data(ByteBuffer from, int offset, int length) {
        Inflow inflow = in;
        if (inflow == null) {
            return; // none is wanted
        }
        String wrong;
        try {
            wrong = inflow.append(from, offset, length);
        } catch (RpcException e) { // there is no memory for it, and others go on
            fail(e);
            return;
        }
        if (wrong != null) {
            throw new IllegalStateException(wrong);
        }
        tellSink();
    }

    /** Has {@link #run} called soon. */
    protected final void tellLater() {
        session.signal(this);
    }

    protected final void tellSink() {
        Sink now = sink;
        if (now != null) {
            now.filled();
        }
    }

    protected final void tellSource() {
        Source now = source;
        if (now != null) {
            now.roomy();
        }
    }

    final void tellSourceIfRoomy() {
        Outflow now = out;
        if (now != null && now.isRoomy()) {
            tellSource();
        }
    }

    final void window(int more) {
        synchronized (this) {
            if (out == null || out.isOver()) {
                return;
            }
            if (!out.grant(more)) {
                throw new IllegalStateException("peer grants more than its window: bytes=" + more);
            }
            pumpAll();
        }
        session.wakePeer();
        tellSourceIfRoomy();
    }

    // ---- what is sent

    /** Has it receive elements. @param fixed see {@link StreamCodec#fixedBytes}; -1 where that is said later */
    protected final synchronized void receive(int fixed) {
        Inflow inflow = new Inflow(session.memory(), session.ownWindow(), fixed);
        in = inflow;
    }

    /** Says how long elements are that may have come already. */
    protected final void receives(int fixed) {
        String wrong = in.fixed(fixed);
        if (wrong != null) {
            throw new RpcException(Status.INTERNAL, wrong);
        }
    }

    /** Nothing more comes. */
    protected final void endInflow(Throwable cause) {
        Inflow now = in;
        if (now != null) {
            now.end(cause);
            tellSink();
        }
    }

    /** Nobody wants what has come or comes. */
    protected final void closeInflow(Throwable cause) {
        Inflow now = in;
        if (now != null) {
            now.end(cause);
            now.close();
            tellSink();
        }
    }

    final Inflow inflow() {
        return in;
    }

    /**
     * Begins to send what a publisher brings. Once.
     *
     * @return what writes it, to be run by a thread that may wait; null where nothing is to be run
     */
    protected final <T> Runnable produce(Flow.Publisher<T> publisher, StreamCodec<T> codec, ObjectCodec objects) {
        synchronized (this) {
            out = new Outflow(this, session.memory(), session.peerWindow(), session.pieceBytes(), codec.fixedBytes(),
                    objects);
            if (done || dropped || tail != null || endSent) { // the call ended before: nothing follows
                out.close();
            }
        }
        try {
            if (publisher instanceof WritablePublisher<T> written) {
                OutflowWriter<T> writer = OutflowWriter.of(this, codec);
                source = writer;
                return written.attach(writer);
            }
            OutflowSubscriber<T> subscriber = new OutflowSubscriber<>(this, out, codec);
            source = subscriber;
            producer = subscriber;
            publisher.subscribe(subscriber);
        } catch (Throwable t) { // against the rules
            outgoingFailed(t);
        }
        return null;
    }

    final Outflow outflow() {
        return out;
    }

    /** @param turn runs where its user is told in turns, or null */
    final void consumer(Sink value, Runnable turn) {
        consumer = turn;
        sink = value;
    }

    /**
     * Sends a message before all elements, behind other messages. Its bytes are borrowed from the session's memory, and
     * given back.
     */
    protected final void sendFirst(int kind, ByteBuffer bytes, int length) {
        synchronized (this) {
            outbox.add(kind, bytes, length);
            if (done) {
                outbox.drop(session.memory());
            }
            pumpAll();
        }
        session.wakePeer();
    }

    /** Has a message, null for none, go before what ends the call. Before that. Its bytes are this stream's. */
    protected final synchronized void beside(int kind, ByteBuffer bytes) {
        beside = bytes == null ? null : new Outbox.Message(kind, bytes, bytes.limit());
    }

    /** Sends a message behind all elements, and nothing follows. Its bytes are this stream's. */
    protected final void sendLast(int kind, ByteBuffer bytes, int length) {
        synchronized (this) {
            if (tail != null || endSent || done) {
                return;
            }
            tail = new Outbox.Message(kind, bytes, length);
            pumpAll();
        }
        session.wakePeer();
    }

    /** Says behind all elements that they have ended. */
    protected final void sendEnd() {
        synchronized (this) {
            if (out != null) {
                out.end();
            }
            pumpAll();
        }
        session.wakePeer();
    }

    /** Says that no elements are wanted, or none is sent any more. Returns true when the peer never hears of any. */
    protected final boolean sendCancel() {
        synchronized (this) {
            if (done) {
                return false;
            }
            if (id == 0 || outbox.isUnbegun()) {
                outbox.drop(session.memory());
                done = true;
                return true;
            }
            cancelDue = true;
            pumpAll();
        }
        session.wakePeer();
        return false;
    }

    /** Gives the peer room for more. */
    final void grant(int bytes) {
        synchronized (this) {
            grant += bytes;
            pumpAll();
        }
        session.wakePeer();
    }

    /** Sends no elements any more, not even those that are staged. */
    protected final void dropOutflow() {
        synchronized (this) {
            dropped = true;
            if (out != null) {
                out.close();
            }
        }
        tellSource();
    }

    /** Nothing is sent any more: the peer is gone, or has ended the call. */
    protected final void sendNothing() {
        synchronized (this) {
            done = true;
            outbox.drop(session.memory());
        }
        dropOutflow();
    }

    /** Sends what there is room for; false where the session has none. */
    final synchronized boolean pumpAll() {
        return done || outbox.send(this) && sendCancelled() && sendGrant()
                && (out == null || out.isOver() || out.pump()) && sendTail();
    }

    private boolean sendGrant() {
        if (grant > 0 && !done) {
            if (!send(StreamHeader.WINDOW, grant, null, 0, 0)) {
                return false;
            }
        }
        grant = 0;
        return true;
    }

    private boolean sendCancelled() {
        if (cancelDue) {
            if (!send(StreamHeader.CANCEL, 0, null, 0, 0)) {
                return false;
            }
            cancelDue = false;
            done = isCancelTheEnd();
        }
        return true;
    }

    private boolean sendTail() {
        if (done || endSent || out != null && !out.isOver() && !out.isEmpty()) {
            return true;
        }
        if (tail == null && (out == null || !out.isEnded() || out.isOver())) {
            return true;
        }
        if (beside != null && !beside.send(this)) {
            return false;
        }
        beside = null;
        if (tail != null ? !tail.send(this) : !send(StreamHeader.END, 0, null, 0, 0)) {
            return false;
        }
        tail = null;
        endSent = true;
        if (out != null) {
            out.close();
        }
        allSent();
        return true;
    }

    /** Returns true where nothing follows a CANCEL. */
    protected abstract boolean isCancelTheEnd();

    /** The last of it is on its way. Under the monitor of this. */
    protected void allSent() {
        // nothing to do
    }

    final boolean send(int kind, int more, ByteBuffer from, int at, int length) {
        return session.send(this, kind, more, false, from, at, length);
    }
}
