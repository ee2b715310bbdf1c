package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Shapes of DCQCN on one link that two flows share; the seeds are fixed, so that a bar is met or not. */
class FairnessTest {

    private static final long LINE = 40_000_000_000L;
    private static final long MILLISECOND = 1_000_000;
    private static final long[] SEEDS = {1, 2, 3};

    /**
     * Sets, each with a switch's marking, the time to converge, the imbalance that may be left, and the longest queue.
     */
    static Stream<Arguments> sets() {
        return Stream.of(
                Arguments.of(DcqcnParameters.SIGCOMM15, EcnMarking.SIGCOMM15, 200, 0.1, 200_000),
                Arguments.of(DcqcnParameters.NS3_RDMA, EcnMarking.NS3_RDMA, 200, 0.15, 100_000),
                Arguments.of(DcqcnParameters.NVIDIA, EcnMarking.hpcc(LINE), 200, 0.1, 600_000),
                Arguments.of(DcqcnParameters.hpcc(LINE), EcnMarking.hpcc(LINE), 500, 0.1, 350_000));
    }

    /** Lowers a flow before the run: CNPs for 80 us, then an increase, by which the next ones clamp the target. */
    private static void throttle(ReactionPoint flow) {
        long nowNs = -10 * MILLISECOND;
        while (nowNs < -MILLISECOND) {
            for (int cnp = 0; cnp < 20; cnp++) {
                nowNs += 4_000;
                flow.cnp(nowNs);
            }
            nowNs += 310_000;
        }
    }

    /** Runs a while; returns how much of the link each flow got. */
    private static double[] shares(Bottleneck link, long durationNs) {
        long first = link.senders[0].deliveredBytes;
        long second = link.senders[1].deliveredBytes;
        link.run(durationNs);
        double scale = 8e9 / durationNs / LINE;
        return new double[] {(link.senders[0].deliveredBytes - first) * scale,
            (link.senders[1].deliveredBytes - second) * scale};
    }

    private static double imbalance(double[] shares) {
        return Math.abs(shares[0] - shares[1]) / (shares[0] + shares[1]);
    }

    @ParameterizedTest
    @MethodSource("sets")
    void twoUnequalFlowsConvergeToEqualSharesOfAFullLinkAndAShortQueue(
            DcqcnParameters parameters, EcnMarking marking, int settleMs, double mostImbalance, long mostQueueBytes) {
        for (long seed : SEEDS) {
            Bottleneck link = new Bottleneck(parameters, marking, 2, LINE, seed);
            throttle(link.senders[1].rate);
            double[] begin = shares(link, MILLISECOND / 2);
            link.run(settleMs * MILLISECOND);
            link.longestBytes = 0;
            double[] end = shares(link, 100 * MILLISECOND);
            String what = "seed=" + seed + " begin=" + List.of(begin[0], begin[1]) + " end=" + List.of(end[0], end[1])
                    + " longestBytes=" + link.longestBytes + " " + marking + " " + parameters;
            assertTrue(imbalance(begin) > 0.8, what);
            assertTrue(imbalance(end) < mostImbalance, what);
            assertTrue(end[0] + end[1] > 0.95 && end[0] + end[1] < 1.0001, what);
            assertTrue(link.longestBytes < mostQueueBytes, what);
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void whenAFlowEndsTheOtherTakesTheLink(DcqcnParameters parameters, EcnMarking marking) {
        Bottleneck link = new Bottleneck(parameters, marking, 2, LINE, SEEDS[0]);
        link.run(100 * MILLISECOND);
        link.senders[0].sending = false;
        link.run(100 * MILLISECOND);
        double[] end = shares(link, 10 * MILLISECOND);
        assertTrue(end[0] == 0 && end[1] > 0.98, List.of(end[0], end[1]) + " " + parameters);
    }
}
