package org.jvrpc.testkit.simulated;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Object graphs are the runtime's. */
final class NoGraphs implements ObjectCodec {

    static final NoGraphs INSTANCE = new NoGraphs();

    private NoGraphs() {
    }

    @Override
    public void write(WireWriter out, Object graph) {
        throw refusal();
    }

    @Override
    public Object read(WireReader in) {
        throw refusal();
    }

    private static RpcException refusal() {
        return new RpcException(Status.UNIMPLEMENTED, "object graphs do not travel in a simulated network");
    }
}
