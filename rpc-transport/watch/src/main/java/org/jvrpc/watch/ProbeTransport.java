package org.jvrpc.watch;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcStatus;

/** Datagrams of one agent. One thread. */
public interface ProbeTransport extends AutoCloseable {

    /** Told by {@link #poll}. Times are those of the transport's clock, which only differences are taken of. */
    interface Events {

        /** A datagram has left, or could not. */
        void sent(long cookie, WcStatus status, long atNs);

        /** A datagram has come. Its bytes are valid during the call only. */
        void received(ByteBuffer payload, long atNs);
    }

    /** Returns where others reach it: opaque, for the registry, at most 256 bytes. */
    byte[] address();

    /** Returns the longest payload, in bytes. */
    int maxBytes();

    /** Returns how many flows there are to each peer, at least 1. */
    int flows();

    FlowKind flowKind();

    StampSource stamps();

    /**
     * Returns the time that a datagram gets which is sent now, where that is known before; {@link Long#MIN_VALUE}
     * where {@link Events#sent} tells it first.
     */
    default long sendNs() {
        return Long.MIN_VALUE;
    }

    /**
     * Returns a handle of a peer.
     *
     * @throws IllegalArgumentException for bytes that are no address of this transport
     */
    int peer(byte[] address);

    /**
     * Gives a handle back, of which {@link #peer} gave one for each call: what leads to that peer is ended when the
     * last one is back and its sends have left.
     */
    void forget(int peer);

    /**
     * Sends the remaining bytes, which are copied before it returns.
     *
     * @param flow from 0, below {@link #flows}
     * @param serviceLevel 0 to 7; a higher one, which a peer may have asked an answer for, is as 7
     * @param cookie comes back with {@link Events#sent}
     * @return false when the queue is full, and nothing was sent
     */
    boolean send(int peer, int flow, int serviceLevel, ByteBuffer payload, long cookie);

    /** Returns how many events were told; never blocks. */
    int poll(Events to);

    /** Sleeps until something may have come or the time is over. A simulated one returns at once. */
    void await(long timeoutNs);

    @Override
    void close();
}
