package org.jvrpc.watch.fabric.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jvrpc.fabric.network.Scheduling;

/** The paper's six, each with both policies. */
public final class SixExperiments {

    /**
     * One bar: a setup under both policies.
     *
     * @param label what is on the axis
     */
    public record Row(String label, Measured firstCome, Measured roundRobin) {
    }

    /** One experiment: a panel of the picture. */
    public record Panel(String title, String axis, List<Row> rows) {
    }

    private static final int[] SIZES = {256, 512, 1024, 2048, 4096};
    private static final int[] GAMES = {256, 512, 1024};
    private static final int ALL = Setup.MOST_BULKS;

    private final long durationNs;
    private final long seed;
    private final List<Panel> panels = new ArrayList<>();

    private SixExperiments(long durationNs, long seed) {
        this.durationNs = durationNs;
        this.seed = seed;
    }

    /** Runs all, each for a simulated time; tells of each panel as it is done. */
    public static List<Panel> run(long durationNs, long seed, Runnable done) {
        SixExperiments all = new SixExperiments(durationNs, seed);
        all.run(done);
        return all.panels;
    }

    private void run(Runnable done) {
        List<Row> counts = new ArrayList<>();
        for (int bulks = 0; bulks <= ALL; bulks++) {
            int count = bulks;
            counts.add(row(Integer.toString(bulks), setup -> new Setup(setup.amongPorts(), count, setup.bulkBytes(),
                    false, false, 0)));
        }
        panel(done, "1, 3. Bulks to the same target", "bulks", counts);
        List<Row> sizes = new ArrayList<>();
        for (int bytes : SIZES) {
            sizes.add(row(Integer.toString(bytes), setup -> setup.withBytes(bytes)));
        }
        panel(done, "2. Five bulks, sizes of their messages", "bytes", sizes);
        Row oneHop = counts.get(ALL);
        panel(done, "4. Two hops", "switches", List.of(named("one", oneHop), row("two", Setup::overTwoHops)));
        Row own = row("its own", Setup::withOwnLane);
        panel(done, "5. A lane of its own", "the LSG's lane", List.of(named("the bulks'", oneHop), own));
        List<Row> gamers = new ArrayList<>(List.of(named("none", own)));
        for (int bytes : GAMES) {
            gamers.add(row(Integer.toString(bytes), setup -> setup.withGamer(bytes)));
        }
        panel(done, "6. A gamer on that lane", "bytes of its messages", gamers);
    }

    private void panel(Runnable done, String title, String axis, List<Row> rows) {
        panels.add(new Panel(title, axis, List.copyOf(rows)));
        done.run();
    }

    private static Row named(String label, Row row) {
        return new Row(label, row.firstCome(), row.roundRobin());
    }

    private Row row(String label, UnaryOperator<Setup> what) {
        return new Row(label, measure(what, Scheduling.FIRST_COME), measure(what, Scheduling.ROUND_ROBIN));
    }

    private Measured measure(UnaryOperator<Setup> what, Scheduling policy) {
        return SwitchRun.run(what.apply(Setup.of(policy, ALL)), durationNs, seed);
    }
}
