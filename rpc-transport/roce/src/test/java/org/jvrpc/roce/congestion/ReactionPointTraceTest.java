package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Traces of which every time and every formula is written down here by hand, against the reaction point. A row is a
 * time in nanoseconds and what happens then; expected values are exact decimals.
 */
class ReactionPointTraceTest {

    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final MathContext DIGITS = new MathContext(60);
    /** Bits per second that a few roundings to whole ones may make. */
    private static final double ROUNDING = 40;
    private static final double MEGABIT = 1e6;

    private BigDecimal rate;
    private BigDecimal target;
    private BigDecimal alpha;
    private BigDecimal gain;
    private BigDecimal line;
    private BigDecimal least;
    private ReactionPoint point;
    private long originNs;

    private void begin(DcqcnParameters parameters, long lineBitsPerSecond, long beginNs) {
        line = BigDecimal.valueOf(lineBitsPerSecond);
        rate = line;
        target = line;
        alpha = new BigDecimal(parameters.initialAlpha());
        gain = new BigDecimal(parameters.gain());
        least = BigDecimal.valueOf(parameters.leastBitsPerSecond());
        point = new ReactionPoint(parameters, lineBitsPerSecond);
        originNs = beginNs;
    }

    private void run(String... rows) {
        for (String row : rows) {
            String[] words = row.trim().split(" +");
            long nowNs = originNs + Long.parseLong(words[0]);
            point.advance(nowNs - 1);
            check("before " + row);
            for (int i = 1; i < words.length; i++) {
                event(words[i], nowNs);
            }
            point.advance(nowNs);
            check(row);
        }
    }

    private void event(String word, long nowNs) {
        if (word.equals("cnp")) {
            point.cnp(nowNs);
        } else if (word.startsWith("sent=")) {
            point.sent(Integer.parseInt(word.substring(5)), nowNs);
        } else if (word.equals("alphaUp")) {
            alpha = ONE.subtract(gain).multiply(alpha, DIGITS).add(gain);
        } else if (word.equals("alphaDown")) {
            alpha = ONE.subtract(gain).multiply(alpha, DIGITS);
        } else if (word.equals("clamp")) {
            target = rate;
        } else if (word.equals("cut")) {
            rate = rate.multiply(ONE.subtract(alpha.divide(TWO)), DIGITS).max(least);
        } else if (word.startsWith("raise=")) {
            target = target.add(new BigDecimal(word.substring(6))).min(line);
            rate = rate.add(target).divide(TWO, DIGITS);
        } else {
            throw new IllegalArgumentException("word=" + word);
        }
    }

    private void check(String when) {
        assertEquals(rate.doubleValue(), point.bitsPerSecond(), ROUNDING, when + ": rate of " + point);
        assertEquals(target.doubleValue(), point.targetBitsPerSecond(), ROUNDING, when + ": target of " + point);
        assertEquals(alpha.doubleValue(), point.alpha(), 1e-12, when + ": alpha of " + point);
    }

    private void checkStages(int time, int bytes) {
        assertEquals(time, point.timeStage(), point.toString());
        assertEquals(bytes, point.byteStage(), point.toString());
    }

    /** CNPs at 0 and 50 us; then alpha every 55 us, increases every 60 us: four fast, then additive. */
    @ParameterizedTest
    @ValueSource(longs = {0, 123_456_789, Long.MAX_VALUE - 200_000, -7})
    void theSetOfNs3LowersAtEachCnpAndRecoversByTheTimer(long beginNs) {
        begin(DcqcnParameters.NS3_RDMA, 40_000_000_000L, beginNs);
        run("0 cnp alphaUp clamp cut", "50000 cnp alphaUp clamp cut", "105000 alphaDown", "110000 raise=0",
                "160000 alphaDown", "170000 raise=0", "215000 alphaDown", "230000 raise=0", "270000 alphaDown",
                "290000 raise=0", "325000 alphaDown", "350000 raise=40000000", "380000 alphaDown",
                "410000 raise=40000000");
        checkStages(6, 0);
        run("420000 cnp alphaUp clamp cut", "475000 alphaDown", "480000 raise=0");
        checkStages(1, 0);
    }

