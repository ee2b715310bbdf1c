package org.jvrpc.ibverbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
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
}
