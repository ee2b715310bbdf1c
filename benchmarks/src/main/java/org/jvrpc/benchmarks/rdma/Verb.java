package org.jvrpc.benchmarks.rdma;

/** What is measured of verbs. */
public enum Verb {
    /** Ping-pong of SENDs of 16 bytes; both ends poll for completions. */
    SEND("ib_send_lat", 2, Verb.SIZE),
    /** The same, but one send in {@link #SIGNALLED} is signalled, as those of calls are. */
    PING("ib_send_lat", 2, Verb.SIZE),
    /** Ping-pong of WRITEs of 16 bytes; each end polls the last byte of its memory. */
    WRITE("ib_write_lat", 2, Verb.SIZE),
    /** READs of 16 bytes. */
    READ("ib_read_lat", 1, Verb.SIZE),
    /** Compare-and-swaps of 8 bytes. */
    CAS("ib_atomic_lat", 1, 0),
    /** WRITEs of 1 MiB, two under way. */
    TRANSFER("ib_write_bw", 1, Verb.TRANSFER_BYTES);

    /** Of so many sends of a {@link #PING} one is signalled. */
    static final int SIGNALLED = 16;
    /** Bytes of each message. */
    static final int SIZE = 16;
    /** Bytes of a {@link #TRANSFER}. */
    public static final int TRANSFER_BYTES = 1 << 20;

    private final String tool;
    private final int parts;
    private final int size;

    Verb(String tool, int parts, int size) {
        this.tool = tool;
        this.parts = parts;
        this.size = size;
    }

    /** Returns the program of perftest that measures the same. */
    public String tool() {
        return tool;
    }

    /** Returns how many of the times that perftest prints make a round trip: its ping-pongs print half of one. */
    public int parts() {
        return parts;
    }

    /** Returns how many bytes of memory it needs more than others. */
    int more() {
        return this == TRANSFER ? 2 * TRANSFER_BYTES : 0;
    }

    /** Returns the size to tell perftest, or 0 where it has no choice. */
    int size() {
        return size;
    }
}
