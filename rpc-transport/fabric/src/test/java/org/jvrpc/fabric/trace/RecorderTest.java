package org.jvrpc.fabric.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.experiment.Deadlock;
import org.jvrpc.fabric.experiment.PauseStorm;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.topology.Topology;

/** What a recording shows of runs whose outcome is known. */
class RecorderTest {

    private static final long MS = 1_000_000;

    private final Recorder recorder = new Recorder(100, null);

    private Deadlock.Result deadlock(Watcher watcher) {
        return Deadlock.run(false, BufferSettings.defaults(), 12 * MS, 20 * MS, 1, watcher);
    }

    @Test
    void looksAndChangesNothing() {
        long[] hash = new long[2];
        Topology[] seen = new Topology[1];
        deadlock((made, durationNs) -> seen[0] = made);
        hash[0] = seen[0].network().traceHash();
        deadlock(new Watcher() {
            @Override
            public void begins(Topology made, long durationNs) {
                seen[0] = made;
                recorder.begins(made, durationNs);
            }
        });
        assertEquals(hash[0], seen[0].network().traceHash());
        assertEquals(100, recorder.timesNs().length);
    }

    @Test
    void showsTheCycleAndThoseInIt() {
        deadlock(recorder);
        List<String> cycles = recorder.cycles();
        assertEquals("", cycles.get(0));
        assertEquals("T0 → L0 → T1 → L1 → T0", cycles.get(99));
        List<Series> paused = Series.highest(recorder.paused(), 100);
        for (String name : List.of("T0 → L0", "L0 → T1", "T1 → L1", "L1 → T0")) {
            Series port = paused.stream().filter(series -> series.name().equals(name)).findFirst().orElseThrow();
            assertEquals(100, port.values()[99], 1e-9, name);
        }
        assertTrue(Series.highest(recorder.windows(), 1).get(0).most() > 100);
        assertEquals("", recorder.leftOut());
    }

    @Test
    void saysThatAStormBeginsWithItsHost() {
        PauseStorm.run(new PauseStorm.Times(0, 0, 0, 3 * MS), BufferSettings.defaults().withAlpha(1.0 / 64),
                10_000_000_000L, 1, recorder);
        Series port = recorder.paused().stream().filter(series -> series.name().equals("T0 → H0")).findFirst()
                .orElseThrow();
        assertEquals(100, port.values()[99], 1e-9);
        assertFalse(port.values()[5] == 100);
    }

    @Test
    void aPageOfNothingIsAPage() {
        String page = Page.of(recorder, "nothing", "");
        assertTrue(page.contains("\"timesNs\":[]") && !page.contains("@DATA@"), page);
    }
}
