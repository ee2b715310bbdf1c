package org.jvrpc.fabric.host;

/** What a NIC counted, in packets. */
public final class NicCounters {

    long received;
    long foreign;
    long overflows;
    long damaged;
    long unknownQps;
    long watchdogTrips;
    long cnpsSent;
    long cnpsReceived;

    public long received() {
        return received;
    }

    /** Returns how many were for another device. */
    public long foreign() {
        return foreign;
    }

    /** Returns how many found no room, which pauses are to prevent. */
    public long overflows() {
        return overflows;
    }

    /** Returns how many had a wrong ICRC. */
    public long damaged() {
        return damaged;
    }

    public long unknownQps() {
        return unknownQps;
    }

    public long watchdogTrips() {
        return watchdogTrips;
    }

    public long cnpsSent() {
        return cnpsSent;
    }

    /** Returns how many came for QPs that were ready, those without congestion control among them. */
    public long cnpsReceived() {
        return cnpsReceived;
    }
}
