package org.jvrpc.router.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.router.TestRouter;
import org.jvrpc.router.map.Rule;

/**
 * Usage: HostileTenant [--mutations N] [--seconds S] [--seed K] [--folder PATH].
 *
 * <p>A router, a hostile tenant and its accomplice that write whatever they can, and two neighbours that call each
 * other each 10 ms. Ends by itself, after so many mutations or seconds. Exit code: 0; 1 for a finding: a byte of a
 * stranger's, a status or an end that is none of the neighbours', a call that waited 100 ms beyond what the machine
 * explains; 2 for wrong arguments.
 */
public final class HostileTenant {

    private static final long STALL_NS = 100_000_000;

    private final Mutator mutator;
    private final Watchdog watchdog;
    private final long seed;

    private HostileTenant(TestRouter router, Neighbours neighbours, long seed, long mutations, long seconds,
            long stallNs) {
        this.seed = seed;
        this.mutator = new Mutator(router, seed, mutations, seconds);
        this.watchdog = new Watchdog(neighbours, stallNs, mutator::isOver);
    }

    /** Runs; returns what was found, nothing where all is well. @param folder that is empty, best of a tmpfs */
    static List<String> run(Path folder, long seed, long mutations, long seconds, long stallNs)
            throws InterruptedException {
        try (TestRouter router = new TestRouter(folder, "one", "two", "hostile", "accomplice")) {
            router.view().apply(new Rule(HostileGround.ONE, HostileGround.TWO, 0, 0xffff, true),
                    new Rule(HostileGround.HOSTILE, HostileGround.ACCOMPLICE, 0, 0xffff, true),
                    new Rule(HostileGround.ACCOMPLICE, HostileGround.HOSTILE, 0, 0xffff, true));
            Neighbours neighbours = new Neighbours(router.open("one"), router.open("two"), router.address(1));
            neighbours.goOn();
            List<String> findings =
                    new HostileTenant(router, neighbours, seed, mutations, seconds, stallNs).run();
            if (findings.isEmpty()) {
                neighbours.close();
            }
            return findings;
        }
    }

    private List<String> run() throws InterruptedException {
        Thread mutating = new Thread(mutator, "mutator");
        Thread watching = new Thread(watchdog, "watchdog");
        mutating.setDaemon(true);
        watching.setDaemon(true);
        mutating.start();
        watching.start();
        mutating.join();
        watching.join();
        List<String> findings = new ArrayList<>();
        if (watchdog.finding != null) {
            findings.add("neighbours: " + watchdog.finding);
        }
        if (watchdog.stalls > 0) {
            findings.add("calls that waited too long=" + watchdog.stalls + " longest ms="
                    + watchdog.longestNs / 1_000_000);
        }
        if (mutator.trouble != null) {
            findings.add("the mutator ended: " + mutator.trouble);
        }
        System.out.println("seed=" + seed + " mutations=" + mutator.mutations + " lives=" + mutator.lives + " calls="
                + watchdog.calls + " longest call us=" + watchdog.longestNs / 1_000 + " findings=" + findings);
        return findings;
    }

    /** Runs the program. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long mutations = 1_000_000;
        long seconds = 60;
        long seed = System.nanoTime();
        Path parent = Path.of("/dev/shm");
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            switch (args[i]) {
                case "--mutations" -> mutations = Long.parseLong(value);
                case "--seconds" -> seconds = Long.parseLong(value);
                case "--seed" -> seed = Long.parseLong(value);
                case "--folder" -> parent = Path.of(value);
                default -> {
                    System.err.println("no such option: " + args[i]);
                    System.exit(2);
                }
            }
        }
        System.out.println("seed=" + seed);
        Path folder = Files.createTempDirectory(parent, "jvrpc-hostile-");
        List<String> findings;
        try {
            findings = run(folder, seed, mutations, seconds, STALL_NS);
        } finally {
            delete(folder);
        }
        System.exit(findings.isEmpty() ? 0 : 1);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
