package org.jvrpc.runtime;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.auth.RpcPrincipal;

/**
 * Frames both ways between two processes: for protocols that are not calls and answers, such as those whose servers
 * push. Frames arrive whole, once, and in the order in which they were sent, as long as the session lives.
 */
public interface MessageSession extends AutoCloseable {

    /** Returns the number of the session at its server. Any thread. */
    long id();

    /**
     * Returns the address of the peer's host, as the network's connection manager has it and not by the peer's own
     * word; null when the peer is a process of this host, by shared memory. Any thread.
     */
    @Nullable InetAddress peerHost();

    /**
     * Returns who is at the other end, as far as the transport can tell, see {@code ServerContext.principal()}: nobody
     * known over networks without TLS, and at a client that did not look. Any thread.
     */
    default RpcPrincipal principal() {
        return RpcPrincipal.anonymous(peerHost());
    }

    /**
     * Sends a frame made of these pieces, from their positions to their limits, which are left as they are. The bytes
     * are copied before this returns. Never blocks: what the peer has no room for is queued here, see
     * {@link #queuedBytes()}. Any thread.
     *
     * @return false when the session is over: the frame does not arrive
     * @throws IllegalArgumentException when the frame is longer than the peer takes
     */
    boolean send(ByteBuffer... pieces);

    /** Returns the longest frame that the peer takes, in bytes. Any thread. */
    int maxFrameBytes();

    /** Returns how many bytes wait here for room at the peer. A sender that cares keeps below a limit of its own. */
    long queuedBytes();

    /**
     * Stops delivering frames: the peer may send a window of pieces more, which are held here; after that its frames
     * wait at its side. What this side sends goes on, as the peer makes room. When the peer is gone, what is held waits
     * 60 s for {@link #resume}; then the end is told without it. Any thread; idempotent.
     */
    void pause();

    /** Delivers frames again. Any thread; idempotent. */
    void resume();

    /** Returns true until one side closes the session or dies. Any thread. */
    boolean isOpen();

    /** Returns what {@link #attach} kept, or null. Any thread. */
    @Nullable Object attachment();

    /** Keeps an object of the user's with the session. Any thread. */
    void attach(@Nullable Object object);

    /**
     * Ends the session: nothing is taken any more, frames that were sent arrive, those that are queued as long as the
     * peer makes room for them within 2 s. The peer's handler is told behind the last frame, and this side's when the
     * peer has left, or after those 2 s; both by the threads that poll. Any thread; idempotent.
     */
    @Override
    void close();
}
