package org.jvrpc.mlx5;

/** Tells the consumer of a send ring that there is more. On a card a store to the UAR page; here whoever listens. */
public interface Doorbell {

    /**
     * Rings.
     *
     * @param producer blocks posted since the ring was made; the doorbell record holds its low 16 bits already
     */
    void ring(int producer);

    /**
     * Rings with the one WQE that is new, which its consumer then need not fetch: what BlueFlame is on a card. The ring
     * holds it, too.
     *
     * @param words holds the WQE, which takes one block, as big-endian longs from {@code at} on
     */
    default void ring(int producer, long[] words, int at) {
        ring(producer);
    }
}