    /** The same first rows by a pocket calculator. */
    @Test
    void theFirstTwoCnpsOfNs3HaveTheNumbersOfACalculation() {
        ReactionPoint flow = new ReactionPoint(DcqcnParameters.NS3_RDMA, 40_000_000_000L);
        flow.cnp(0); // alpha 0.5 * 255/256 + 1/256 = 0.501953125; 40e9 * (1 - 0.2509765625)
        assertEquals(0.501953125, flow.alpha());
        assertEquals(29_960_937_500L, flow.bitsPerSecond());
        assertEquals(40_000_000_000L, flow.targetBitsPerSecond());
        flow.cnp(50_000); // alpha 0.50389862060546875; 29,960,937,500 * 0.748050689697265625
        assertEquals(0.50389862060546875, flow.alpha());
        assertEquals(22_412_299_960L, flow.bitsPerSecond());
        assertEquals(29_960_937_500L, flow.targetBitsPerSecond());
        flow.advance(110_000); // (22,412,299,960 + 29,960,937,500) / 2
        assertEquals(26_186_618_730L, flow.bitsPerSecond());
    }

    /** The byte counter ends when more than its bytes were sent, and the stage of either counter ends fast recovery. */
    @Test
    void theFluidModelRecoversByBytesToo() {
        begin(DcqcnParameters.SIGCOMM15, 40_000_000_000L, 0);
        run("0 cnp alphaUp clamp cut", "1000 sent=10000000", "2000 sent=1 raise=0", "3000 sent=10000001 raise=0",
                "4000 sent=10000001 raise=0", "5000 sent=10000001 raise=0");
        checkStages(0, 4);
        run("6000 sent=10000001 raise=40000000", "55000 raise=40000000 alphaDown", "56000 sent=10000000");
        checkStages(1, 5);
        run("110000 raise=40000000 alphaDown", "165000 raise=40000000 alphaDown", "220000 raise=40000000 alphaDown",
                "275000 raise=40000000 alphaDown", "330000 raise=40000000 alphaDown");
        checkStages(6, 5); // both are at F: there is no hyper increase in this set
        run("331000 cnp alphaUp clamp cut", "332000 sent=10000000", "333000 sent=1 raise=0");
        checkStages(0, 1);
    }

    /** F = 2: hyper from both at 2 on; by then the time is halved, as in ns3-rdma. */
    @Test
    void hyperIncreasesGrowWithTheLowerStageAndComeTwiceAsOften() {
        begin(DcqcnParameters.NS3_RDMA.as("F=2").fastRecoveryStages(2).byteCounter(1000).alphaIntervalNs(1_000_000_000)
                .build(), 40_000_000_000L, 0);
        run("0 cnp alphaUp clamp cut", "1 sent=1001 raise=0", "2 sent=1001 raise=40000000",
                "60000 raise=40000000", "120000 raise=200000000");
        checkStages(2, 2);
        run("120001 sent=1000", "120002 sent=1 raise=200000000", "120003 sent=500", "120004 sent=1 raise=200000000");
        checkStages(2, 4);
        run("180000 raise=400000000", "210000 raise=600000000", "240000 raise=600000000");
        checkStages(5, 4);
    }

    /**
     * The first CNP does nothing at once; alpha falls four times and rises for no CNP of its own; 1 ns later the cut.
     */
    @Test
    void theRulesOfMellanoxDecreaseOnTheirGridAndRecoverByTheTimerAlone() {
        begin(DcqcnParameters.hpcc(25_000_000_000L), 25_000_000_000L, Long.MAX_VALUE - 500_000);
        run("0 cnp", "1000 alphaDown", "2000 alphaDown", "3000 alphaDown", "4000 alphaDown", "4001 cut",
                "4500 cnp", "4600 cnp", "5000 alphaUp", "6000 alphaDown", "7000 alphaDown", "8000 alphaDown",
                "8001 cut");
        assertFalse(target.equals(rate), "the target stays as nothing was increased since the first decrease");
        assertEquals(originNs + 308_001, point.deadlineNs());
        decayTo(308_001 - 1, 8000);
        run("308001 raise=0 sent=1000000000", "309000 alphaDown");
        decayTo(608_001 - 1, 309_000);
        run("608001 raise=5000000");
        decayTo(908_001 - 1, 608_000);
        run("908001 raise=50000000");
        decayTo(1_208_001 - 1, 908_000);
        run("1208001 raise=50000000", "1208500 cnp", "1209000 alphaUp", "1210000 alphaDown", "1211000 alphaDown",
                "1212000 alphaDown", "1212001 clamp cut");
        checkStages(0, 0);
    }

