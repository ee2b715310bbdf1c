package org.jvrpc.fabric.network;

import org.jvrpc.fabric.event.Chance;

/** The choice among paths that are equally short, by a hash of addresses, protocol and ports: a QP has one path. */
final class Ecmp {

    private static final int UDP = 17;
    private static final int ROCE_PORT = 4791;

    private Ecmp() {
    }

    static int choose(Frame frame, long seed, int paths) {
        long addresses = (long) frame.source << 32 | frame.destination;
        long rest = (long) frame.sourcePort << 32 | ROCE_PORT << 8 | UDP;
        long hash = Chance.mix(Chance.mix(addresses ^ seed) + rest);
        return (int) ((hash >>> 32) * paths >>> 32);
    }
}
