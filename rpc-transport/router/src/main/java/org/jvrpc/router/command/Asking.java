package org.jvrpc.router.command;

/** Somebody who wants to connect, until it is answered. The sessions' thread. */
final class Asking {

    private static final long NEVER = Long.MIN_VALUE;

    private final int offer;
    private final Caller from;
    private final String address;
    private final int port;
    private final byte[] privateData;
    private final long startNs;
    private boolean unknown;
    private boolean moves;
    private Listeners.Listening listener;
    private boolean abroad;
    private long reachesNs = NEVER;
    private long staleNs = NEVER;
    private long againNs = NEVER;

    /** @param offer its number, by which a listener answers */
    Asking(int offer, Caller from, String address, int port, byte[] privateData, long startNs) {
        this.offer = offer;
        this.from = from;
        this.address = address;
        this.port = port;
        this.privateData = privateData;
        this.startNs = startNs;
    }

    int offer() {
        return offer;
    }

    Caller from() {
        return from;
    }

    String address() {
        return address;
    }

    int port() {
        return port;
    }

    byte[] privateData() {
        return privateData;
    }

    long waitedNs(long nowNs) {
        return nowNs - startNs;
    }

    /** The address is nobody's yet. */
    void sawUnknown() {
        unknown = true;
        reachesNs = NEVER;
    }

    /** The address is on its way from one host to another. */
    void sawMoving() {
        moves = true;
        reachesNs = NEVER;
    }

    /** Returns how long it has been known where the address lives. */
    long reachingNs(long nowNs) {
        if (reachesNs == NEVER) {
            reachesNs = nowNs;
        }
        return nowNs - reachesNs;
    }

    /** Another router does not agree where the address lives; returns for how long. @param inNs when to ask again */
    long isStaleFor(long nowNs, long inNs) {
        if (staleNs == NEVER) {
            staleNs = nowNs;
        }
        againNs = nowNs + inNs;
        return nowNs - staleNs;
    }

    /** Returns true when another router may be asked (again). */
    boolean mayAsk(long nowNs) {
        return againNs == NEVER || nowNs - againNs >= 0;
    }

    /** Returns true while this waits for a listener as it did for the address, behind which listeners come. */
    boolean waitsForListener(long nowNs) {
        return wasOnItsWay(nowNs)
                || unknown && reachingNs(nowNs) < Meetings.UNKNOWN_NS;
    }

    /** Returns true while it may still wait as one whose address was on its way. */
    boolean wasOnItsWay(long nowNs) {
        return moves && waitedNs(nowNs) < Meetings.LONGEST_NS;
    }

    /** Returns to whom it is offered on this host, or null. */
    Listeners.Listening listener() {
        return listener;
    }

    void offerTo(Listeners.Listening met) {
        listener = met;
    }

    /** Returns true while another host's router is asked. */
    boolean isAbroad() {
        return abroad;
    }

    void abroad(boolean now) {
        abroad = now;
    }

    boolean isParked() {
        return listener == null && !abroad;
    }
}
