package org.jvrpc.fabric.network;

import java.util.Arrays;

/**
 * Of a switch: its subnet's hosts by IP address (ARP table: which of them has answered of late) and by Ethernet address
 * (MAC table: behind which port one was heard of late). Both forget, the second much sooner: an ARP entry without a MAC
 * entry is <em>incomplete</em>.
 */
final class AddressTables {

    /** Where nobody is known to be. */
    static final int NOBODY = -1;
    /** Which port nobody knows. */
    static final int UNKNOWN = -2;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final long macTimeoutNs;
    private final long arpTimeoutNs;
    private long[] heardNs = {};
    private int[] ports = {};
    private long[] answeredNs = {};

    AddressTables(long macTimeoutNs, long arpTimeoutNs) {
        this.macTimeoutNs = macTimeoutNs;
        this.arpTimeoutNs = arpTimeoutNs;
    }

    /** A frame came from a host. */
    void heard(int host, int port, long nowNs) {
        if (host >= ports.length) {
            grow(host + 1);
        }
        heardNs[host] = nowNs;
        ports[host] = port;
    }

    private void grow(int size) {
        int before = ports.length;
        heardNs = Arrays.copyOf(heardNs, size);
        answeredNs = Arrays.copyOf(answeredNs, size);
        ports = Arrays.copyOf(ports, size);
        Arrays.fill(heardNs, before, size, NEVER);
        Arrays.fill(answeredNs, before, size, NEVER);
    }

    /** A host said which addresses it has. */
    void answered(int host, int port, long nowNs) {
        heard(host, port, nowNs);
        answeredNs[host] = nowNs;
    }

    /** Returns the port of a host, {@link #UNKNOWN} when its entry is incomplete, {@link #NOBODY} without one. */
    int port(int host, long nowNs) {
        if (host >= ports.length || nowNs - answeredNs[host] >= arpTimeoutNs) {
            return NOBODY;
        }
        return nowNs - heardNs[host] >= macTimeoutNs ? UNKNOWN : ports[host];
    }
}
