package org.jvrpc.runtime.offload;

/**
 * How long a call waits for its program: as long as was set, or twice as long as ordinary calls in its place take, so
 * that a program that does not answer costs little beside the call that is made then. On one host that is the least;
 * where a call goes to another host, no answer would ever come within that. Whoever has the claim.
 */
final class ProgramWait {

    static final long LEAST_NS = 20_000;
    static final long MOST_NS = 10_000_000;
    /** One of so many parts of what is known is the last call's. */
    private static final int WEIGHT = 4;

    private final long setNs;
    private long ordinaryNs;

    /** @param setNs 0: it is found out */
    ProgramWait(long setNs) {
        this.setNs = setNs;
    }

    long ns() {
        return setNs != 0 ? setNs : Math.max(LEAST_NS, Math.min(2 * ordinaryNs, MOST_NS));
    }

    /** A READ of the server's memory took so long: a way there and back, as a call has at least. */
    void read(long tookNs) {
        ordinaryNs = 2 * Math.min(tookNs, MOST_NS);
    }

    /** An ordinary call took so long. */
    void ordinary(long tookNs) {
        ordinaryNs += (Math.min(tookNs, MOST_NS) - ordinaryNs) / WEIGHT;
    }
}