    /** Lets alpha fall each microsecond after {@code lastNs}. */
    private void decayTo(long endNs, long lastNs) {
        for (long atNs = lastNs + 1000; atNs <= endNs; atNs += 1000) {
            event("alphaDown", 0);
        }
        point.advance(originNs + endNs);
        check("decay to " + endNs);
    }

    /** NVIDIA's set has Mellanox's grids and both counters, with F = 1: the second counter makes it hyper. */
    @Test
    void theSetOfNvidiaHasTheGridsAndBothCounters() {
        begin(DcqcnParameters.NVIDIA, 100_000_000_000L, 0);
        run("0 cnp", "1000 alphaDown", "2000 alphaDown", "3000 alphaDown", "4000 alphaDown", "4001 cut",
                "4100 sent=32767", "4200 sent=1 raise=5000000", "4300 sent=32768 raise=5000000");
        decayTo(304_000, 4000);
        run("304001 raise=50000000", "304100 sent=32768 raise=50000000");
        checkStages(1, 3);
        decayTo(604_000, 304_000);
        run("604001 raise=100000000", "604002 cnp", "605000 alphaUp", "606000 alphaDown", "607000 alphaDown",
                "608000 alphaDown", "608001 clamp cut");
    }

    @Test
    void anIncreaseAtTheTimeOfADecreaseGoesFirst() {
        begin(DcqcnParameters.hpcc(25_000_000_000L).as("increase each 8 us").increaseIntervalNs(8_000).build(),
                25_000_000_000L, 0);
        run("0 cnp", "1000 alphaDown", "2000 alphaDown", "3000 alphaDown", "4000 alphaDown", "4001 cut",
                "5000 alphaDown", "6000 alphaDown", "7000 alphaDown", "8000 alphaDown", "8500 cnp", "9000 alphaUp",
                "10000 alphaDown", "11000 alphaDown", "12000 alphaDown", "12001 raise=0 clamp cut");
        checkStages(0, 0);
    }

    @Test
    void theGridOfAlphaGoesOnWhileAlphaIsNothing() {
        ReactionPoint flow = new ReactionPoint(DcqcnParameters.hpcc(25_000_000_000L), 25_000_000_000L);
        flow.cnp(0);
        flow.advance(10_000_000);
        assertEquals(0, flow.alpha());
        flow.cnp(10_000_300);
        flow.advance(10_000_999);
        assertEquals(0, flow.alpha());
        flow.advance(10_001_000);
        assertEquals(1.0 / 256, flow.alpha());
    }

    @Test
    void aFlowBeforeItsFirstCnpHasTheLineRateAndNoTimer() {
        for (DcqcnParameters parameters : FourSets.at(100_000_000_000L)) {
            ReactionPoint flow = new ReactionPoint(parameters, 100_000_000_000L);
            flow.sent(1_000_000_000, 5);
            flow.advance(1_000_000_000_000L);
            assertFalse(flow.hasDeadline(), parameters.name());
            assertEquals(100_000_000_000L, flow.bitsPerSecond());
            assertEquals(parameters.initialAlpha(), flow.alpha());
            flow.cnp(1_000_000_000_001L);
            assertTrue(flow.hasDeadline(), parameters.name());
        }
    }

    @Test
    void cnpsWithoutEndLeaveTheLeastRate() {
        for (DcqcnParameters parameters : FourSets.at(100_000_000_000L)) {
            ReactionPoint flow = new ReactionPoint(parameters, 100_000_000_000L);
            for (int i = 0; i < 50_000; i++) {
                flow.cnp(i * 1000L);
            }
            assertEquals(parameters.leastBitsPerSecond() / MEGABIT, flow.bitsPerSecond() / MEGABIT, flow.toString());
        }
    }
}
