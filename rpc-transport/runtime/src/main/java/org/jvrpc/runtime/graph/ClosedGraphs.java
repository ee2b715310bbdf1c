package org.jvrpc.runtime.graph;

import java.util.Set;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * Writes and reads no object graph, and says why: over networks they are off, as whoever sends one has objects of
 * classes made before anybody looks at them. Any thread.
 */
public final class ClosedGraphs implements ObjectCodec {

    /** Addresses of peers on this host. */
    private static final Set<String> LOCAL = Set.of("shm", "unix", "inproc");

    private final String address;

    /** @param address of the client or server */
    public ClosedGraphs(String address) {
        this.address = address.replaceFirst("[?].*", "");
    }

    /** Returns true for an address at which graphs are off unless somebody says otherwise. */
    public static boolean areOffAt(String address) {
        int colon = address.indexOf("://");
        return !LOCAL.contains(address.substring(0, Math.max(0, colon)));
    }

    private RpcException refused(String what) {
        return new RpcException(Status.FAILED_PRECONDITION, what + " an object graph (Kryo), which is off over networks"
                + " unless objectGraphs(true) was said by the builder here: address=" + address);
    }

    @Override
    public void write(WireWriter out, Object graph) {
        throw refused("the method wants to write");
    }

    @Override
    public Object read(WireReader in) {
        throw refused("the method wants to read");
    }
}
