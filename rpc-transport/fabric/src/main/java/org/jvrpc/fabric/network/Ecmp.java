package org.jvrpc.fabric.network;

import org.jvrpc.fabric.event.Chance;

/** The choice among paths that are equally short, by a hash of addresses, protocol and ports: a QP has one path. */
final class Ecmp {

    private static final int UDP = 17;
    private static final int ROCE_PORT = 4791;

    private Ecmp() {
    }

    static int choose(Frame frame, long seed, int paths) {
        return choose(frame.source, frame.destination, frame.sourcePort, seed, paths);
    }

    /** Returns which of so many paths packets of a flow take, from 0 on; the other port is RoCE's. */
    static int choose(int source, int destination, int sourcePort, long seed, int paths) {
        long addresses = (long) source << 32 | destination;
        long rest = (long) sourcePort << 32 | ROCE_PORT << 8 | UDP;
        long hash = Chance.mix(Chance.mix(addresses ^ seed) + rest);
        return (int) ((hash >>> 32) * paths >>> 32);
    }
}
