package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Reading;

class RatesTest {

    private static final long S = 1_000_000_000;

    private final Rates rates = new Rates();

    private static Counted counted(String name, long value, int bits) {
        return new Counted(Reading.of("mlx5_0", 1, name, value, CounterNames.unit(name)), "sysfs", bits, 0);
    }

    private static Counted refused(String name) {
        return new Counted(Reading.refused("mlx5_0", 1, name, "gone"), "sysfs", 64, 0);
    }

    private Rate at(long seconds, Counted counted) {
        return update(seconds, List.of(counted)).get(0);
    }

    private List<Rate> update(long seconds, List<Counted> counted) {
        return rates.update(counted.stream().map(one -> new Counted(one.reading(), one.origin(), one.bits(),
                seconds * S)).toList());
    }

    @Test
    void theFirstReadingHasNoRate() {
        assertFalse(at(1, counted("a", 17, 64)).known());
        Rate second = at(3, counted("a", 37, 64));
        assertTrue(second.known());
        assertEquals(10, second.perSecond());
    }

    @ParameterizedTest
    @CsvSource({
        // bits, from, to, a second; -1: reset
        "32, 4294967290, 4, 10",
        "32, 4294967290, 1073741823, 1073741829",
        "32, 4294967290, 1073741824, -1",
        "32, 3221225472, 0, 1073741824",
        "32, 3221225471, 0, -1",
        "32, 1000, 0, -1",
        "32, 1000, 999, -1",
        "32, 4294967296, 5, -1", // it has more bits than its source says
        "34, 17179869180, 4, 8",
        "64, -6, 4, 10",
        "64, 4294967290, 4, -1",
        "64, 9223372036854775807, -9223372036854775808, 1",
        "64, 5, 5, 0"})
    void aWrapIsToldFromAReset(int bits, long from, long to, double perSecond) {
        at(1, counted("a", from, bits));
        Rate rate = at(2, counted("a", to, bits));
        assertEquals(perSecond < 0, rate.reset(), rate::toString);
        assertEquals(perSecond >= 0, rate.known(), rate::toString);
        assertEquals(Math.max(0, perSecond), rate.perSecond(), 1e-3);
    }

    @Test
    void behindAResetTheRateIsFromTheNewBeginning() {
        at(1, counted("a", 1_000, 64));
        at(2, counted("a", 10, 64));
        Rate rate = at(4, counted("a", 30, 64));
        assertTrue(rate.known() && !rate.reset());
        assertEquals(10, rate.perSecond());
    }

    @Test
    void anUnreadableReadingHasNoRateAndTheNextOneIsOverTheGap() {
        at(1, counted("a", 0, 64));
        Rate gap = at(2, refused("a"));
        assertFalse(gap.known() || gap.reset());
        Rate rate = at(11, counted("a", 100, 64));
        assertTrue(rate.known());
        assertEquals(10, rate.perSecond());
    }

    @Test
    void aClockThatStandsGivesNoRate() {
        at(5, counted("a", 0, 64));
        assertFalse(at(5, counted("a", 100, 64)).known());
    }

    @Test
    void countersThatAreGoneAreForgotten() {
        at(1, counted("a", 1_000, 64));
        at(2, counted("b", 5, 64));
        assertFalse(at(3, counted("a", 10, 64)).reset());
    }

    @Test
    void theSameNameOfTwoPortsIsTwoCounters() {
        Counted other = new Counted(Reading.of("mlx5_0", 2, "a", 7, CounterNames.unit("a")), "sysfs", 64, 0);
        update(1, List.of(counted("a", 1_000, 64), other));
        List<Rate> second = update(2, List.of(counted("a", 1_001, 64), other));
        assertEquals(1, second.get(0).perSecond());
        assertEquals(0, second.get(1).perSecond());
    }

    private PauseRate pauses(long[] before, long[] after) {
        String[] names = {"rx_prio3_pause", "rx_prio3_pause_duration", "rx_prio3_pause_transition"};
        List<Counted> first = new ArrayList<>();
        List<Counted> second = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            first.add(counted(names[i], before[i], 64));
            second.add(counted(names[i], after[i], 64));
        }
        update(1, first);
        List<PauseRate> found = PauseRate.of(update(3, second));
        assertEquals(1, found.size());
        return found.get(0);
    }

    @Test
    void pausesOfThePaperAreToldByTheirLengthAndDistance() {
        // in two seconds 200 frames, of which half end a pause, of 5 ms in sum
        PauseRate pause = pauses(new long[] {10, 100, 1}, new long[] {210, 5_100, 101});
        assertEquals(0.0025, pause.share(), 1e-9);
        assertEquals(100, pause.framesPerSecond(), 1e-9);
        assertEquals(50, pause.pausesPerSecond(), 1e-9);
        assertEquals(50, pause.meanUs(), 1e-9);
        assertEquals(20_000, pause.intervalUs(), 1e-6);
        assertTrue(pause.received() && pause.priority() == 3 && pause.isPaused());
    }

    @Test
    void aPauseThatStandsHasNoEndAndAllOfTheTime() {
        PauseRate pause = pauses(new long[] {10, 100, 1}, new long[] {2_400, 2_000_120, 1});
        assertEquals(1, pause.share());
        assertEquals(0, pause.pausesPerSecond());
        assertTrue(Double.isNaN(pause.meanUs()) && pause.isPaused());
    }

    @Test
    void aDriverWithoutDurationsHasFramesOnly() {
        PauseRate pause = pauses(new long[] {10}, new long[] {12});
        assertEquals(1, pause.framesPerSecond());
        assertTrue(Double.isNaN(pause.share()) && pause.isPaused());
    }
}
