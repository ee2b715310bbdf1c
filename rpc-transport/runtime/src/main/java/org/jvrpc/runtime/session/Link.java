package org.jvrpc.runtime.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.guard.Who;

/**
 * One side of a session, whatever carries it: messages both ways, in order, each with a header of two longs and a body
 * that lies in a slot of this side until it is sent, and long bodies, which lie in memory of their own. A thread that
 * serves others waits for no peer: what finds no room stays in its slot and goes on with later polls. One thread at a
 * time, except for what is said to be for any.
 *
 * <p>A class, not an interface, so that a process that has one kind of link loaded calls it directly.
 */
public abstract class Link implements AutoCloseable {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** How many times in the idle time of its keep-alive a link is to be looked at: see {@link #checkPeer}. */
    public static final int LOOKS_FOR_LIFE = 4;

    private int slotBytes;
    private ByteBuffer payload;
    private int payloadOffset;
    private int payloadLength;
    private String failure;
    /** Null where its kind does not tell. */
    private volatile Who who;

    protected Link(int slotBytes) {
        this.slotBytes = slotBytes;
    }

    // ---- slots

    /** Returns the longest body that fits in a slot, in bytes. */
    public final int slotBytes() {
        return slotBytes;
    }

    /** The peer has room for less than this side does. Before the first message. */
    public final void lessen(int granted) {
        slotBytes = granted;
    }

    /** Returns the memory of a slot's body. */
    public abstract ByteBuffer body(int slot);

    /**
     * Puts into a slot what its message has in place of bytes that lie in a long body; returns how many bytes that is.
     * The body is the link's until the peer is known to have fetched it.
     */
    public abstract int describe(int slot, Body body);

    /**
     * Memory for more slots than there are, and for what the peer may send more with them, as yet of no use. Closed
     * where it is not given to {@link #grow}.
     */
    public interface Growth extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Makes memory for more slots, which may take long; a link that does not grow has none. Any thread.
     *
     * @param slots how many there are then
     * @param receives how many messages the peer may send then before it hears of any being taken
     * @throws org.jvrpc.api.RpcException RESOURCE_EXHAUSTED when there is none, also after the end of the link
     */
    public Growth prepare(int slots, int receives) {
        throw new RpcException(Status.RESOURCE_EXHAUSTED, "this link does not grow: slots=" + slots);
    }

    /** Adds the slots, and is ready for the peer's messages. Gives the memory back where the link was closed. */
    public void grow(Growth growth) {
        growth.close();
    }

    // ---- sending

    /**
     * Sends a slot's message, at once or, when there is no room, with a later poll. The slot's memory is the link's
     * until then.
     *
     * @return false when the link is broken
     */
    public abstract boolean send(int slot, long first, long second, int bodyLength);

    /**
     * As {@link #send}, of a body whose first bytes lie in the slot and the others elsewhere, where they can be sent
     * from: they are taken before this returns.
     *
     * @param head bytes of the body in the slot
     * @return false, with nothing done, where they are to be copied to the slot
     */
    public boolean sendFrom(int slot, long first, long second, int head, ByteBuffer body, int at, int length) {
        return false;
    }

    /**
     * Sends a slot's message to which no answer comes that would say when its memory is free again. Waits for nothing.
     *
     * @return the number to ask {@link #isSent} for, 0 when it has left, -1 when the link is broken
     */
    public abstract long sendOneWay(int slot, long first, long second, int bodyLength);

    /**
     * Sends a message without a body. Control messages take slots of their own in turns, so that the thread need not
     * wait for each, but it waits when all are under way: see {@link #hasControl}.
     */
    public abstract boolean sendControl(long first, long second);

    /** Returns true when {@link #sendControl} does not wait: the slot that it takes next is free. */
    public abstract boolean hasControl();

    /** Returns true when a send or a fetch, and all before it, are known to be complete. Any thread. */
    public abstract boolean isSent(long number);

    /** Looks which sends and fetches are complete. */
    public abstract void reap();

    /**
     * Returns true when the peer's device has all that was sent, or the link is broken: then this side may end. Where
     * nothing tells of it yet it has that told, which asked again says.
     */
    public abstract boolean hasLeft();

    /** Returns true while messages wait for room. */
    public abstract boolean isBehind();

    /** Sends what waits for room, as far as there is some; gives the link up when there is none for too long. */
    public abstract void catchUp();

