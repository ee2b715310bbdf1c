package org.jvrpc.roce.congestion;

import java.util.Objects;

/**
 * One set of DCQCN's parameters, with the name that stands beside every figure got by it. The named sets do not mix:
 * each belongs to its rules. An experiment changes a copy, which must have a name of its own. Immutable.
 */
public final class DcqcnParameters {

    /** How CNPs act. */
    public enum Rules {
        /**
         * Of ns3-rdma: each CNP raises alpha and lowers the rate at once, and begins all timers again; alpha falls
         * after each interval without a CNP.
         */
        EACH_CNP,
        /**
         * Of HPCC's "Mellanox" and of NVIDIA's cards: alpha rises or falls once an interval, and the rate falls at most
         * once an interval, both counted from the first CNP; only a decrease begins the timers again.
         */
        PERIODIC
    }

    /** When a decrease makes the rate from before it the target of recovery. */
    public enum Clamp {
        /** Each time. */
        ALWAYS,
        /** When a timer or byte counter raised the rate since the last decrease; else the target stays. */
        AFTER_INCREASE
    }

    /**
     * Of the fluid model in SIGCOMM 2015. It has no hyper increase. Its initial alpha is 1, as in HPCC's "dcqcn_paper";
     * the least rate of 1 Mb/s is this project's.
     */
    public static final DcqcnParameters SIGCOMM15 = new Builder("SIGCOMM'15", Rules.EACH_CNP, Clamp.ALWAYS)
            .cnpIntervalNs(50_000)
            .alphaIntervalNs(55_000)
            .increaseIntervalNs(55_000)
            .byteCounter(10_000_000)
            .fastRecoveryStages(5)
            .additiveIncreaseBitsPerSecond(40 * Rates.MEGABIT)
            .gain(1.0 / 256)
            .initialAlpha(1)
            .leastBitsPerSecond(Rates.MEGABIT)
            .build();

    /** Of ns3-rdma's mix/config.txt (CLAMP_TARGET_RATE 1); initial alpha and least rate are those of its code. */
    public static final DcqcnParameters NS3_RDMA = new Builder("ns3-rdma", Rules.EACH_CNP, Clamp.ALWAYS)
            .cnpIntervalNs(50_000)
            .alphaIntervalNs(55_000)
            .increaseIntervalNs(60_000)
            .byteCounter(300_000_000)
            .fastRecoveryStages(5)
            .additiveIncreaseBitsPerSecond(40 * Rates.MEGABIT)
            .hyperIncreaseBitsPerSecond(200 * Rates.MEGABIT)
            .gain(1.0 / 256)
            .initialAlpha(0.5)
            .leastBitsPerSecond(100 * Rates.MEGABIT)
            .build();

    /**
     * Of NVIDIA's firmware, by the names of mlxconfig: MIN_TIME_BETWEEN_CNPS 4, DCE_TCP_RTT 1,
     * RATE_REDUCE_MONITOR_PERIOD 4, RPG_TIME_RESET 300, RPG_BYTE_RESET 32767, RPG_THRESHOLD 1, RPG_AI_RATE 5,
     * RPG_HAI_RATE 50, DCE_TCP_G 1019 (the weight of the old alpha in 1024ths), INITIAL_ALPHA_VALUE 1023, RPG_MIN_RATE
     * 1, CLAMP_TGT_RATE 0, CLAMP_TGT_RATE_AFTER_TIME_INC 1.
     */
    public static final DcqcnParameters NVIDIA = new Builder("NVIDIA", Rules.PERIODIC, Clamp.AFTER_INCREASE)
            .cnpIntervalNs(4_000)
            .alphaIntervalNs(1_000)
            .decreaseIntervalNs(4_000)
            .increaseIntervalNs(300_000)
            .byteCounter(32_767)
            .fastRecoveryStages(1)
            .additiveIncreaseBitsPerSecond(5 * Rates.MEGABIT)
            .hyperIncreaseBitsPerSecond(50 * Rates.MEGABIT)
            .gain(5.0 / 1024)
            .initialAlpha(1023.0 / 1024)
            .leastBitsPerSecond(Rates.MEGABIT)
            .build();

    private static final long HPCC_AI_SHARE = 5_000;
    private static final long HPCC_HAI_SHARE = 500;
    private static final long INTERVAL_LEAST_NS = 100;
    private static final long INTERVAL_MOST_NS = 3_600_000_000_000L;
    private static final int STAGES_MOST = 1000;
    /** With it alpha reaches 0 after 88,000 intervals. */
    private static final double GAIN_LEAST = 1.0 / 4096;

    private final String name;
    private final Rules rules;
    private final Clamp clamp;
    private final long cnpIntervalNs;
    private final long alphaIntervalNs;
    private final long decreaseIntervalNs;
    private final long increaseIntervalNs;
    private final int byteCounter;
    private final int fastRecoveryStages;
    private final long additiveIncreaseBitsPerSecond;
    private final long hyperIncreaseBitsPerSecond;
    private final double gain;
    private final double initialAlpha;
    private final long leastBitsPerSecond;

