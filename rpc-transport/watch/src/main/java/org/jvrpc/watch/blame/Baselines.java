package org.jvrpc.watch.blame;

import java.util.HashMap;
import java.util.Map;

/**
 * What times are usual: a histogram for each length of a way, size and service level, and one for delays of hosts.
 * Buckets are a sixteenth of an octave. Old times fade: counts are halved when there are many.
 */
final class Baselines {

    private static final int STEPS = 16;
    private static final int BUCKETS = 32 * STEPS;
    private static final long MANY = 1 << 22;
    private static final double LN2 = Math.log(2);
    private static final double MIDDLE = 0.5;
    private static final double HIGH = 1 - Thresholds.SHIFTED;
    private static final double TAIL = 1 - Thresholds.LATE;
    private static final double DELAY_TAIL = 1 - Thresholds.DELAYED;
    private static final int DELAYS = -1;
    private static final int KINDS = 24;

    private static final class Histogram {
        private final int[] counts = new int[BUCKETS];
        private long total;
        private long middleNs;
        private long shiftedNs = Long.MAX_VALUE;
        private long lateNs = Long.MAX_VALUE;

        private void add(long ns, int weight) {
            counts[bucket(ns)] += weight;
            total += weight;
            if (total > MANY) {
                total = 0;
                for (int i = 0; i < BUCKETS; i++) {
                    counts[i] >>= 1;
                    total += counts[i];
                }
            }
        }

        private long quantile(double share) {
            long rank = (long) Math.ceil(total * share);
            long seen = 0;
            for (int i = 0; i < BUCKETS; i++) {
                seen += counts[i];
                if (seen >= rank) {
                    return upper(i);
                }
            }
            return Long.MAX_VALUE;
        }

        private void settle(double tail) {
            if (total >= Thresholds.LEARNT) {
                middleNs = quantile(MIDDLE);
                shiftedNs = (long) (quantile(HIGH) * Thresholds.SHIFT_FACTOR) + Thresholds.SHIFT_NS;
                lateNs = (long) (quantile(tail) * Thresholds.LATE_FACTOR) + Thresholds.LATE_NS;
            }
        }
    }

    private final Map<Integer, Histogram> classes = new HashMap<>();

    private static int bucket(long ns) {
        return ns <= 1 ? 0 : (int) Math.min(BUCKETS - 1, Math.log(ns) / LN2 * STEPS);
    }

    private static long upper(int bucket) {
        return (long) Math.pow(2, (bucket + 1.0) / STEPS);
    }

    private Histogram of(int key) {
        return classes.computeIfAbsent(key, unused -> new Histogram());
    }

    private static int key(Evidence evidence, int flow) {
        return evidence.hops(flow) * KINDS + evidence.kind(flow);
    }

    /** Learns a window's times. */
    void learn(Evidence evidence) {
        for (int flow = 0; flow < evidence.count(); flow++) {
            int received = evidence.received(flow);
            if (received > 0) {
                Histogram times = of(key(evidence, flow));
                int tail = evidence.tail(flow);
                times.add(evidence.p50(flow), received - tail);
                if (tail > 0) {
                    times.add(evidence.p99(flow), tail);
                }
            }
        }
    }

    /** Learns what a host added, of 0 what is not known. */
    void learnDelay(long ns) {
        if (ns > 0) {
            of(DELAYS).add(ns, 1);
        }
    }

    /** Sets limits by what was learnt. */
    void settle() {
        classes.forEach((key, times) -> times.settle(key == DELAYS ? DELAY_TAIL : TAIL));
    }

    /** Returns beyond which time a probe is late; the largest of all while too few were seen. */
    long lateNs(Evidence evidence, int flow) {
        return of(key(evidence, flow)).lateNs;
    }

    /** Returns beyond which time a probe is slower than nine of ten. */
    long shiftedNs(Evidence evidence, int flow) {
        return of(key(evidence, flow)).shiftedNs;
    }

    /** Returns by how much a flow's median is above that of its class. */
    long excessNs(Evidence evidence, int flow) {
        return evidence.p50(flow) - of(key(evidence, flow)).middleNs;
    }

    /** Returns beyond which time a host is held up. */
    long delayNs() {
        return of(DELAYS).lateNs;
    }
}
