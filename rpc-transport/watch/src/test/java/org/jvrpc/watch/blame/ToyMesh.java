package org.jvrpc.watch.blame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** Reports as agents would write them, of probes whose fate the test says. Three probes of each size to each target. */
final class ToyMesh {

    interface Loss {
        /** The share lost at a part; flow is a number of addresses and ports. */
        double at(String part, int size, int serviceLevel, int flow);
    }

    interface Slowness {
        long ns(String part, int size);
    }

    private static final int TARGETS = 30;
    private static final int SIZES = 3;

    final ToyClos clos;
    final Random random;
    Blamer judge;
    final Set<Integer> silent = new HashSet<>();
    final Set<Integer> deaf = new HashSet<>();
    final Map<Integer, Long> delays = new HashMap<>();
    final Map<Integer, Long> pauses = new HashMap<>();
    final Map<Integer, Long> damaged = new HashMap<>();
    Loss loss = (part, size, level, flow) -> 0;
    Slowness slowness = (part, size) -> 0;
    boolean countsDamage;
    int sickProber = -1;
    private long window;

    ToyMesh(ToyClos clos, long seed) {
        this.clos = clos;
        random = new Random(seed);
        judge = new PathBlamer(clos, clos::agents);
    }

    List<Verdict> round() {
        List<Report> reports = new ArrayList<>();
        for (AgentInfo agent : clos.agents()) {
            List<Tally> tallies = probe(agent.id());
            if (!silent.contains(agent.id())) {
                reports.add(new Report(agent, window, 1_000_000, 0, 0, 0, 0, tallies, counters(agent.id())));
            }
        }
        List<Report> all = new ArrayList<>();
        for (Report report : reports) { // damage is known when all have sent
            all.add(new Report(report.from(), report.window(), report.windowNs(), 0, 0, 0, 0, report.tallies(),
                    counters(report.from().id())));
        }
        window++;
        return judge.judge(all);
    }

    private List<Reading> counters(int host) {
        return List.of(Reading.of("eth0", 0, "tx_prio3_pause", pauses.getOrDefault(host, 0L), Unit.COUNT),
                Reading.of("mlx5_0", 1, "rx_icrc_encapsulated", damaged.getOrDefault(host, 0L), Unit.COUNT),
                Reading.refused("eth0", 0, "tx_prio4_pause", "no permission"));
    }

    private List<Tally> probe(int from) {
        List<Tally> tallies = new ArrayList<>();
        for (int i = 0; i < TARGETS; i++) {
            int to = random.nextInt(clos.agents().size());
            if (to != from) {
                probe(from, to, random.nextInt(64), i % 2 == 0 ? 3 : 0, tallies);
            }
        }
        return tallies;
    }

    private void probe(int from, int to, int flow, int level, List<Tally> tallies) {
        boolean[] there = new boolean[SIZES];
        boolean[] back = new boolean[SIZES];
        int last = -1;
        int first = random.nextInt(SIZES);
        for (int i = 0; i < SIZES; i++) {
            int size = (first + i) % SIZES;
            there[i] = passes(from, to, flow, size, level) && (from != sickProber || random.nextBoolean());
            back[i] = there[i] && passes(to, from, flow, size, level);
            last = back[i] ? i : last;
        }
        for (int i = 0; i < SIZES; i++) {
            int size = (first + i) % SIZES;
            int forward = !there[i] && i < last ? 1 : 0;
            int backward = there[i] && !back[i] && i < last ? 1 : 0;
            int unknown = back[i] ? 0 : 1 - forward - backward;
            long ns = back[i] ? ns(from, to, flow, size) + ns(to, from, flow, size) : 0;
            tallies.add(new Tally(to, flow, size, level, 1, forward, backward, unknown, 0, 0, ns, ns,
                    back[i] ? delay(from) : 0, back[i] ? delay(to) : 0));
        }
    }

    private long delay(int host) {
        return delays.containsKey(host) && random.nextInt(10) == 0 ? delays.get(host) : 800 + random.nextInt(400);
    }

    private boolean passes(int from, int to, int flow, int size, int level) {
        if (silent.contains(to) || silent.contains(from) || deaf.contains(to)) {
            return false;
        }
        for (Component part : clos.path(from, to, flow)) {
            if (random.nextDouble() < loss.at(part.name(), size, level, from << 16 ^ to << 8 ^ flow)) {
                if (countsDamage) {
                    damaged.merge(to, 1L, Long::sum);
                }
                return false;
            }
        }
        return true;
    }

    private long ns(int from, int to, int flow, int size) {
        long ns = 0;
        for (Component part : clos.path(from, to, flow)) {
            ns += 150 + 50L * size + (random.nextInt(8) == 0 ? random.nextInt(400) : 0)
                    + slowness.ns(part.name(), size);
        }
        return ns;
    }
}
