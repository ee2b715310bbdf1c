package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.watch.rperf.ResultJson;
import org.jvrpc.watch.rperf.ResultPicture;
import org.jvrpc.watch.rperf.ResultText;
import org.jvrpc.watch.rperf.RperfResult;
import picocli.CommandLine;

/** What commands print, and their exit codes. */
final class Output {

    private static final double NS_PER_US = 1e3;

    private Output() {
    }

    /** Prints results and writes pictures, where there are paths for them; returns the exit code. */
    static int print(CommandLine to, List<RperfResult> results, long limitP99Ns, boolean json, Path svg, Path png)
            throws IOException {
        List<String> found = found(results, limitP99Ns);
        PrintWriter out = to.getOut();
        if (json) {
            out.println(ResultJson.of(results, found));
        } else {
            results.forEach(result -> out.print(ResultText.of(result)));
            together(out, results);
            found.forEach(line -> out.println("FOUND: " + line));
        }
        out.flush();
        if (results.stream().allMatch(result -> result.pairs() == 0)) {
            return refuse(to, "run", withCure("not one pair completed" + results.stream().map(RperfResult::trouble)
                    .filter(trouble -> trouble != null).findFirst().map(trouble -> ": " + trouble).orElse(""),
                    "jvrpc doctor on both hosts"));
        }
        if (svg != null) {
            Files.writeString(svg, ResultPicture.svg(results), StandardCharsets.UTF_8);
        }
        if (png != null) {
            HistogramPng.write(results, png);
        }
        return found.isEmpty() ? RperfCommand.MEASURED : RperfCommand.FOUND;
    }

    /** Those of one size were measured at a time. */
    private static void together(PrintWriter out, List<RperfResult> results) {
        results.stream().map(result -> result.pattern().bytes()).distinct().forEach(bytes -> {
            List<RperfResult> same = results.stream().filter(result -> result.pattern().bytes() == bytes).toList();
            if (same.stream().map(RperfResult::name).distinct().count() > 1) {
                out.printf(Locale.ROOT, "together: %,d B, %,.0f pairs a second, %.3f Gb/s over the wire%n", bytes,
                        same.stream().mapToDouble(RperfResult::rate).sum(),
                        same.stream().mapToDouble(RperfResult::gbps).sum());
            }
        });
    }

    private static List<String> found(List<RperfResult> results, long limitP99Ns) {
        List<String> found = new ArrayList<>();
        for (RperfResult result : results) {
            String who = result.name() + ", " + result.pattern().bytes() + " B: ";
            if (result.trouble() != null) {
                found.add(who + "ended early: " + result.trouble());
            }
            if (result.unfinished() > 0) {
                found.add(who + result.unfinished() + " pairs did not complete");
            }
            if (result.pairs() > 0 && result.rtt().count() == 0) {
                found.add(who + "not one of " + result.pairs() + " samples is above 0: the wire takes no longer than"
                        + " loopback as far as this host can tell");
            }
            if (result.rtt().p99Ns() > limitP99Ns) {
                found.add(String.format(Locale.ROOT, "%sp99 is %.3f us, the limit %.3f us", who,
                        result.rtt().p99Ns() / NS_PER_US, limitP99Ns / NS_PER_US));
            }
        }
        return found;
    }

    /** Says in one line why nothing was measured; returns the exit code. */
    static int refuse(CommandLine to, String command, String why) {
        to.getErr().println("jvrpc rperf " + command + ": " + why);
        to.getErr().flush();
        return RperfCommand.NOT_MEASURED;
    }

    /** Returns what is wrong with what helps. */
    static String withCure(String problem, String cure) {
        return problem + (problem.endsWith("?") || problem.endsWith(".") ? " Cure: " : ". Cure: ") + cure;
    }

    /** Returns what a device says, with the peer's words where it refused. */
    static String words(RuntimeException problem) {
        if (problem instanceof ConnectionException refused
                && refused.reason() == ConnectionException.Reason.REJECTED && refused.privateData().length > 0) {
            return refused.getMessage() + ": \"" + new String(refused.privateData(), StandardCharsets.US_ASCII)
                    .replaceAll("[^ -~]", "") + "\"";
        }
        return String.valueOf(problem.getMessage());
    }
}