    private DcqcnParameters(Builder values) {
        name = values.name;
        rules = values.rules;
        clamp = values.clamp;
        cnpIntervalNs = values.cnpIntervalNs;
        alphaIntervalNs = values.alphaIntervalNs;
        decreaseIntervalNs = values.decreaseIntervalNs;
        increaseIntervalNs = values.increaseIntervalNs;
        byteCounter = values.byteCounter;
        fastRecoveryStages = values.fastRecoveryStages;
        additiveIncreaseBitsPerSecond = values.additiveIncreaseBitsPerSecond;
        hyperIncreaseBitsPerSecond = values.hyperIncreaseBitsPerSecond;
        gain = values.gain;
        initialAlpha = values.initialAlpha;
        leastBitsPerSecond = values.leastBitsPerSecond;
    }

    /**
     * Returns HPCC's set "dcqcn" for links of a rate: increases are 5 and 50 Mb/s for each 25 Gb/s. It has no byte
     * counter, and no least time between CNPs: the acknowledgement of each marked packet bears one. Source: run.py,
     * rdma-hw.cc.
     *
     * @param lineBitsPerSecond 5 Gb/s to 10 Tb/s
     */
    public static DcqcnParameters hpcc(long lineBitsPerSecond) {
        Rates.check("lineBitsPerSecond", lineBitsPerSecond, HPCC_AI_SHARE * Rates.LEAST, Rates.MOST);
        return new Builder("HPCC dcqcn", Rules.PERIODIC, Clamp.AFTER_INCREASE)
                .alphaIntervalNs(1_000)
                .decreaseIntervalNs(4_000)
                .increaseIntervalNs(300_000)
                .fastRecoveryStages(1)
                .additiveIncreaseBitsPerSecond(lineBitsPerSecond / HPCC_AI_SHARE)
                .hyperIncreaseBitsPerSecond(lineBitsPerSecond / HPCC_HAI_SHARE)
                .gain(1.0 / 256)
                .initialAlpha(1)
                .leastBitsPerSecond(1000 * Rates.MEGABIT)
                .build();
    }

    /**
     * Begins a changed copy.
     *
     * @param newName another name than this set's, so that no figure passes for one by the named set
     */
    public Builder as(String newName) {
        if (newName.equals(name)) {
            throw new IllegalArgumentException("newName=" + newName + " is the name of the set that is changed");
        }
        return new Builder(newName, this);
    }

    /** Returns the name that stands beside every figure. */
    public String name() {
        return name;
    }

    /** Returns how CNPs act. */
    public Rules rules() {
        return rules;
    }

    /** Returns when a decrease lowers the target. */
    public Clamp clamp() {
        return clamp;
    }

    /** Returns the least time between two CNPs of a flow; 0 means that each marked packet draws one. */
    public long cnpIntervalNs() {
        return cnpIntervalNs;
    }

    /** Returns the time between two changes of alpha. */
    public long alphaIntervalNs() {
        return alphaIntervalNs;
    }

    /** Returns the least time between two decreases by {@link Rules#PERIODIC}; 0 by the other rules. */
    public long decreaseIntervalNs() {
        return decreaseIntervalNs;
    }

    /** Returns the time between two increases. */
    public long increaseIntervalNs() {
        return increaseIntervalNs;
    }

    /** Returns the bytes between two increases; 0 means that the timer alone raises the rate. */
    public int byteCounter() {
        return byteCounter;
    }

    /** Returns F: the stage of a counter at which fast recovery ends. */
    public int fastRecoveryStages() {
        return fastRecoveryStages;
    }

    /** Returns what an additive increase adds to the target. */
    public long additiveIncreaseBitsPerSecond() {
        return additiveIncreaseBitsPerSecond;
    }

    /** Returns what a hyper increase adds to the target; 0 means that there is none, and increases stay additive. */
    public long hyperIncreaseBitsPerSecond() {
        return hyperIncreaseBitsPerSecond;
    }

    /** Returns g: the weight of the last interval, or CNP, in alpha. */
    public double gain() {
        return gain;
    }

    /** Returns alpha at a flow's first CNP. */
    public double initialAlpha() {
        return initialAlpha;
    }

    /** Returns the rate below which no flow falls. */
    public long leastBitsPerSecond() {
        return leastBitsPerSecond;
    }

    /** Returns the name and all values. */
    @Override
    public String toString() {
        return name + " rules=" + rules + " clamp=" + clamp + " cnpIntervalNs=" + cnpIntervalNs + " alphaIntervalNs="
                + alphaIntervalNs + " decreaseIntervalNs=" + decreaseIntervalNs + " increaseIntervalNs="
                + increaseIntervalNs + " byteCounter=" + byteCounter + " fastRecoveryStages=" + fastRecoveryStages
                + " additiveIncreaseBitsPerSecond=" + additiveIncreaseBitsPerSecond + " hyperIncreaseBitsPerSecond="
                + hyperIncreaseBitsPerSecond + " gain=" + gain + " initialAlpha=" + initialAlpha
                + " leastBitsPerSecond=" + leastBitsPerSecond;
    }

