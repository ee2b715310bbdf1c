package org.jvrpc.runtime.session;

/** What sessions carry, and what a session of each kind may ask for in its {@link Hello}. */
public enum Protocol {

    /** Calls and answers: units are slots, of one call in flight each. */
    CALLS("jvRPC calls", 0x5052766a, new Versions(RpcHeader.VERSION, RpcHeader.VERSION), 1, RpcHeader.MAX_SLOTS),
    /** Frames both ways: units are pieces of frames, as many as may be under way each way. */
    MESSAGES("jvRPC message sessions", 0x534d766a, new Versions(MessageHeader.VERSION, MessageHeader.VERSION), 4, 1024),
    /** Streams of calls, both ways: units are pieces, as many as may be under way each way. */
    STREAMS("jvRPC streams", 0x5453766a, new Versions(1, 1), 4, 1024);

    /** Send slots beyond those of calls or pieces, for control messages, which have no bodies. */
    public static final int CONTROLS = 8;
    public static final int MIN_UNIT_BYTES = 256;
    public static final int MAX_UNIT_BYTES = 1 << 20;
    private static final int LEAST_CREDITS = 3;
    /** So that a session of many slots has two receives for each, with those that lie between two batches. */
    private static final int SPARED_CREDITS = 9;
    /** What a client sends without a credit, but not twice before it is answered: it asks for more slots. */
    private static final int ONCE_BY_CLIENT = 1;
    /** What a server sends once: it shuts down, it grants more slots. */
    private static final int ONCE_BY_SERVER = 2;
    /** A grant is lessened in units down to so many, then in their length, then in units again. */
    private static final int GOOD_UNITS = 4;
    private static final int GOOD_UNIT_BYTES = 1024;

    private final String text;
    private final int magic;
    private final Versions versions;
    private final int minUnits;
    private final int maxUnits;

    Protocol(String text, int magic, Versions versions, int minUnits, int maxUnits) {
        this.text = text;
        this.magic = magic;
        this.versions = versions;
        this.minUnits = minUnits;
        this.maxUnits = maxUnits;
    }

    /** Returns the protocol that a hello's first four bytes name, or null. */
    static Protocol ofMagic(int magic) {
        return magic == CALLS.magic ? CALLS : magic == MESSAGES.magic ? MESSAGES
                : magic == STREAMS.magic ? STREAMS : null;
    }

    /** Returns true when a server of this may have sessions of another one. */
    boolean serves(Protocol asked) {
        return asked == this || this == CALLS && asked == STREAMS;
    }

    int magic() {
        return magic;
    }

    /** Returns the versions that this side speaks. */
    Versions versions() {
        return versions;
    }

    public int minUnits() {
        return minUnits;
    }

    public int maxUnits() {
        return maxUnits;
    }

    boolean fits(int units, int unitBytes) {
        return units >= minUnits && units <= maxUnits && unitBytes >= MIN_UNIT_BYTES && unitBytes <= MAX_UNIT_BYTES;
    }

    /** Returns true when a session may have fewer units at first than at most. */
    boolean grows() {
        return this == CALLS;
    }

    /** Returns how many one-way calls and control messages of a client may be under way. */
    public int oneWayCredits(int units) {
        return this == CALLS ? Math.max(LEAST_CREDITS, units - SPARED_CREDITS) : 0;
    }

    /** Returns how many credits a server gives back at a time, where no answer takes them along. */
    public static int creditBatch(int credits) {
        return credits < LEAST_CREDITS ? 1 : Math.max(2, credits / 4);
    }

    /** Returns how many messages a client may send before it hears of any being taken. */
    public int requests(int units) {
        return units + (this == CALLS ? oneWayCredits(units) + ONCE_BY_CLIENT : CONTROLS);
    }

    /** Returns how many messages a server may send before it hears of any being taken. */
    public int answers(int units) {
        int credits = oneWayCredits(units);
        return units + (this == CALLS ? credits / creditBatch(credits) + ONCE_BY_SERVER : CONTROLS);
    }

    /** What a server's side of a session takes, which is the business of what carries it. */
    @FunctionalInterface
    public interface Cost {

        /** Returns the bytes that so many units take. @param most how many there may be later */
        long bytes(Protocol protocol, int units, int most, int unitBytes);
    }

    /**
     * Lessens what is asked for until it takes no more than so many bytes.
     *
     * @return what is granted, or null when not even the least fits
     */
    Hello lessen(Hello asked, long bytes, Cost cost) {
        int units = asked.units();
        int unitBytes = asked.unitBytes();
        while (cost.bytes(this, units, units, unitBytes) > bytes) {
            if (units > Math.max(minUnits, GOOD_UNITS)) {
                units = Math.max(units / 2, Math.max(minUnits, GOOD_UNITS));
            } else if (unitBytes > GOOD_UNIT_BYTES) {
                unitBytes = Math.max(unitBytes / 2, GOOD_UNIT_BYTES);
            } else if (units > minUnits) {
                units--;
            } else if (unitBytes > MIN_UNIT_BYTES) {
                unitBytes = Math.max(unitBytes / 2, MIN_UNIT_BYTES);
            } else {
                return null;
            }
        }
        return asked.withUnits(units, unitBytes);
    }

    @Override
    public String toString() {
        return text;
    }
}
