package org.jvrpc.benchmarks.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * AOT caches of both ends of a contender (JEP 483, 514, 515): loaded and linked classes, and the profiles of a
 * rehearsal. The JVM that made a cache takes it, with the same class path; no other does.
 */
public final class AotCaches {

    /** The first JDK whose caches have profiles. */
    public static final int FIRST_JDK = 25;

    /** A JVM writes its cache when it ends; a second one, which it starts, lays it out. */
    private static final Duration WRITING = Duration.ofSeconds(120);

    private AotCaches() {
    }

    /** Returns true where this JDK can make them. */
    public static boolean arePossible() {
        return Runtime.version().feature() >= FIRST_JDK;
    }

    /**
     * Rehearses a contender and makes a cache for each of its ends.
     *
     * @param folder where caches go
     * @param rehearsal how old its client becomes
     * @return the contender with its caches: its JVMs do not start where they cannot use them
     */
    public static Contender make(Run run, Contender contender, Path folder, Duration rehearsal)
            throws ContenderException {
        Path cache = folder.resolve(contender.name() + '-' + Contender.END + ".aot");
        // What a JVM says of caches would stand between the answers to commands.
        String[] log = {"-Xlog:disable", "-Xlog:all=warning:stderr"};
        Contender rehearsing = contender.withFlags("-XX:AOTCacheOutput=" + cache, log[0], log[1]);
        try (Pair pair = Pair.start(run, rehearsing, 1)) {
            pair.slices(Workload.NULL, rehearsal);
            pair.awaitEnd(WRITING);
        }
        for (String end : new String[] {"server", "client"}) {
            Path made = Path.of(cache.toString().replace(Contender.END, end));
            if (!Files.isRegularFile(made)) {
                throw new ContenderException(contender.name() + ": its " + end + " left no cache " + made);
            }
        }
        return contender.withFlags("-XX:AOTMode=on", "-XX:AOTCache=" + cache, log[0], log[1]);
    }
}
