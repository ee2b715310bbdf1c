package org.jvrpc.offload.wr;

/**
 * A producer index that the requests of a recycled program bring, of which each lap needs another one: 4 bytes,
 * big-endian.
 *
 * @param first of the first lap
 * @param step what each lap adds, without regard to overflow
 */
public record LapIndex(int first, int step) {

    /** Returns the index that the request of a lap brings, counted from 0. */
    public int of(long lap) {
        return first + step * (int) lap;
    }
}
