package org.jvrpc.api.wire;

import java.nio.ByteBuffer;

/** Where values lie of which only the first bytes are at hand. The thread of the reader, until its next reset. */
public interface Rest {

    /**
     * Copies bytes, from a position counted from the first of all, to where an array is wanted. They may change
     * meanwhile: nothing that is validated comes by this.
     *
     * @throws org.jvrpc.api.RpcException UNAVAILABLE when they cannot be had any more
     */
    void copy(int position, ByteBuffer target, int at, int length);

    /**
     * Brings all bytes to memory that nobody else writes to and has the reader go on there, see
     * {@link WireReader#moveTo}. The bytes that were at hand stay what they were.
     *
     * @throws org.jvrpc.api.RpcException RESOURCE_EXHAUSTED when there is no memory, UNAVAILABLE as in {@link #copy}
     */
    void bring(WireReader reader);
}
