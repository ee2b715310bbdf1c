package org.jvrpc.hdfs;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** What this host knows of addresses. Any thread. */
final class Hosts {

    private Hosts() {
    }

    /** Returns true when the address is one of this host. */
    static boolean isOfThisHost(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isLoopbackAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns the address that a connection to it reaches: the wildcard address leads to this host. */
    static InetAddress reached(InetAddress address) {
        return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    }

    /** Returns true when a server that is bound to an address is reached by connecting to another. */
    static boolean reaches(InetAddress target, InetAddress bound) {
        return bound.isAnyLocalAddress() ? isOfThisHost(target) : bound.equals(reached(target));
    }
}
