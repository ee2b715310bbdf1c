package org.jvrpc.tools.fabric;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.fabric.search.FaultSearch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc fabric search}. */
@Command(name = "search",
        description = {"Tries random schedules of faults, a seed each: does the RC service keep its promises?",
            "A schedule that breaks one is made as small as it goes and printed as a JUnit test.",
            "Exit code 0 when nothing was found, 1 when something was, 2 for wrong arguments."})
final class SearchCommand implements Callable<Integer> {

    private static final int BATCH = 1000;
    private static final double NS_PER_S = 1e9;

    @Option(names = "--schedules", paramLabel = "N", defaultValue = "10000",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    private long schedules;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1",
            description = "The first seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--seconds", paramLabel = "T", description = "End after so many, too.")
    private Long seconds;

    @Option(names = "--retries", paramLabel = "N", defaultValue = "7", hidden = true,
            description = "Of a QP; fewer than 7 plant a fault.")
    private int retries;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (schedules < 1 || seconds != null && seconds < 1 || retries < 0 || retries > 7) {
            throw new ParameterException(spec.commandLine(), "--schedules=" + schedules + " and --seconds=" + seconds
                    + " are 1 at least, --retries=" + retries + " is 0 to 7");
        }
        PrintWriter out = spec.commandLine().getOut();
        FaultSearch search = new FaultSearch(retries, true);
        long beginNs = System.nanoTime();
        long done = 0;
        FaultSearch.Found found = null;
        while (found == null && done < schedules && (seconds == null || elapsed(beginNs) < seconds)) {
            long count = Math.min(BATCH, schedules - done);
            found = search.search(seed + done, count);
            done += count;
        }
        out.printf(Locale.ROOT, "tried %d schedules, seeds %d to %d, in %.1f s: %s%n", search.tried(), seed,
                seed + done - 1, elapsed(beginNs), found == null ? "no violation" : "a violation");
        if (found != null) {
            out.print(found.asTest());
        }
        out.flush();
        return found == null ? 0 : 1;
    }

    private static double elapsed(long beginNs) {
        return (System.nanoTime() - beginNs) / NS_PER_S;
    }
}
