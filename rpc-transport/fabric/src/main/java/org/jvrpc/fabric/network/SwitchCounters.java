package org.jvrpc.fabric.network;

/** What a switch counted, in frames. */
public final class SwitchCounters {

    long received;
    long misdirected;
    long headroomDrops;
    long lossyDrops;
    long unknownHosts;
    long incompleteDrops;
    long flooded;
    long watchdogDrops;
    long watchdogTrips;
    long marked;

    public long received() {
        return received;
    }

    /** Returns how many were for another device: somebody flooded them. */
    public long misdirected() {
        return misdirected;
    }

    /** Returns how many lossless ones found no headroom, which is a fault of the settings. */
    public long headroomDrops() {
        return headroomDrops;
    }

    public long lossyDrops() {
        return lossyDrops;
    }

    /** Returns how many were for hosts that nobody answers for. */
    public long unknownHosts() {
        return unknownHosts;
    }

    public long incompleteDrops() {
        return incompleteDrops;
    }

    /** Returns how many were sent to all ports. */
    public long flooded() {
        return flooded;
    }

    public long watchdogDrops() {
        return watchdogDrops;
    }

    public long watchdogTrips() {
        return watchdogTrips;
    }

    public long marked() {
        return marked;
    }
}
