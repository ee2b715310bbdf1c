package org.jvrpc.watch.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Metrics;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;
import org.jvrpc.watch.web.Cells;
import org.jvrpc.watch.web.Layout;
import org.jvrpc.watch.web.PageData;
import org.jvrpc.watch.web.PageData.Shown;

/** Reports in, figures out: what is taken, what is refused, and what the page is told. */
class CollectorTest {

    private static final long WINDOW_NS = 1_000_000_000;
    private static final int HOSTS = 6;

    private final FixedRegistry registry = new FixedRegistry();
    private final List<List<Report>> judged = new ArrayList<>();
    private final Store store = new Store();
    private long wallMs = 10_000;
    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return wallMs * 1_000_000;
        }

        @Override
        public long wallMs() {
            return wallMs;
        }
    };
    private Collector collector = collector();
    private PageData page = collector.page();

    /** A history in memory. */
    private static final class Store implements History {
        private final Map<String, TreeMap<Long, byte[]>> rows = new HashMap<>();

        @Override
        public void put(String series, long window, byte[] row) {
            rows.computeIfAbsent(series, unused -> new TreeMap<>()).put(window, row);
        }

        @Override
        public void range(String series, long from, long to, BiConsumer<Long, byte[]> each) {
            rows.getOrDefault(series, new TreeMap<>()).subMap(from, true, to, true).forEach(each);
        }

        @Override
        public void each(String prefix, long from, long last, Rows to) {
            rows.forEach((series, windows) -> {
                if (series.startsWith(prefix)) {
                    windows.subMap(from, true, last, true).forEach((window, row) -> to.row(series, window, row));
                }
            });
        }

        @Override
        public long bytes() {
            return 77;
        }

        @Override
        public long bound() {
            return 100;
        }

        @Override
        public String trouble() {
            return "no space left";
        }

        @Override
        public void close() {
            rows.clear();
        }
    }

    private static AgentInfo agent(int id) {
        return new AgentInfo(id, "h" + id, "r" + id / 2, "p0", new byte[0], 1, 5);
    }

    private Collector collector() {
        List<AgentInfo> agents = new ArrayList<>();
        for (int id = 0; id < HOSTS; id++) {
            agents.add(agent(id));
        }
        registry.set(agents);
        CollectorSettings settings = CollectorSettings.defaults(1).withWindowNs(WINDOW_NS).withLimits(0.02, 50_000);
        return new Collector(settings, registry, window -> {
            judged.add(window);
            return List.of(new Verdict(window.get(0).window(), new Component(Component.Kind.TOR, "r0"), Cause.DROPS, 30,
                    0.1, 50, 1, "because"));
        }, store, clock);
    }

    private static Tally tally(int target, int sent, int lost, long p50, long p99) {
        return new Tally(target, 0, 0, 3, sent, lost, 0, 0, 0, 0, p50, p99, 700, 700);
    }

    private static Report report(int from, long window, Tally... tallies) {
        return new Report(agent(from), window, WINDOW_NS, 2, 1, 0, 0, List.of(tallies), List.of());
    }

    private void ended(long window) {
        wallMs = (window + 2) * 1_000;
        collector.look();
        assertEquals(window, collector.window());
    }

    private String refused(Report report) {
        return assertThrows(IllegalArgumentException.class, () -> collector.accept(report)).getMessage();
    }

    @Test
    void aWindowIsJudgedWhenItHasEndedAndTheNextIsOverToo() {
        collector.accept(report(0, 10, tally(1, 10, 0, 8_000, 9_000)));
        wallMs = 11_900;
        collector.look();
        assertEquals(List.of(), judged);
        collector.accept(report(1, 10, tally(0, 10, 0, 8_000, 9_000)));
        ended(10);
        assertEquals(2, judged.get(0).size());
        assertEquals(1, collector.verdicts().size());
    }

    @Test
    void whoIsNotInTheRegistryIsRefusedAndNamed() {
        Report stranger = new Report(new AgentInfo(99, "evil", "r0", "p0", new byte[0], 1, 5), 10,
                WINDOW_NS, 0, 0, 0, 0, List.of(), List.of());
        assertTrue(refused(stranger).contains("id=99"));
        Report impostor = new Report(new AgentInfo(1, "other", "r0", "p0", new byte[0], 1, 5), 10,
                WINDOW_NS, 0, 0, 0, 0, List.of(), List.of());
        assertTrue(refused(impostor).contains("calls itself other"));
        assertTrue(page.agents().stream().anyMatch(state -> state.info().name().equals("evil")));
    }

    @Test
    void windowsOfAnotherLengthOrTimeAreRefusedWithTheValues() {
        assertTrue(refused(new Report(agent(1), 10, 5, 0, 0, 0, 0, List.of(), List.of())).contains("windowNs=5"));
        assertTrue(refused(report(1, 12)).contains("2 after"));
        assertTrue(refused(report(1, 6)).contains("has ended"));
        collector.accept(report(1, 11));
        assertTrue(refused(report(1, 11)).contains("came before"));
        ended(11);
        assertTrue(refused(report(2, 11)).contains("has ended"));
    }

    @Test
    void figuresThatMakeNoSenseAreRefused() {
        assertTrue(refused(report(1, 10, tally(2, 3, 4, 1, 1))).contains("makes no sense"));
        assertTrue(refused(report(1, 10, tally(2, 3, 0, 5, 1))).contains("makes no sense"));
        collector.accept(report(1, 10, tally(2, 3, 0, 5, 6)));
    }

    @Test
    void anAgentOfAnotherVersionIsTakenAndNamed() {
        collector.accept(new Report(new AgentInfo(1, "h1", "r0", "p0", new byte[0], 9, 5), 10, WINDOW_NS, 0, 0, 0, 0,
                List.of(), List.of()));
        ended(10);
        assertTrue(page.agents().get(1).trouble().contains("version 9"), page.agents().toString());
    }

    @Test
    void thePageSeesPairsRacksAndSeries() {
        collector.accept(report(0, 10, tally(1, 10, 0, 8_000, 9_000), tally(2, 10, 10, 0, 0)));
        collector.accept(report(3, 10, tally(0, 10, 1, 20_000, 30_000)));
        ended(10);
        PageData.Matrix pairs = page.pairs(10, Shown.P50);
        assertEquals(HOSTS, pairs.width());
        assertEquals(Cells.time(8_000), pairs.cells()[1]);
        assertEquals(Cells.DEAD, pairs.cells()[2]);
        assertEquals(Cells.UNKNOWN, pairs.cells()[3]);
        assertEquals(Cells.loss(10, 1), page.pairs(10, Shown.LOSS).cells()[3 * HOSTS]);
        assertEquals(Cells.time(30_000), page.pairs(10, Shown.P99).cells()[3 * HOSTS]);
        assertNull(page.pairs(9, Shown.P50));
        assertEquals(Cells.loss(10, 10), page.racks(10, Shown.LOSS).cells()[1]);
        assertEquals(30, page.fabricSeries().get(0).sent());
        assertEquals(11, page.fabricSeries().get(0).lost());
        assertEquals(1, page.rackSeries(new Layout.Rack("p0", "r1"), new Layout.Rack("p0", "r0")).get(0).lost());
        assertEquals(8_000, page.pairSeries(0, 1).get(0).p50Ns(), 80);
        assertEquals(10, page.agents().get(3).probes());
        assertEquals(10, page.summary().window());
        assertEquals("no space left", page.summary().trouble());
    }

    @Test
    void whatWasKnownBeforeIsShownAsOld() {
        collector.accept(report(0, 10, tally(1, 10, 0, 8_000, 9_000)));
        ended(10);
        collector.accept(report(1, 12, tally(0, 10, 0, 8_000, 9_000)));
        ended(12);
        assertEquals(Cells.old(Cells.time(8_000)), page.pairs(12, Shown.P50).cells()[1]);
        assertEquals(Cells.time(8_000), page.pairs(12, Shown.P50).cells()[HOSTS]);
    }

    @Test
    void anotherAgentInASlotDoesNotInheritItsPairs() {
        collector.accept(report(0, 10, tally(1, 10, 0, 8_000, 9_000)));
        ended(10);
        List<AgentInfo> others = new ArrayList<>(registry.agents());
        others.set(1, new AgentInfo(50, "h50", "r0", "p0", new byte[0], 1, 6));
        registry.set(others);
        collector.accept(report(0, 12, tally(50, 1, 0, 64_000, 64_000)));
        ended(12);
        assertEquals(List.of(), page.pairSeries(0, 1));
        assertEquals(64_000, page.pairSeries(0, 50).get(0).p50Ns(), 640);
        assertEquals(1, page.pairSeries(0, 50).get(0).sent());
        assertEquals(page.layout().epoch(), page.pairs(12, Shown.P50).epoch());
    }

    @Test
    void lossOverTheLimitRaisesAnAlertThatEndsLater() {
        long window = 10;
        for (int i = 0; i < 2; i++, window++) {
            collector.accept(report(0, window, tally(2, 100, 3, 8_000, 9_000)));
            ended(window);
            wallMs = (window + 1) * 1_000;
        }
        assertEquals(List.of("loss p0/r0 to p0/r1 true", "loss to host h2 true"), collector.alerts().stream()
                .map(alert -> alert.rule() + " " + alert.subject() + " " + alert.raised()).sorted().toList());
        for (int i = 0; i < 3; i++, window++) {
            collector.accept(report(0, window, tally(2, 100, 0, 8_000, 9_000)));
            ended(window);
            wallMs = (window + 1) * 1_000;
        }
        assertEquals(0, collector.raised());
        assertEquals(4, collector.alerts().size());
    }

    @Test
    void fewProbesRaiseNoAlert() {
        for (long window = 10; window < 13; window++) {
            collector.accept(report(0, window, tally(2, 10, 5, 8_000, 9_000)));
            ended(window);
            wallMs = (window + 1) * 1_000;
        }
        assertEquals(List.of(), collector.alerts());
    }

    @Test
    void aRestartReadsRacksBackFromTheHistory() {
        collector.accept(report(0, 10, tally(2, 100, 3, 8_000, 9_000)));
        ended(10);
        collector = collector();
        page = collector.page();
        collector.accept(report(0, 11, tally(2, 100, 0, 8_000, 9_000)));
        ended(11);
        List<PageData.Point> points = page.rackSeries(new Layout.Rack("p0", "r0"), new Layout.Rack("p0", "r1"));
        assertEquals(2, points.size());
        assertEquals(3, points.get(0).lost());
        assertEquals(2, page.fabricSeries().size());
    }

    @Test
    void metricsNameWhoIsBlamedAndWhatWasRefused() {
        collector.accept(report(0, 10, tally(1, 10, 1, 8_000, 9_000)));
        refused(report(1, 3));
        ended(10);
        Map<String, Double> seen = new HashMap<>();
        collector.metrics().write(new Metrics() {
            @Override
            public void gauge(String name, String help, double value, String... labels) {
                seen.put(name + String.join(",", labels), value);
            }

            @Override
            public void counter(String name, String help, double value, String... labels) {
                gauge(name, help, value, labels);
            }
        });
        assertEquals(30, seen.get("jvrpc_pingmesh_blamedkind,TOR,who,r0,cause,DROPS"));
        assertEquals(1, seen.get("jvrpc_pingmesh_reports_refused_totalreason,too_late"));
        assertEquals(0.1, seen.get("jvrpc_pingmesh_loss_ratio"));
        assertEquals(5, seen.get("jvrpc_pingmesh_agents_silent"));
    }

    private double silent() {
        double[] seen = {-1};
        collector.metrics().write(new Metrics() {
            @Override
            public void gauge(String name, String help, double value, String... labels) {
                seen[0] = name.equals("jvrpc_pingmesh_agents_silent") ? value : seen[0];
            }

            @Override
            public void counter(String name, String help, double value, String... labels) {
                assertTrue(value >= 0, name);
            }
        });
        return seen[0];
    }

    @Test
    void whenAllAreSilentThatIsCounted() {
        for (int id = 0; id < HOSTS; id++) {
            collector.accept(report(id, 10));
        }
        ended(10);
        assertEquals(0, silent());
        wallMs = 14_000;
        collector.look();
        assertEquals(HOSTS, silent());
    }

    @Test
    void aClockThatGoesBackIsFollowed() {
        collector.accept(report(0, 10, tally(1, 10, 0, 8_000, 9_000)));
        ended(10);
        wallMs = 5_000_000;
        collector.accept(report(0, 5_000, tally(1, 10, 0, 8_000, 9_000)));
        collector.accept(report(1, 5_001, tally(0, 10, 0, 8_000, 9_000)));
        ended(5_000);
        wallMs = 12_000;
        collector.accept(report(0, 12, tally(1, 20, 0, 8_000, 9_000)));
        ended(12);
        assertEquals(List.of(12L), page.fabricSeries().stream().map(PageData.Point::window).toList());
        collector.accept(report(0, 14, tally(1, 30, 0, 8_000, 9_000)));
        ended(14);
        assertEquals(List.of(12L, 14L), page.fabricSeries().stream().map(PageData.Point::window).toList());
        assertEquals(Cells.time(8_000), page.pairs(14, Shown.P50).cells()[1]);
    }

    @Test
    void racksOfOneNameInTwoPodsHaveAlertsOfTheirOwn() {
        List<AgentInfo> agents = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            agents.add(new AgentInfo(id, "h" + id, "r" + id % 2, "p" + id / 2, new byte[0], 1, 5));
        }
        registry.set(agents);
        for (long window = 10; window < 12; window++) {
            for (int pod = 0; pod < 2; pod++) { // that of the second is sound
                AgentInfo from = agents.get(2 * pod);
                collector.accept(new Report(from, window, WINDOW_NS, 0, 0, 0, 0,
                        List.of(tally(2 * pod + 1, 100, pod == 0 ? 9 : 0, 8_000, 9_000)), List.of()));
            }
            ended(window);
            wallMs = (window + 1) * 1_000;
        }
        assertEquals(List.of("p0/r0 to p0/r1", "to host h1"), collector.alerts().stream().map(Alert::subject).sorted()
                .toList());
    }

    @Test
    void aWindowThatIsSeenToHaveEndedIsInTheTables() throws Exception {
        for (long window = 10; window < 60; window++) {
            wallMs = window * 1_000;
            collector.accept(report(0, window, tally(1, 10, 0, 8_000, 9_000)));
            long ends = window;
            Thread looks = new Thread(() -> ended(ends));
            looks.start();
            while (page.summary().window() != window) {
                Thread.onSpinWait();
            }
            assertEquals(Cells.time(8_000), page.pairs(window, Shown.P50).cells()[1], "window=" + window);
            looks.join();
        }
    }

    @Test
    void hoursOfPairsGoToTheHistory() {
        collector.accept(report(0, 10, tally(1, 10, 1, 8_000, 9_000)));
        ended(10);
        wallMs = (10 + 3_599) * 1_000L;
        collector.accept(report(1, 10 + 3_599, tally(0, 10, 0, 8_000, 9_000)));
        ended(10 + 3_599);
        byte[] row = store.rows.get("hour/0").get(10L);
        assertNotNull(row);
        assertEquals(1, PairTable.inHour(row, 1, 10, 3_600).lost());
        assertEquals(1, page.pairSeries(0, 1).size());
    }
}
