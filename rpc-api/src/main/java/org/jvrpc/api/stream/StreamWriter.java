package org.jvrpc.api.stream;

/**
 * The blocking way to send a stream. A write returns when the element is on its way, or in the stream's own memory:
 * elements that find the receiver busy leave together. It waits where the receiver makes no room. One thread at a time.
 *
 * <p>A write throws an {@link org.jvrpc.api.RpcException} when the stream is over for another reason than this side's:
 * CANCELLED when its receiver wants no more, DEADLINE_EXCEEDED, UNAVAILABLE. An interrupt cancels the stream.
 *
 * @param <T> an element, never null; a buffer's remaining bytes are sent, and it is the caller's again afterwards
 */
public interface StreamWriter<T> {

    /** Sends an element. @throws org.jvrpc.api.RpcException RESOURCE_EXHAUSTED when it is longer than the window */
    void write(T element);

    /** Sends what waits for company, as far as the receiver has room. */
    void flush();

    /** Sends {@code int}s without a box. */
    interface OfInt extends StreamWriter<Integer> {

        /** As {@link #write}. */
        void writeInt(int element);

        @Override
        default void write(Integer element) {
            writeInt(element);
        }
    }

    /** Sends {@code long}s without a box. */
    interface OfLong extends StreamWriter<Long> {

        /** As {@link #write}. */
        void writeLong(long element);

        @Override
        default void write(Long element) {
            writeLong(element);
        }
    }

    /** Sends {@code double}s without a box. */
    interface OfDouble extends StreamWriter<Double> {

        /** As {@link #write}. */
        void writeDouble(double element);

        @Override
        default void write(Double element) {
            writeDouble(element);
        }
    }
}
