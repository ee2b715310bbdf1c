package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for each set of parameters in any schedule. */
class ReactionPointPropertyTest {

    private static final long[] LINES = {10_000_000_000L, 40_000_000_000L, 100_000_000_000L, 400_000_000_000L};
    private static final long YEAR_NS = 365L * 86_400 * 1_000_000_000;

    /** Calls a flow at random times: often within microseconds, at times after milliseconds. */
    private static final class Schedule {

        private final Random random;
        private final ReactionPoint flow;
        private long nowNs;

        Schedule(ReactionPoint flow, long seed, long nowNs) {
            this.flow = flow;
            this.nowNs = nowNs;
            random = new Random(seed);
        }

        /** Returns whether a CNP was among it. */
        boolean step() {
            nowNs += random.nextInt(random.nextInt(50) == 0 ? 2_000_000 : 20_000);
            int kind = random.nextInt(8);
            if (kind == 0) {
                flow.cnp(nowNs);
            } else if (kind < 6) {
                flow.sent(random.nextInt(100_000), nowNs);
            } else {
                flow.advance(nowNs);
            }
            return kind == 0;
        }
    }

    @Test
    void ratesStayInTheirBoundsAndNoCallHalvesMoreThanOnce() {
        long seed = System.nanoTime();
        for (long line : LINES) {
            for (DcqcnParameters parameters : FourSets.at(line)) {
                ReactionPoint flow = new ReactionPoint(parameters, line);
                Schedule schedule = new Schedule(flow, seed, seed);
                for (int i = 0; i < 20_000; i++) {
                    long old = flow.bitsPerSecond();
                    schedule.step();
                    String what = "seed=" + seed + " line=" + line + " i=" + i + " " + flow;
                    assertTrue(flow.bitsPerSecond() >= parameters.leastBitsPerSecond(), what);
                    assertTrue(flow.bitsPerSecond() <= flow.targetBitsPerSecond(), what);
                    assertTrue(flow.targetBitsPerSecond() <= line, what);
                    assertTrue(flow.alpha() >= 0 && flow.alpha() <= 1, what);
                    assertTrue(flow.bitsPerSecond() >= old / 2, what + " old=" + old);
                    assertTrue(flow.hasDeadline() || flow.bitsPerSecond() == line, what);
                }
            }
        }
    }

    @Test
    void theStateDoesNotDependOnHowOftenTimersAreLookedAt() {
        long seed = System.nanoTime();
        for (DcqcnParameters parameters : FourSets.at(LINES[1])) {
            ReactionPoint seldom = new ReactionPoint(parameters, LINES[1]);
            ReactionPoint often = new ReactionPoint(parameters, LINES[1]);
            Random random = new Random(seed);
            long nowNs = 0;
            for (int i = 0; i < 3000; i++) {
                int waitNs = random.nextInt(random.nextInt(50) == 0 ? 20_000_000 : 100_000);
                for (int look = 0; look < 20; look++) {
                    often.advance(nowNs + (long) waitNs * look / 20);
                }
                nowNs += waitNs;
                int bytes = random.nextInt(3) == 0 ? 0 : random.nextInt(100_000);
                call(seldom, bytes, nowNs);
                call(often, bytes, nowNs);
                assertEquals(seldom.toString(), often.toString(), "seed=" + seed + " i=" + i);
            }
        }
    }

    private static void call(ReactionPoint flow, int bytes, long nowNs) {
        if (bytes == 0) {
            flow.cnp(nowNs);
        } else {
            flow.sent(bytes, nowNs);
        }
    }

