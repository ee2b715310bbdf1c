package org.jvrpc.runtime.service;

import java.net.InetAddress;
import org.jvrpc.api.auth.RpcPrincipal;

/** Who made a call, as its handler may ask. Any thread. */
public interface Caller {

    /** Returns false once nobody waits for answers. */
    boolean isConnected();

    /** Returns the number of the session at its server. */
    long id();

    /** Returns the address of the caller's host; null for a process of this host, by shared memory. */
    InetAddress peerHost();

    /** Returns true when the caller takes what travels beside answers. */
    default boolean takesTrailers() {
        return false;
    }

    /** Returns who the transport says is at the other end. */
    default RpcPrincipal principal() {
        return RpcPrincipal.anonymous(peerHost());
    }
}
