package org.jvrpc.ibverbs.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.differential.PacketName.Kind;

/** What may differ, and what befalls packets, without a device. */
final class DifferencesTest {

    private static final Differences SOME = Differences.of(List.of("# a comment", "",
            "SEND* | responder | *=LATE} | NAK: * | NAK: [] | a reason"));

    private static List<String> unknown(String scenario, String part, String faults, String expected, String found) {
        return SOME.unknown(scenario, part, faults, List.of("same", expected), List.of("same", found));
    }

    @Test
    void onlyWhatIsNamedMayDiffer() {
        assertEquals(List.of(), unknown("SEND_IMM", "responder", "{ACK 1=LATE}", "NAK: [1]", "NAK: []"));
        assertEquals(List.of(), unknown("WRITE", "requester", "none", "NAK: [1]", "NAK: [1]"));
        assertEquals(List.of("WRITE | responder | {ACK 1=LATE} | NAK: [1] | NAK: []"),
                unknown("WRITE", "responder", "{ACK 1=LATE}", "NAK: [1]", "NAK: []"));
        assertEquals(1, unknown("SEND", "requester", "{ACK 1=LATE}", "NAK: [1]", "NAK: []").size());
        assertEquals(1, unknown("SEND", "responder", "{ACK 1=LOST}", "NAK: [1]", "NAK: []").size());
        assertEquals(1, unknown("SEND", "responder", "{ACK 1=LATE}", "memory: [1]", "NAK: []").size());
        assertEquals(1, unknown("SEND", "responder", "{ACK 1=LATE}", "NAK: [1]", "NAK: [2]").size());
    }

    @Test
    void anEntryThatNothingShowsIsToldOf() {
        Differences some = Differences.of(List.of("SEND* | * | * | one | two | a reason",
                "? SEND | * | * | one | two | a reason", "* | * | * | one | two | a reason"));
        assertEquals(List.of("SEND* | * | * | one | two | a reason"), some.unseen("SEND"));
        assertEquals(List.of(), some.unseen("WRITE"));
        assertEquals(List.of(), some.unknown("SEND", "responder", "none", List.of("one"), List.of("two")));
        assertEquals(List.of(), some.unseen("SEND"));
        assertEquals(1, some.unseen("SEND").size());
    }

    @Test
    void aLineThatIsMissingDiffers() {
        assertEquals(1, SOME.unknown("SEND", "responder", "none", List.of("one", "two"), List.of("one")).size());
    }

    @Test
    void aDifferenceHasAReason() {
        assertThrows(IllegalArgumentException.class, () -> Differences.of(List.of("* | * | * | * | * |")));
        assertThrows(IllegalArgumentException.class, () -> Differences.of(List.of("* | * | * | * | *")));
    }

    @Test
    void aSeedHasEachFateAndGivesNothingUp() {
        FaultPlan plan = FaultPlan.bySeed(15, 0.5);
        Map<Fate, Integer> counts = new HashMap<>();
        for (int psn = 0; psn < 1000; psn++) {
            PacketName name = new PacketName(Kind.REQUEST, psn, 1 + (psn & 1));
            assertEquals(plan.fate(name), FaultPlan.bySeed(15, 0.5).fate(name));
            counts.merge(plan.fate(name), 1, Integer::sum);
            assertEquals(Fate.ARRIVES, plan.fate(new PacketName(Kind.REQUEST, psn, 3)));
        }
        for (Fate fate : Fate.values()) {
            assertTrue(counts.getOrDefault(fate, 0) > 60, counts::toString);
        }
    }
}
