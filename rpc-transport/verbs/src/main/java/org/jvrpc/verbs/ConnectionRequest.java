package org.jvrpc.verbs;

import java.net.InetAddress;

/** Somebody who wants to connect. Answered once, in the time that the peer waits. One thread. */
public interface ConnectionRequest {

    /** Returns what the peer sent along. */
    byte[] privateData();

    /** Returns the address of the peer's host, as {@link Connection#peerHost()} will. */
    default InetAddress peerHost() {
        return null;
    }

    /**
     * Returns a name of the peer that is the same for all that one host, or one process of this host, asks for: what
     * limits for each peer are counted by. Null where the device cannot tell.
     */
    default String peer() {
        InetAddress host = peerHost();
        return host == null ? null : "host " + host.getHostAddress();
    }

    /**
     * Returns whose process the peer is, as the kernel says; null where it is on another host, where the device cannot
     * tell, or when it is gone. Asked for once it is needed, also after the answer. Any thread.
     */
    default PeerIdentity identity() {
        return null;
    }

    /** Returns false when anybody could have sent it in the peer's name: see {@link Connection#isEstablished}. */
    default boolean isProven() {
        return true;
    }

    /**
     * Accepts with a QP in INIT, whose receives are posted: the peer may send as soon as this returns. Where it is not
     * proven they may be posted later: what it sends waits for them as long as its RNR retries allow.
     *
     * @param privateData at most {@link Device#maxAnswerBytes()}
     * @throws ConnectionException when the peer is gone meanwhile
     * @throws VerbsException when the QP is not in INIT; the request is still open then
     * @throws IllegalStateException when the request is answered already
     */
    Connection accept(QueuePair qp, byte[] privateData);

    /** As {@link #accept(QueuePair, byte[])}, with the connection watched by another channel than the listener's. */
    Connection accept(QueuePair qp, byte[] privateData, EventChannel channel);

    /**
     * Refuses; the peer sees the data in its {@link ConnectionException}.
     *
     * @param privateData at most {@link Device#maxAnswerBytes()}
     * @throws IllegalStateException when the request is answered already
     */
    void reject(byte[] privateData);
}
