package org.jvrpc.roce.rc;

import org.jvrpc.verbs.QueuePairAttributes;

/**
 * What a connection was agreed to be. Sources: ibv_modify_qp(3); what is not standard says so.
 *
 * @param mtu payload of a packet at most, in bytes: 256, 512, 1024, 2048 or 4096
 * @param retryCount how often the same packet is sent again because nothing, or a NAK, came back, before
 *     {@link org.jvrpc.verbs.WcStatus#RETRY_EXC_ERR}: 0 to 7
 * @param rnrRetry how often because there was no receive, 0 to 6, or {@link QueuePairAttributes#RNR_RETRY_FOREVER}
 * @param ackTimeoutNs how long to wait for an acknowledgement at first; 0 for ever
 * @param doublings how often that wait doubles while nothing comes, 0 to 16; not standard
 * @param minRnrTimerNs how long a peer waits that finds no receive here
 * @param maxRdAtomic READs and atomics under way to the peer, at least 1
 * @param maxDestRdAtomic READs and atomics under way from the peer, and answers kept for duplicates, at least 1
 * @param window PSNs that may be sent and not acknowledged, 1 to 2^22; not standard
 * @param ackEvery packets after which an acknowledgement is asked for within a message, at least 1; not standard
 * @param goBackZero a lost packet has all of its message sent again, as early cards did, and the responder expect that;
 *     for experiments
 * @param unaskedAcks both sides acknowledge messages soon that they are asked for no acknowledgement of, and ask for
 *     none of an unsignalled one; for peers that are known to; not standard
 */
public record RcAttributes(
        int mtu,
        int retryCount,
        int rnrRetry,
        long ackTimeoutNs,
        int doublings,
        long minRnrTimerNs,
        int maxRdAtomic,
        int maxDestRdAtomic,
        int window,
        int ackEvery,
        boolean goBackZero,
        boolean unaskedAcks) {

    /** PSNs of a message at most, so that what is ahead is told from what is behind. */
    static final int MOST_PACKETS = 1 << 22;

    /** The longest message. Source: IBA volume 1, 9.7.8. */
    static final long MOST_BYTES = 1L << 31;

    private static final int LEAST_MTU = 256;
    private static final int MOST_MTU = 4096;
    private static final int MOST_RETRIES = 7;
    private static final int MOST_DOUBLINGS = 16;

    /** Checks the ranges. */
    public RcAttributes {
        check("mtu", mtu, Integer.bitCount(mtu) == 1 && mtu >= LEAST_MTU && mtu <= MOST_MTU);
        check("retryCount", retryCount, retryCount >= 0 && retryCount <= MOST_RETRIES);
        check("rnrRetry", rnrRetry, rnrRetry >= 0 && rnrRetry <= MOST_RETRIES);
        check("ackTimeoutNs", ackTimeoutNs, ackTimeoutNs >= 0);
        check("doublings", doublings, doublings >= 0 && doublings <= MOST_DOUBLINGS);
        check("minRnrTimerNs", minRnrTimerNs, minRnrTimerNs >= 0);
        check("maxRdAtomic", maxRdAtomic, maxRdAtomic >= 1);
        check("maxDestRdAtomic", maxDestRdAtomic, maxDestRdAtomic >= 1);
        check("window", window, window >= 1 && window <= MOST_PACKETS);
        check("ackEvery", ackEvery, ackEvery >= 1);
    }

    private static void check(String name, long value, boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException(name + " is out of range, " + name + "=" + value);
        }
    }

    /** Returns what two of this package agree on: 7 retries of 67 ms, 3 RNR retries, 16 READs, a window of 128. */
    public static RcAttributes defaults() {
        return new RcAttributes(1024, MOST_RETRIES, 3, 67_108_864, 0, 10_000, 16, 16, 128, 64, false, false);
    }

    public RcAttributes withMtu(int newMtu) {
        return new RcAttributes(newMtu, retryCount, rnrRetry, ackTimeoutNs, doublings, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, goBackZero, unaskedAcks);
    }

    /** Returns the same with other numbers of retries and another time until the first. */
    public RcAttributes withRetries(int newRetryCount, int newRnrRetry, long newAckTimeoutNs) {
        return new RcAttributes(mtu, newRetryCount, newRnrRetry, newAckTimeoutNs, doublings, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, goBackZero, unaskedAcks);
    }

    /** Returns the same with a peer that is silent asked for so long, at least, as far as doublings go. */
    public RcAttributes withPatience(long leastNs) {
        int more = 0;
        while (more < MOST_DOUBLINGS && longestSilenceNs(more) < leastNs) {
            more++;
        }
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, more, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, goBackZero, unaskedAcks);
    }

    /** Returns how long a peer is silent, in nanoseconds, until it is given up, where no NAK comes either. */
    public long longestSilenceNs() {
        return longestSilenceNs(doublings);
    }

    private long longestSilenceNs(int most) {
        long sum = 0;
        for (int i = 0; i <= retryCount; i++) {
            sum += ackTimeoutNs << Math.min(i, most);
        }
        return sum;
    }

    /** Returns how long to wait for an acknowledgement of what was sent again so often. */
    long ackTimeoutNs(int retries) {
        return ackTimeoutNs << Math.min(retries, doublings);
    }

    public RcAttributes withMinRnrTimer(long newMinRnrTimerNs) {
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, doublings, newMinRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, goBackZero, unaskedAcks);
    }

    /** Returns the same with other numbers of READs and atomics under way, to the peer and from it. */
    public RcAttributes withReads(int newMaxRdAtomic, int newMaxDestRdAtomic) {
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, doublings, minRnrTimerNs, newMaxRdAtomic,
                newMaxDestRdAtomic, window, ackEvery, goBackZero, unaskedAcks);
    }

    public RcAttributes withWindow(int newWindow, int newAckEvery) {
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, doublings, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, newWindow, newAckEvery, goBackZero, unaskedAcks);
    }

    public RcAttributes withUnaskedAcks(boolean on) {
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, doublings, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, goBackZero, on);
    }

    public RcAttributes withGoBackZero(boolean on) {
        return new RcAttributes(mtu, retryCount, rnrRetry, ackTimeoutNs, doublings, minRnrTimerNs, maxRdAtomic,
                maxDestRdAtomic, window, ackEvery, on, unaskedAcks);
    }

    /** Returns how many packets a message of so many bytes takes, which is one for an empty one. */
    long packets(long length) {
        return Math.max(1, (length + mtu - 1) / mtu);
    }
}
