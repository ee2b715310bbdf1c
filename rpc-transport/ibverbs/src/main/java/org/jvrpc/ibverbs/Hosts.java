package org.jvrpc.ibverbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.verbs.VerbsException;

/** Hosts of addresses. */
final class Hosts {

    private Hosts() {
    }

    /** Looks a name up. @throws VerbsException when nobody knows it */
    static InetAddress resolve(String operation, String address, String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new VerbsException(operation, "address=" + address + ": no host " + host + " is known", e);
        }
    }

    /** Returns the address that a GID of IPv4 is. */
    static InetAddress ofIpv4(Gid gid) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(gid.bytes(), 12, Gid.BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an IPv4 address", e);
        }
    }
}