    @Test
    void theRateChangesAtTheDeadlineAndNotBefore() {
        long seed = System.nanoTime();
        for (DcqcnParameters parameters : FourSets.at(LINES[1])) {
            ReactionPoint flow = new ReactionPoint(parameters, LINES[1]);
            Schedule schedule = new Schedule(flow, seed, 0);
            for (int i = 0; i < 3000; i++) {
                schedule.step();
                if (flow.hasDeadline()) {
                    int stage = flow.timeStage();
                    long rate = flow.bitsPerSecond();
                    schedule.nowNs = flow.deadlineNs();
                    flow.advance(schedule.nowNs - 1);
                    assertEquals(rate, flow.bitsPerSecond(), "seed=" + seed + " i=" + i + " " + flow);
                    flow.advance(schedule.nowNs);
                    assertTrue(flow.timeStage() == stage + 1 || flow.timeStage() == 0 && flow.byteStage() == 0,
                            "seed=" + seed + " i=" + i + " " + flow);
                }
            }
        }
    }

    /**
     * By the timer alone: F fast increases, as many additive ones as the line is wide, and halvings to the last bit.
     */
    @Test
    void withoutCnpsARateIsBackAtTheLineWithinItsBound() {
        long seed = System.nanoTime();
        for (long line : LINES) {
            for (DcqcnParameters parameters : FourSets.at(line)) {
                ReactionPoint flow = new ReactionPoint(parameters, line);
                Schedule schedule = new Schedule(flow, seed, -5);
                for (int i = 0; i < 3000 || !schedule.step(); i++) {
                    schedule.step();
                }
                long increases = parameters.fastRecoveryStages() + 1 + Long.SIZE
                        + line / parameters.additiveIncreaseBitsPerSecond();
                long boundNs = parameters.decreaseIntervalNs() + 1 + increases * parameters.increaseIntervalNs();
                flow.advance(schedule.nowNs + boundNs);
                String what = "seed=" + seed + " line=" + line + " boundNs=" + boundNs + " " + flow;
                assertEquals(line, flow.bitsPerSecond(), what);
                assertEquals(line, flow.targetBitsPerSecond(), what);
                assertFalse(flow.hasDeadline(), what);
            }
        }
    }

    /** A year has 3 * 10^13 alpha intervals of a microsecond. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFlowThatWasIdleForAYearCatchesUpAtOnceAndKeepsTheGrid() {
        long beginNs = Long.MAX_VALUE - 50 * YEAR_NS; // time wraps on the way
        long endNs = beginNs + 100 * YEAR_NS;
        for (DcqcnParameters parameters : FourSets.at(LINES[2])) {
            ReactionPoint flow = new ReactionPoint(parameters, LINES[2]);
            for (int i = 0; i < 100; i++) {
                flow.cnp(beginNs + i * YEAR_NS);
            }
            long nowNs = endNs + 300;
            flow.advance(nowNs);
            assertEquals(LINES[2], flow.bitsPerSecond(), flow.toString());
            assertEquals(0, flow.alpha(), flow.toString());
            flow.cnp(nowNs);
            long dueNs = parameters.rules() == DcqcnParameters.Rules.EACH_CNP ? nowNs + parameters.increaseIntervalNs()
                    : endNs + parameters.decreaseIntervalNs() + 1;
            assertEquals(dueNs, flow.deadlineNs(), "a year is a whole number of intervals: " + flow);
        }
    }

    @Test
    void callsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ReactionPoint flow = new ReactionPoint(DcqcnParameters.NVIDIA, LINES[2]);
        Pacer pacer = new Pacer(LINES[2], 4096, 0);
        NotificationPoint notifications = new NotificationPoint(4_000);
        NotificationPoint.Flow receiver = new NotificationPoint.Flow();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) { // the first load classes
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                long nowNs = (round * 10_000L + i) * 500;
                flow.sent(1086, nowNs);
                pacer.setRate(flow.bitsPerSecond(), nowNs);
                pacer.left(1086, nowNs);
                boolean marked = EcnMarking.SIGCOMM15.marks(i % 300 * 1000L, i * 0x9e3779b9);
                if (notifications.received(receiver, marked ? Ecn.CE : Ecn.ECT_0, nowNs)) {
                    flow.cnp(nowNs);
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(receiver.notified() > 100, "notified=" + receiver.notified());
        assertEquals(0, least, "bytes of 10,000 packets");
    }
}
