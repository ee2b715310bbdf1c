package org.jvrpc.api.wire;

/**
 * The help that reading and writing for one peer needs beside the bytes: it marshals object graphs, of classes that the
 * service registered, and knows which components of growing records the peer has. The runtime's is Kryo. One thread at
 * a time.
 */
public interface ObjectCodec {

    /**
     * Writes a graph, null included.
     *
     * @throws org.jvrpc.api.RpcException INVALID_ARGUMENT when a class in it is not registered
     */
    void write(WireWriter out, Object graph);

    /**
     * Reads a graph, or null.
     *
     * @throws org.jvrpc.api.RpcException INTERNAL when the bytes are not one
     */
    Object read(WireReader in);

    /**
     * Returns how many components travel of a record or exception that has some with
     * {@link org.jvrpc.api.Since @Since}.
     *
     * @param layout its place among those of the service, sorted by name
     */
    default int fields(int layout) {
        return Integer.MAX_VALUE;
    }
}
