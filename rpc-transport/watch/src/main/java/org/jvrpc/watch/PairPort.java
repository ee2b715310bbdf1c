package org.jvrpc.watch;

import org.jvrpc.verbs.WcStatus;

/** One SEND over the wire and one by loopback, posted together. One thread. */
public interface PairPort extends AutoCloseable {

    /** Told by {@link #poll}. */
    interface Completions {

        void wire(int slot, WcStatus status, long atNs);

        void loopback(int slot, WcStatus status, long atNs);
    }

    /** Returns how many pairs may be under way. */
    int slots();

    boolean hasLoopback();

    /** Returns why there is no loopback, or null. */
    String noLoopback();

    /**
     * Returns for how long the bits of a SEND's last packet and of its acknowledgement occupy the NIC by loopback, in
     * nanoseconds. They do so over the wire, too, which the subtraction takes out. NaN where nobody knows how fast a
     * NIC's loopback is, as of all devices.
     *
     * @param bytes of the SEND, at least 1
     */
    default double loopbackBitsNs(int bytes) {
        return Double.NaN;
    }

    StampSource stamps();

    /** Returns the time in which completions are told, in nanoseconds. */
    long nowNs();

    /**
     * Posts both.
     *
     * @param bytes of each, at least 1
     * @param loopbackFirst which of the two is posted first
     * @return false when a queue is full, and nothing was posted
     */
    boolean post(int slot, int bytes, boolean loopbackFirst);

    /** Returns how many completions were told; never blocks. */
    int poll(Completions to);

    @Override
    void close();
}
