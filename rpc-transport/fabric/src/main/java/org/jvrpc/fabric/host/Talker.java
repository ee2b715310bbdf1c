package org.jvrpc.fabric.host;

import org.jvrpc.fabric.network.Frame;

/** What a NIC gives turns to. */
abstract class Talker {

    /** Its place in the list of those that may have something to send. */
    boolean listed;
    Talker nextListed;

    /** Returns its next packet, null when it has none to send now; then it is listed again when that changes. */
    abstract Frame turn(long nowNs);

    /** Returns the priority of what it sends. */
    abstract int lane();

    /** Returns true when what it sends does not leave the NIC. */
    boolean isLooped() {
        return false;
    }
}
