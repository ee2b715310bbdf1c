package org.jvrpc.watch.collect;

import java.util.Arrays;
import org.jvrpc.watch.report.Tally;

/**
 * Probes of a window by group, with the percentiles of their times: by sorting, so that no group needs a histogram. A
 * tally's median stands for all of its probes but the last hundredth, for which its 99th percentile stands.
 */
final class Groups {

    interface Each {
        void group(int group, long sent, long lost, int p50, int p99);
    }

    private static final int GROUP_AT = 40;
    private static final int CODE_AT = 24;
    private static final int WEIGHT = (1 << CODE_AT) - 1;
    private static final int CODE = 0xffff;
    private static final double MIDDLE = 0.5;
    private static final double TAIL = 0.99;

    private final long[] sent;
    private final long[] lost;
    private long[] keys = new long[1024];
    private int count;

    Groups(int groups) {
        sent = new long[groups];
        lost = new long[groups];
    }

    void add(int group, Tally tally, int lostOnes) {
        sent[group] += tally.sent();
        lost[group] += lostOnes;
        int received = tally.sent() - lostOnes;
        if (received > 0 && tally.networkP50Ns() > 0) {
            int tail = received == 1 ? 0 : Math.max(1, received / 100);
            key(group, TimeCode.of(tally.networkP50Ns()), received - tail);
            if (tail > 0) {
                key(group, TimeCode.of(tally.networkP99Ns()), tail);
            }
        }
    }

    private void key(int group, int code, int weight) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
        }
        keys[count++] = (long) group << GROUP_AT | (long) code << CODE_AT | Math.min(weight, WEIGHT);
    }

    /** Hands over all groups that have probes. */
    void each(Each to) {
        Arrays.sort(keys, 0, count);
        int from = 0;
        for (int group = 0; group < sent.length; group++) {
            int end = from;
            long weight = 0;
            while (end < count && keys[end] >>> GROUP_AT == group) {
                weight += keys[end++] & WEIGHT;
            }
            if (sent[group] > 0) {
                to.group(group, sent[group], lost[group], percentile(from, end, weight, MIDDLE),
                        percentile(from, end, weight, TAIL));
            }
            from = end;
        }
    }

    private int percentile(int from, int end, long weight, double share) {
        long rank = (long) Math.ceil(weight * share);
        long seen = 0;
        for (int i = from; i < end; i++) {
            seen += keys[i] & WEIGHT;
            if (seen >= rank) {
                return (int) (keys[i] >>> CODE_AT) & CODE;
            }
        }
        return 0;
    }
}
