package org.jvrpc.api.wire;

/** Marshals object graphs, of classes that the service registered. The runtime's is Kryo. One thread at a time. */
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
}
