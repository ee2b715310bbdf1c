package org.jvrpc.api.stub;

import org.jvrpc.api.wire.WireReader;

/** Decodes the answer of an asynchronous call. Generated; stateless. */
@FunctionalInterface
public interface ResultReader<R> {

    /**
     * Reads a result.
     *
     * @param thrown 0, or the number of a declared exception, which is then read and thrown
     * @throws Exception the declared exception
     */
    R read(WireReader in, int thrown) throws Exception;

    /** Decodes an {@code int}, in a box only for a future. */
    @FunctionalInterface
    interface OfInt extends ResultReader<Integer> {

        /** Reads a result as {@link #read} does. */
        int readInt(WireReader in, int thrown) throws Exception;

        @Override
        default Integer read(WireReader in, int thrown) throws Exception {
            return readInt(in, thrown);
        }
    }

    /** Decodes a {@code long}, in a box only for a future. */
    @FunctionalInterface
    interface OfLong extends ResultReader<Long> {

        /** Reads a result as {@link #read} does. */
        long readLong(WireReader in, int thrown) throws Exception;

        @Override
        default Long read(WireReader in, int thrown) throws Exception {
            return readLong(in, thrown);
        }
    }

    /** Decodes a {@code double}, in a box only for a future. */
    @FunctionalInterface
    interface OfDouble extends ResultReader<Double> {

        /** Reads a result as {@link #read} does. */
        double readDouble(WireReader in, int thrown) throws Exception;

        @Override
        default Double read(WireReader in, int thrown) throws Exception {
            return readDouble(in, thrown);
        }
    }
}
