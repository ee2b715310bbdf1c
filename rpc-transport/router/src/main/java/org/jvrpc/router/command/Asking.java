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
    private long awayNs = NEVER;
    private Listeners.Listening listener;
    private boolean abroad;

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

    /** The address was seen to be elsewhere, or on its way. */
    void away(long nowNs) {
        awayNs = nowNs;
    }

    /** Returns true when the address was elsewhere a short while ago: its listeners may come behind it. */
    boolean wasAway(long nowNs, long withinNs) {
        return awayNs != NEVER && nowNs - awayNs < withinNs;
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
