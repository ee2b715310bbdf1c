package org.jvrpc.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan of a campaign and the rules that judge it. */
class CampaignTest {

    private static Campaign campaign(int rounds) {
        return Campaign.of(3, Place.full(), 10_000, rounds);
    }

    @Test
    void equalSeedsGiveEqualCampaignsAndLongerOnesBeginAlike() {
        assertEquals(campaign(20), campaign(20));
        List<Fault> longer = campaign(40).faults();
        assertEquals(campaign(20).faults(), longer.subList(0, campaign(20).faults().size()));
    }

    @Test
    void everyKindOfFaultHappensAndOnlyToThoseThatTakeIt() {
        Campaign campaign = campaign(100);
        Map<String, Place> places = campaign.places().stream().collect(Collectors.toMap(Place::name,
                Function.identity()));
        Set<Fault.Kind> kinds = campaign.faults().stream().map(Fault::kind).collect(Collectors.toSet());
        assertEquals(Set.of(Fault.Kind.values()), kinds);
        for (Fault fault : campaign.faults()) {
            assertTrue(fault.kind() == Fault.Kind.FULL || places.get(fault.target()).takes(fault.kind()),
                    fault::toString);
        }
    }

    @Test
    void aPartHasItsFaultsAndTheirRoundsAlone() {
        Campaign whole = campaign(5);
        Fault kept = whole.faultsOf(4).get(1);
        Campaign part = whole.only(Set.of(kept.number()));
        assertEquals(List.of(kept), part.faults());
        assertEquals(List.of(4), part.rounds());
    }

    @Test
    void theSmallCampaignsOfTestsHaveFaults() {
        List<Fault> faults = Campaign.of(FaultSoakTest.SEED, Place.few(), FaultSoakTest.LOAD_MS, 4).faults();
        assertTrue(faults.stream().map(Fault::kind).distinct().count() >= 3, faults::toString);
    }

    @Test
    void shrinkingFindsTheFewest() {
        List<Integer> all = IntStream.range(0, 40).boxed().toList();
        assertEquals(List.of(7, 31), Shrink.fewest(all, some -> some.containsAll(List.of(7, 31))));
        assertEquals(List.of(), Shrink.fewest(all, some -> true));
        assertEquals(all, Shrink.fewest(all, some -> false));
        assertEquals(List.of(), Shrink.fewest(List.<Integer>of(), some -> true));
    }

    @ParameterizedTest
    @CsvSource({
        "OK, LIGHT, 1, 0, false", "OK, ONE_WAY, 0, 0, false", "UNAVAILABLE, LIGHT, 1, 1, false",
        "UNAVAILABLE, LIGHT, 0, 0, false", "UNAVAILABLE, BACK, 1, 0, false", "STARTED, LIGHT, 1, 1, true",
        "UNKNOWN, THROW, 1, 0, false", "REFUSED, REFUSE, 1, 0, false", "DEADLINE_EXCEEDED, HANG, 1, 0, false",
    })
    void whatMayBeIsNoViolation(CallEnd end, CallKind kind, int runs, int server, boolean killed) {
        assertNull(Audit.judge(end, kind, runs, server, killed));
    }

    @ParameterizedTest
    @CsvSource({
        "OK, LIGHT, 0, 0, false", "OK, LIGHT, 2, 0, false", "OK, THROW, 1, 0, false", "OK, ONE_WAY, 2, 0, false",
        "UNAVAILABLE, LIGHT, 1, 0, false", "UNAVAILABLE, LIGHT, 2, 1, false", "STARTED, LIGHT, 1, 1, false",
        "STARTED, LIGHT, 2, 1, true", "UNKNOWN, LIGHT, 1, 0, false", "REFUSED, REFUSE, 0, 0, false",
    })
    void whatMayNotBeIsOne(CallEnd end, CallKind kind, int runs, int server, boolean killed) {
        assertNotNull(Audit.judge(end, kind, runs, server, killed));
    }

    private static Slopes slopes(long... values) {
        Slopes slopes = new Slopes();
        for (long value : values) {
            slopes.add("server", new Leak("things", 5), value);
        }
        return slopes;
    }

    @Test
    void growthThatGoesOnIsALeakAndAStepIsNone() {
        assertEquals(List.of("server things: from 30 to 60, allowed 5"),
                slopes(0, 10, 20, 30, 40, 50, 60, 70, 80).leaks().stream().toList());
        assertTrue(slopes(0, 10, 50, 10, 50, 10, 50, 10, 50, 10).leaks().isEmpty());
        assertTrue(slopes(0, 10, 11, 12, 13, 14, 15).leaks().isEmpty());
        assertTrue(slopes(0, 10, 100).leaks().isEmpty(), "too few to judge");
        assertFalse(slopes(0, 10, 100).table().toString().contains("LEAK"));
    }

    @Test
    void framesAreCheckedByNumberLengthAndBytes() {
        ByteBuffer frame = ByteBuffer.allocate(40);
        Frames frames = new Frames();
        Frames.fill(frame, 0);
        assertNull(frames.check(frame));
        assertEquals("number=0 expected=1", frames.check(frame));
        Frames.fill(frame, 1);
        frame.put(20, (byte) (frame.get(20) + 1));
        assertEquals("number=1 length=40 wrong byte at=20", frames.check(frame));
        Frames.fill(frame, 2);
        assertEquals("number=2 length=30 expected=40", frames.check(frame.limit(30)));
    }
}
