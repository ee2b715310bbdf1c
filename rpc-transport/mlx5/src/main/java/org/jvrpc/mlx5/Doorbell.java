package org.jvrpc.mlx5;

/** Tells the consumer of a send ring that there is more. On a card a store to the UAR page; here whoever listens. */
@FunctionalInterface
public interface Doorbell {

    /**
     * Rings.
     *
     * @param producer blocks posted since the ring was made; the doorbell record holds its low 16 bits already
     */
    void ring(int producer);
}
