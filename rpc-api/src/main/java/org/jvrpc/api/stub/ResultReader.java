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
}
