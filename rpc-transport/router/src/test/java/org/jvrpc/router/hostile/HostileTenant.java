package org.jvrpc.router.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.router.TestRouter;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;

/**
 * Usage: HostileTenant [--mutations N] [--seconds S] [--seed K] [--folder PATH].
 *
 * <p>A router, a hostile tenant and its accomplice that write whatever they can, and two neighbours that call each
 * other each 10 ms, for so many seconds (60). Exit code: 0; 1 for a finding: a byte of a stranger's, a status or an end
 * that is none of the neighbours', a call that waited 100 ms beyond what the machine explains, something of the hostile
 * tenants' that is still on their quotas, or fewer than so many mutations (1,000,000); 2 for wrong arguments.
 */
public final class HostileTenant {

    private static final long STALL_NS = 100_000_000;
    /** How often it says how far it is. */
    private static final long TELL_MS = 60_000;

    private final TestRouter router;
    private final Mutator mutator;
    private final Watchdog watchdog;
    private final long seed;
    private final long least;

    /**
     * How much of it.
     *
     * @param least mutations, fewer are a finding
     * @param most mutations, which end it before its time
     */
    record Extent(long least, long most, long seconds) { }

    private HostileTenant(TestRouter router, Neighbours neighbours, long seed, Extent extent, long stallNs) {
        this.router = router;
        this.seed = seed;
        this.least = extent.least();
        this.mutator = new Mutator(router.dir("hostile"), router.dir("accomplice"), seed, extent.most(),
                extent.seconds());
        this.watchdog = new Watchdog(neighbours, stallNs, mutator::isOver);
    }

    /**
     * Runs; returns what was found, nothing where all is well.
     *
     * @param folder that is empty, best of a tmpfs
     * @param stallNs what a call may take beyond what the machine explains
     */
    static List<String> run(Path folder, long seed, Extent extent, long stallNs)
            throws InterruptedException {
        try (TestRouter router = new TestRouter(folder, "one", "two", "hostile", "accomplice")) {
            router.view().apply(new Rule(HostileGround.ONE, HostileGround.TWO, 0, 0xffff, true),
                    new Rule(HostileGround.HOSTILE, HostileGround.ACCOMPLICE, 0, 0xffff, true),
                    new Rule(HostileGround.ACCOMPLICE, HostileGround.HOSTILE, 0, 0xffff, true));
            Neighbours neighbours = new Neighbours(router.open("one"), router.open("two"), router.address(1));
            neighbours.goOn();
            List<String> findings =
                    new HostileTenant(router, neighbours, seed, extent, stallNs).run();
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
        while (mutating.isAlive()) {
            mutating.join(TELL_MS);
            System.out.println(this);
        }
        watching.join();
        List<String> findings = new ArrayList<>();
        if (watchdog.finding != null) {
            findings.add("neighbours: " + watchdog.finding);
        }
        if (watchdog.stalls > 0) {
            findings.add("calls that waited too long=" + watchdog.stalls);
        }
        if (mutator.trouble != null) {
            findings.add("the mutator ended: " + mutator.trouble);
        }
        if (mutator.mutations.get() < least) {
            findings.add("mutations=" + mutator.mutations + " of " + least);
        }
        try {
            Waits.until("all that the hostile tenants had to be given back", () -> held().isEmpty(), this::held);
        } catch (AssertionError e) {
            findings.add(e.getMessage());
        }
        System.out.println(this + " findings=" + findings);
        return findings;
    }

    /** Returns what the hostile tenants have on their quotas. */
    private List<String> held() {
        try {
            return router.server().status().tenants().stream()
                    .filter(one -> !one.id().equals(HostileGround.ONE) && !one.id().equals(HostileGround.TWO))
                    .filter(one -> one.has().values().stream().anyMatch(count -> count != 0))
                    .map(one -> one.id() + " has " + one.has()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "seed=" + seed + " mutations=" + mutator.mutations + " lives=" + mutator.lives + " " + watchdog;
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
            findings = run(folder, seed, new Extent(mutations, Long.MAX_VALUE, seconds), STALL_NS);
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
