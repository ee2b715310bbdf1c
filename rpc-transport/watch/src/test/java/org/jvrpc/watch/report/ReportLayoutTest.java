package org.jvrpc.watch.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.ReportException.Reason;

class ReportLayoutTest {

    private final ProbeSeal seal = new ProbeSeal(ProbeKeys.of(3, "sixteen bytes it has".getBytes()));

    private static AgentInfo agent(String name) {
        return new AgentInfo(-5, name, "räck", "", new byte[] {1, 2, -3}, 1, Long.MIN_VALUE);
    }

    private static Report report(AgentInfo from, List<Tally> tallies, List<Reading> counters) {
        return new Report(from, 58_000_123, 30_000_000_000L, 1, 2, 3, 4, tallies, counters);
    }

    private static Report report() {
        return report(agent("h1"),
                List.of(new Tally(-7, 65535, 2, 15, 10, 1, 2, 3, 4, 4, 1, Long.MAX_VALUE, 5, 6),
                        new Tally(8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                List.of(Reading.of("rxe0", 1, "out_of_sequence", -1, Unit.BYTES),
                        Reading.refused("rxe0", 0, "link_downed", "permission denied")));
    }

    private static void assertSame(Report wanted, Report found) {
        assertArrayEquals(wanted.from().address(), found.from().address());
        AgentInfo a = wanted.from();
        AgentInfo b = found.from();
        assertEquals(List.of(a.id(), a.name(), a.rack(), a.pod(), a.version(), a.incarnation()),
                List.of(b.id(), b.name(), b.rack(), b.pod(), b.version(), b.incarnation()));
        assertEquals(new Report(a, found.window(), found.windowNs(), found.clockJumps(), found.refusedForged(),
                found.refusedReplayed(), found.refusedVersion(), found.tallies(), found.counters()), wanted);
    }

    @Test
    void whatIsWrittenIsRead() throws ReportException {
        assertSame(report(), ReportLayout.read(ReportLayout.write(report(), seal), seal));
    }

    @Test
    void theLongestReportsAreReadToo() throws ReportException {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < ReportLayout.MOST_TALLIES; i++) {
            tallies.add(new Tally(i << 16, i, i % 3, i % 16, 3000, 10, 20, 30, 40, 50, 12_345_678, 123_456_789,
                    1_234_567, 7_654_321));
        }
        List<Reading> counters = new ArrayList<>();
        for (int i = 0; i < ReportLayout.MOST_COUNTERS; i++) {
            counters.add(Reading.of("mlx5_0", 1, "rx_prio3_pause_duration_" + i, Long.MAX_VALUE, Unit.MICROSECONDS));
        }
        Report most = report(agent("n".repeat(ReportLayout.MOST_NAME)), tallies, counters);
        assertSame(most, ReportLayout.read(ReportLayout.write(most, seal), seal));
    }

    @Test
    void whatIsPastABoundIsNotWritten() {
        for (Report bad : List.of(report(agent(""), List.of(), List.of()),
                report(agent("n".repeat(129)), List.of(), List.of()),
                report(agent("h1"), Collections.nCopies(4097, report().tallies().get(1)), List.of()),
                report(agent("h1"), List.of(new Tally(1, 0, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)), List.of()),
                report(agent("h1"), List.of(new Tally(1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)), List.of()),
                report(agent("h1"), List.of(new Tally(1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0)), List.of()),
                report(agent("h1"), List.of(new Tally(1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0)), List.of()),
                report(agent("h1"), List.of(new Tally(1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0)), List.of()),
                report(agent("h1"), List.of(), Collections.nCopies(513, report().counters().get(0))),
                report(agent("h1"), List.of(), List.of(Reading.of("d".repeat(129), 1, "x", 1, Unit.COUNT))),
                report(agent("h1"), List.of(), List.of(Reading.refused("d", 1, "x", "r".repeat(513)))),
                new Report(agent("h1"), -1, 30_000_000_000L, 0, 0, 0, 0, List.of(), List.of()),
                new Report(agent("h1"), 1, 999_999, 0, 0, 0, 0, List.of(), List.of()),
                new Report(agent("h1"), 1, 3_600_000_000_001L, 0, 0, 0, 0, List.of(), List.of()))) {
            assertThrows(IllegalArgumentException.class, () -> ReportLayout.write(bad, seal));
        }
    }

    @Test
    void bytesBehindTheLastCounterAreRefused() {
        byte[] good = ReportLayout.write(report(), seal);
        int end = good.length - ProbeSeal.MAC_BYTES + 1;
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        longer[end - 1] = 0;
        ByteBuffer.wrap(longer).putInt(ReportLayout.LENGTH_AT, end - ReportLayout.BODY_AT);
        System.arraycopy(seal.sign(longer, 0, end), 0, longer, end, ProbeSeal.MAC_BYTES);
        assertEquals(Reason.MALFORMED, refused(longer));
    }

    private Reason refused(byte[] bytes) {
        return assertThrows(ReportException.class, () -> ReportLayout.read(bytes, seal)).reason();
    }

    @Test
    void anyChangedBitIsNoticed() {
        byte[] good = ReportLayout.write(report(), seal);
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            Reason wanted = bit / 8 < 4 || bit / 8 >= 8 && bit / 8 < 12 ? Reason.NO_REPORT
                    : bit / 8 == 4 ? Reason.OTHER_VERSION : Reason.FORGED;
            assertEquals(wanted, refused(bad), "bit " + bit);
        }
    }

    @Test
    void aReportThatWasCutOffIsRefusedWhereverItWas() {
        byte[] good = ReportLayout.write(report(), seal);
        for (int length = 0; length < good.length; length++) {
            assertEquals(Reason.NO_REPORT, refused(Arrays.copyOf(good, length)), "length=" + length);
        }
    }

    @Test
    void aReportByAnotherKeyIsForged() {
        byte[] bytes = ReportLayout.write(report(), new ProbeSeal(ProbeKeys.of(3, new byte[16])));
        assertEquals(Reason.FORGED, refused(bytes));
    }

    /** Bytes changed by one who has the key: each is read, or refused by a message; no other exception comes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bytesThatMakeNoSenseBehindARightSealAreRefusedByName(long seed) {
        Random random = new Random(seed);
        byte[] good = ReportLayout.write(report(), seal);
        int end = good.length - ProbeSeal.MAC_BYTES;
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            int cut = random.nextInt(4) == 0 ? random.nextInt(end - ReportLayout.BODY_AT) : 0;
            byte[] bad = Arrays.copyOf(good, good.length - cut);
            for (int n = random.nextInt(4); n >= 0; n--) {
                bad[ReportLayout.BODY_AT + random.nextInt(end - cut - ReportLayout.BODY_AT)] = (byte) random.nextInt();
            }
            ByteBuffer.wrap(bad).putInt(ReportLayout.LENGTH_AT, end - cut - ReportLayout.BODY_AT);
            System.arraycopy(seal.sign(bad, 0, end - cut), 0, bad, end - cut, ProbeSeal.MAC_BYTES);
            try {
                Report read = ReportLayout.read(bad, seal);
                assertSame(read, ReportLayout.read(ReportLayout.write(read, seal), seal));
            } catch (ReportException e) {
                assertEquals(Reason.MALFORMED, e.reason(), e::getMessage);
                refused++;
            }
        }
        assertTrue(refused > 1_000, "refused=" + refused);
    }
}
