package org.jvrpc.roce.congestion;

/**
 * Random early detection as switches use it to mark packets: none up to a queue of Kmin, all above Kmax, and between
 * them with a probability that grows linearly from 0 to Pmax. At Kmax itself it is Pmax. Queues are instantaneous
 * lengths, not averages. Immutable.
 *
 * <p>Source: HPCC, switch-mmu.cc (ShouldSendCN); a kilobyte is 1000 bytes there.
 */
public final class EcnMarking {

    /** Of the SIGCOMM'15 fluid model: 5 KB, 200 KB, 1 %. */
    public static final EcnMarking SIGCOMM15 = new EcnMarking("SIGCOMM'15", 5_000, 200_000, 0.01);
    /** Of ns3-rdma's config.txt: 40 KB, 1000 KB, 1. */
    public static final EcnMarking NS3_RDMA = new EcnMarking("ns3-rdma", 40_000, 1_000_000, 1);

    private static final long HPCC_LINE = 25_000 * Rates.MEGABIT;
    private static final long HPCC_KMIN = 100_000;
    private static final long HPCC_KMAX = 400_000;
    private static final double HPCC_PMAX = 0.2;
    private static final double RANDOMS = 0x1p32;
    private static final long RANDOM_MASK = 0xffffffffL;

    private final String name;
    private final long kminBytes;
    private final long kmaxBytes;
    private final double pmax;
    private final double slope;

    /**
     * Prepares a rule.
     *
     * @param name stands beside every figure
     * @param kminBytes from 0 on
     * @param kmaxBytes at least {@code kminBytes}; when equal, every longer queue marks
     * @param pmax 0 to 1
     */
    public EcnMarking(String name, long kminBytes, long kmaxBytes, double pmax) {
        if (kminBytes < 0 || kmaxBytes < kminBytes || !(pmax >= 0 && pmax <= 1)) {
            throw new IllegalArgumentException(
                    "name=" + name + " kminBytes=" + kminBytes + " kmaxBytes=" + kmaxBytes + " pmax=" + pmax);
        }
        this.name = name;
        this.kminBytes = kminBytes;
        this.kmaxBytes = kmaxBytes;
        this.pmax = pmax;
        slope = kmaxBytes == kminBytes ? 0 : pmax * RANDOMS / (kmaxBytes - kminBytes);
    }

    /** Returns HPCC's rule for links of a rate: 100 KB, 400 KB (both for each 25 Gb/s) and 20 %. Source: its run.py. */
    public static EcnMarking hpcc(long bitsPerSecond) {
        Rates.check("bitsPerSecond", bitsPerSecond);
        return new EcnMarking("HPCC", scaled(HPCC_KMIN, bitsPerSecond), scaled(HPCC_KMAX, bitsPerSecond), HPCC_PMAX);
    }

    private static long scaled(long bytes, long bitsPerSecond) {
        return bytes * (bitsPerSecond / Rates.MEGABIT) / (HPCC_LINE / Rates.MEGABIT);
    }

    /**
     * Returns whether a packet that leaves a queue is to be marked. The caller asks for capable packets alone
     * ({@link Ecn#isCapable}).
     *
     * @param queueBytes length of the queue
     * @param random 32 uniform random bits
     */
    public boolean marks(long queueBytes, int random) {
        if (queueBytes <= kminBytes) {
            return false;
        }
        return queueBytes > kmaxBytes || (random & RANDOM_MASK) < (queueBytes - kminBytes) * slope;
    }

    /** Returns Kmin: no queue up to this length marks. */
    public long kminBytes() {
        return kminBytes;
    }

    /** Returns Kmax: each longer queue marks. */
    public long kmaxBytes() {
        return kmaxBytes;
    }

    /** Returns Pmax, the probability at Kmax. */
    public double pmax() {
        return pmax;
    }

    /** Returns the name and the three values, as they stand beside a figure. */
    @Override
    public String toString() {
        return name + " kminBytes=" + kminBytes + " kmaxBytes=" + kmaxBytes + " pmax=" + pmax;
    }
}