    /** The values of a set that is made. One thread. */
    public static final class Builder {

        private final String name;
        private Rules rules;
        private Clamp clamp;
        private long cnpIntervalNs;
        private long alphaIntervalNs;
        private long decreaseIntervalNs;
        private long increaseIntervalNs;
        private int byteCounter;
        private int fastRecoveryStages;
        private long additiveIncreaseBitsPerSecond;
        private long hyperIncreaseBitsPerSecond;
        private double gain;
        private double initialAlpha;
        private long leastBitsPerSecond;

        private Builder(String name, Rules rules, Clamp clamp) {
            this.name = name;
            this.rules = rules;
            this.clamp = clamp;
        }

        private Builder(String name, DcqcnParameters from) {
            this(name, from.rules, from.clamp);
            cnpIntervalNs = from.cnpIntervalNs;
            alphaIntervalNs = from.alphaIntervalNs;
            decreaseIntervalNs = from.decreaseIntervalNs;
            increaseIntervalNs = from.increaseIntervalNs;
            byteCounter = from.byteCounter;
            fastRecoveryStages = from.fastRecoveryStages;
            additiveIncreaseBitsPerSecond = from.additiveIncreaseBitsPerSecond;
            hyperIncreaseBitsPerSecond = from.hyperIncreaseBitsPerSecond;
            gain = from.gain;
            initialAlpha = from.initialAlpha;
            leastBitsPerSecond = from.leastBitsPerSecond;
        }

        public Builder rules(Rules value) {
            rules = value;
            return this;
        }

        public Builder clamp(Clamp value) {
            clamp = value;
            return this;
        }

        public Builder cnpIntervalNs(long value) {
            cnpIntervalNs = value;
            return this;
        }

        public Builder alphaIntervalNs(long value) {
            alphaIntervalNs = value;
            return this;
        }

        public Builder decreaseIntervalNs(long value) {
            decreaseIntervalNs = value;
            return this;
        }

        public Builder increaseIntervalNs(long value) {
            increaseIntervalNs = value;
            return this;
        }

        public Builder byteCounter(int value) {
            byteCounter = value;
            return this;
        }

        public Builder fastRecoveryStages(int value) {
            fastRecoveryStages = value;
            return this;
        }

        public Builder additiveIncreaseBitsPerSecond(long value) {
            additiveIncreaseBitsPerSecond = value;
            return this;
        }

        public Builder hyperIncreaseBitsPerSecond(long value) {
            hyperIncreaseBitsPerSecond = value;
            return this;
        }

        public Builder gain(double value) {
            gain = value;
            return this;
        }

        public Builder initialAlpha(double value) {
            initialAlpha = value;
            return this;
        }

        public Builder leastBitsPerSecond(long value) {
            leastBitsPerSecond = value;
            return this;
        }

        /**
         * Makes the set.
         *
         * @throws IllegalArgumentException when a value is outside its range: CNP interval 0 to 1 s, the other
         *         intervals 100 ns to 1 h (the decrease's 0 by {@link Rules#EACH_CNP}), byte counter from 0 on, stages
         *         1 to 1000, rates 1 Mb/s to 10 Tb/s (the hyper increase also 0), g 1/4096 to 1, initial alpha 0 to 1
         */
        public DcqcnParameters build() {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(clamp, "clamp");
            Rates.check("cnpIntervalNs", cnpIntervalNs, 0, NotificationPoint.INTERVAL_MOST_NS);
            Rates.check("alphaIntervalNs", alphaIntervalNs, INTERVAL_LEAST_NS, INTERVAL_MOST_NS);
            boolean periodic = Objects.requireNonNull(rules, "rules") == Rules.PERIODIC;
            Rates.check("decreaseIntervalNs", decreaseIntervalNs, periodic ? INTERVAL_LEAST_NS : 0,
                    periodic ? INTERVAL_MOST_NS : 0);
            Rates.check("increaseIntervalNs", increaseIntervalNs, INTERVAL_LEAST_NS, INTERVAL_MOST_NS);
            Rates.check("byteCounter", byteCounter, 0, Integer.MAX_VALUE);
            Rates.check("fastRecoveryStages", fastRecoveryStages, 1, STAGES_MOST);
            Rates.check("additiveIncreaseBitsPerSecond", additiveIncreaseBitsPerSecond);
            Rates.check("hyperIncreaseBitsPerSecond", hyperIncreaseBitsPerSecond, 0, Rates.MOST);
            Rates.check("leastBitsPerSecond", leastBitsPerSecond);
            check("gain", gain, GAIN_LEAST);
            check("initialAlpha", initialAlpha, 0);
            return new DcqcnParameters(this);
        }

        private static void check(String name, double value, double least) {
            if (!(value >= least && value <= 1)) { // NaN is neither
                throw new IllegalArgumentException(name + "=" + value + " least=" + least + " most=1");
            }
        }
    }
}
