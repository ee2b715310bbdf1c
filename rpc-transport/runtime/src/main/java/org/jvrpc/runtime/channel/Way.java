package org.jvrpc.runtime.channel;

import java.util.Comparator;
import java.util.List;

/**
 * One address that a client may use for a server.
 *
 * @param address with the options that the client's user gave
 * @param distance 0 is nearest
 * @param local true when it does not leave this host
 */
record Way(String address, int distance, boolean local) {

    /** From the nearest to the farthest; of two equals, the encrypted one first. */
    static final Comparator<Way> NEAREST_FIRST = Comparator.comparingInt(Way::distance)
            .thenComparing(way -> !schemeOf(way.address).equals("tls"));

    /** Each as near as others of its list. */
    private static final List<List<String>> DISTANCES = List.of(
            List.of("inproc", "shm"), List.of("unix"), List.of("router"), List.of("rdma"), List.of("roce"),
            List.of("tls", "tcp"));
    private static final int LOCAL = 1;

    static Way of(String address) {
        String scheme = schemeOf(address);
        int distance = 0;
        while (distance < DISTANCES.size() && !DISTANCES.get(distance).contains(scheme)) {
            distance++;
        }
        return new Way(address, distance, distance <= LOCAL);
    }

    /**
     * Returns true when this host answers whoever asks for a connection, wherever its other end is: to ask again soon
     * burdens neither the network nor a server that has just begun.
     */
    boolean isAnsweredHere() {
        return local || schemeOf(address).equals("router");
    }

    /** Options name files, and are nobody's business who reads a message. */
    static String withoutOptions(String address) {
        int mark = address.indexOf('?');
        return mark < 0 ? address : address.substring(0, mark);
    }

    static String schemeOf(String address) {
        return address.substring(0, address.indexOf("://"));
    }
}
