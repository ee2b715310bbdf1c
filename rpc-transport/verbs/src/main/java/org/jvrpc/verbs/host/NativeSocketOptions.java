package org.jvrpc.verbs.host;

import java.net.InetSocketAddress;

/**
 * Options of UDP sockets for which the JDK has no name, set by native calls. {@link java.util.ServiceLoader} finds it
 * where {@code jvrpc-ibverbs} is on the class path. Any thread.
 */
public interface NativeSocketOptions {

    /**
     * Sets an option, an {@code int}, of the UDP socket of this process that is bound to an address.
     *
     * @param bound local address and port, not the wildcard; the caller keeps the socket open meanwhile
     * @throws org.jvrpc.verbs.VerbsException when there is no such socket, or native calls or the option are refused
     */
    void set(InetSocketAddress bound, int level, int option, int value);
}
