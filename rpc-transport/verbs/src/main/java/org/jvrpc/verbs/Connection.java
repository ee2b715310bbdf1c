package org.jvrpc.verbs;

import java.net.InetAddress;

/** Two connected QPs, and the watch over the peer's life. Any thread. */
public interface Connection extends AutoCloseable {

    /** Returns this side's QP. */
    QueuePair qp();

    /** Returns what the peer sent along when the connection was made. */
    byte[] privateData();

    /**
     * Returns the address of the peer's host, as the device was told it when the connection was made, not by the peer's
     * own word in private data; null when the peer is a process of this host, by shared memory.
     */
    default InetAddress peerHost() {
        return null;
    }

    /**
     * Returns true until the peer disconnects or dies, or this side does. When it turns false the QP is in ERR or soon
     * will be. It is noticed inside {@link EventChannel#await} of the connection's channel, timeout 0 included.
     */
    boolean isConnected();

    /**
     * Returns true once the peer has shown that it gets what is sent to it, by its word or by its first packet; memory
     * for its sake should wait for that where it takes the peer's host's word alone to be asked for it. An accepting
     * side is told inside {@link EventChannel#await} of the listener's channel.
     */
    default boolean isEstablished() {
        return true;
    }

    /** Tells the peer, moves the QP to ERR and closes it. Idempotent. */
    @Override
    void close();
}
