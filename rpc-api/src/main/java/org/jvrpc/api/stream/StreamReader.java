package org.jvrpc.api.stream;

import java.util.NoSuchElementException;

/**
 * The blocking way to take what a stream brings. It takes credits as it goes, so that no more is under way than the
 * stream's window. One thread at a time; {@link #close} is for any.
 *
 * <p>Where a stream fails, each method but {@link #close} throws what it failed with, behind the elements that came
 * before: an {@link org.jvrpc.api.RpcException}, or a declared exception as the cause of one with UNKNOWN.
 *
 * @param <T> an element, never null
 */
public interface StreamReader<T> extends AutoCloseable {

    /**
     * Waits until there is a next element, or the stream ends. An interrupt cancels the stream.
     *
     * @return false at the end
     */
    boolean hasNext();

    /**
     * Returns the next element, waiting for it. A buffer in place ends with the next call.
     *
     * @throws NoSuchElementException at the end
     */
    T next();

    /** Cancels a stream that has not ended: its sender is told. Idempotent. Any thread. */
    @Override
    void close();

    /** Reads {@code int}s without a box. */
    interface OfInt extends StreamReader<Integer> {

        /** As {@link #next}. */
        int nextInt();

        @Override
        default Integer next() {
            return nextInt();
        }
    }

    /** Reads {@code long}s without a box. */
    interface OfLong extends StreamReader<Long> {

        /** As {@link #next}. */
        long nextLong();

        @Override
        default Long next() {
            return nextLong();
        }
    }

    /** Reads {@code double}s without a box. */
    interface OfDouble extends StreamReader<Double> {

        /** As {@link #next}. */
        double nextDouble();

        @Override
        default Double next() {
            return nextDouble();
        }
    }
}
