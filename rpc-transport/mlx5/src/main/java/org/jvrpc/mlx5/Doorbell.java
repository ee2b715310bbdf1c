package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/** Tells the consumer of a send ring that there is more. On a card a store to the UAR page; here whoever listens. */
public interface Doorbell {

    /**
     * Rings.
     *
     * @param producer blocks posted since the ring was made; the doorbell record holds its low 16 bits already
     */
    void ring(int producer);

    /**
     * Rings, and says where the last WQE lies, for a device that takes a WQE with the doorbell.
     *
     * @param producer as in {@link #ring(int)}
     * @param last block of the ring where the last WQE begins
     * @param blocks how many blocks it has, when it is the only one since the doorbell rang before; else 0
     */
    default void ring(int producer, int last, int blocks) {
        ring(producer);
    }

    /**
     * Offers a WQE of one block before it is written to the ring. A consumer that runs on the poster's thread may
     * execute it at once; its block of the ring then keeps what it held. Others take it from the ring, as a card does.
     *
     * @param producer blocks posted before this one
     * @param words the WQE as big-endian longs; of its ctrl segment the index is not set; a data segment of no bytes
     *     has length 0
     * @return true when it was executed
     */
    default boolean push(int producer, long[] words) {
        return false;
    }

    /**
     * Prepares a SEND whose header is handed over, for a consumer that runs on the poster's thread.
     *
     * @param words data segments of the header and of the body, as in {@link #push}; the body's length is none
     * @return null when this consumer takes everything from the ring
     */
    default Push prepare(long[] words) {
        return null;
    }

    /**
     * Executes a READ without the ring, into any memory, for a consumer that runs on the poster's thread; see
     * {@link org.jvrpc.verbs.PostSend#read}.
     *
     * @param length any number, as the caller has not looked at it
     * @return false when it cannot be now, or never
     */
    default boolean read(long address, int rkey, ByteBuffer into, int at, int length) {
        return false;
    }
}