    /**
     * Makes sure that a sleeping peer is woken for what was sent. A poll that finds nothing does it; who sends and
     * does not poll afterwards must call it.
     */
    public abstract void wakePeer();

    /** So many messages follow, likely: what can be done for them beforehand is done beside what comes first. */
    public void expectSends(int count) {
        // nothing can be
    }

    // ---- receiving

    /**
     * Takes the next message, whose bytes lie at {@link #payload()} until the next poll.
     *
     * @return false when there is none, or the link is broken: see {@link #failure()}
     */
    public abstract boolean poll();

    /** Returns false when no message lies behind the one polled last; true where that cannot be told. */
    public abstract boolean hasMore();

    /** The message polled last lies here, its header included. */
    protected final void payload(ByteBuffer buffer, int offset, int length) {
        if (payload != buffer) { // a store of a reference costs the collector's barrier: only where one changed
            payload = buffer;
        }
        payloadOffset = offset;
        payloadLength = length;
    }

    public final ByteBuffer payload() {
        return payload;
    }

    public final int payloadOffset() {
        return payloadOffset;
    }

    public final int payloadLength() {
        return payloadLength;
    }

    /** Returns the first half of the header of the message polled last. */
    public final long first() {
        return word(payloadOffset);
    }

    /** Returns the second half. */
    public final long second() {
        return word(payloadOffset + 8);
    }

    /** Returns eight bytes of {@link #payload()}. */
    public final long word(int index) {
        return (long) LONG.get(payload, index);
    }

    // ---- long bodies

    /**
     * Begins to fetch a part of a long body from the peer.
     *
     * @param offset of the part, in the body there and here
     * @param source where the peer has it, as its message's {@link Descriptor} says
     * @param key to it, as the same says
     * @return the number to ask {@link #isSent} for; 0 when there is no room yet
     */
    public abstract long beginFetch(Body into, int offset, int length, long source, int key);

    /**
     * Fetches a part of a long body, on the spot and to any memory, where the link can do that.
     *
     * @param source where the peer has the part
     * @return false when it cannot, or the peer or its key does not allow it; bytes may have been copied
     */
    public boolean fetchNow(long source, int key, ByteBuffer into, int at, int length) {
        return false;
    }

    /** Returns how long the fetch of so many bytes may take before the link is given up, in nanoseconds. */
    public abstract long fetchLimitNs(int length);

    // ---- waiting

    /** Has the next message wake who waits, and so what makes room or completes a fetch where that is waited for. */
    public abstract void arm();

    public abstract void disarm();

    /** Returns true when something came, for which somebody was woken who may not look for it. Any thread. */
    public boolean isReady() {
        return false;
    }

    /**
     * Has the peer's end, and what it sends of itself, wake who waits, where only what comes tells of it. Any thread.
     *
     * @return after how long this is to be called again, in nanoseconds, since there is traffic
     */
    public long watch() {
        return Long.MAX_VALUE;
    }

    /** Gives back what it needs only while messages come and go: none does for a while, likely. */
    public void rest() {
        // most have nothing of that kind
    }

    // ---- the peer, and the end

    /** Has a peer that may vanish without a word be asked for a sign of life after so long without traffic. */
    public abstract void keepAlive(long idleNs);

    /** Looks after the peer's life, where it was asked for; {@link #LOOKS_FOR_LIFE} times in the idle time. */
    public abstract void checkPeer(long nowNs);

    /** Returns true until the peer disconnects or dies, or this side does. Any thread. */
    public abstract boolean isConnected();

    /** Returns the address of the peer's host, or null when the peer is a process of this host. Any thread. */
    public abstract InetAddress peerHost();

    /** Says who the peer is. Before the first message. */
    public final void who(Who peer) {
        who = peer;
    }

    /** Returns who the peer is, as far as what carries the link can tell. Any thread. */
    public final Who who() {
        Who peer = who;
        return peer == null ? Who.later(this::peerHost, () -> null) : peer;
    }

    /** Returns why the link is broken, or null. */
    public final String failure() {
        return failure;
    }

    /** Gives the link up, for a reason that its user found; returns false. */
    public final boolean fail(String why) {
        if (failure == null) {
            failure = why;
        }
        return false;
    }

    /** Ends the connection for both sides at once; what came before it can still be polled. Any thread. */
    public abstract void breakOff();

    /** Leaves the peer, and tells it. Idempotent. Any thread. */
    public abstract void disconnect();

    /** Gives the memory back. After {@link #disconnect}. */
    @Override
    public abstract void close();
}
