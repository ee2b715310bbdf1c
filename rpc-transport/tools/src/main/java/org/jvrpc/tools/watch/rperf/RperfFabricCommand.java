package org.jvrpc.tools.watch.rperf;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.fabric.rperf.Accuracy;
import org.jvrpc.watch.fabric.rperf.Accuracy.Report;
import org.jvrpc.watch.fabric.rperf.Accuracy.Setup;
import org.jvrpc.watch.fabric.rperf.Accuracy.Way;
import org.jvrpc.watch.rperf.ResultJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf fabric}. */
@Command(name = "fabric",
        description = {"Measures in the simulated fabric, where the truth is known, and says how far the subtraction is"
                + " from it, and how far a figure without it would be.",
            "The truth is from the first bit that leaves until the acknowledgement is there. The subtraction takes out"
                + " what the bits of loopback itself are in the NIC; here it is known how long that is, and added"
                + " again. On devices it is not known: their errors are those without these bits.",
            "Exit code 0 when no error is above its limit: 1 %% of mean and p50 at --load 0, 5 %% above, or 2 ns; 1"
                + " when one is; 2 for wrong arguments."})
final class RperfFabricCommand implements Callable<Integer> {

    private static final double IDLE = 0.01;
    private static final double BUSY = 0.05;
    private static final double ROUNDING_NS = 2;
    private static final double PERCENT = 100;

    @Option(names = "--load", paramLabel = "PERCENT", split = ",", defaultValue = "0,90",
            description = "Of NICs and PCIe of both hosts, 0 to 95. Default: ${DEFAULT-VALUE}.")
    private List<Double> loads;

    @Option(names = "--way", paramLabel = "WAY", split = ",", defaultValue = "tor,leaf,spine",
            description = "Where the peer is: at the same ToR, over a leaf, over a spine. Default: ${DEFAULT-VALUE}.")
    private List<String> ways;

    @Option(names = "--item", paramLabel = "TIME", defaultValue = "20ns",
            description = "What a piece of the other work takes of a NIC: a free parameter. Default: ${DEFAULT-VALUE}.")
    private String item;

    @Option(names = "--milliseconds", paramLabel = "N", defaultValue = "100",
            description = "Of simulated time, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    private int milliseconds;

    @Option(names = "--seed", paramLabel = "N", split = ",", defaultValue = "1",
            description = "One or several. Default: ${DEFAULT-VALUE}.")
    private List<Long> seeds;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Report> reports = new ArrayList<>();
        try {
            if (milliseconds < 1 || milliseconds > 10_000) {
                throw new IllegalArgumentException("--milliseconds=" + milliseconds + " is not within 1 to 10000");
            }
            long itemNs = Words.timeNs("--item", item);
            if (itemNs < 1 || itemNs > 1_000_000) {
                throw new IllegalArgumentException("--item=" + item + " is not within 1ns to 1ms");
            }
            for (Way way : ways.stream().map(RperfFabricCommand::way).toList()) {
                for (double load : loads) {
                    for (long seed : seeds) {
                        reports.add(Accuracy.run(Setup.of(load / PERCENT, milliseconds * 1_000_000L, seed)
                                .withWay(way).withItemNs(itemNs)));
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(toJson(reports));
        } else {
            out.println("                   ___ truth, ns ___  ___ rperf, ns ___  error, %      without bits    without"
                    + " loopback");
            out.println("way   load   seed    mean      p50      mean      p50    mean    p50    mean    p50    mean"
                    + "    p50        n");
            reports.forEach(report -> out.println(line(report)));
        }
        out.flush();
        return reports.stream().allMatch(RperfFabricCommand::isWithin) ? RperfCommand.MEASURED : RperfCommand.FOUND;
    }

    private static Way way(String word) {
        for (Way way : Way.values()) {
            if (way.name().equalsIgnoreCase(word)) {
                return way;
            }
        }
        throw new IllegalArgumentException("--way=" + word + " is none of tor, leaf, spine");
    }

    private static boolean isWithin(Report report) {
        double limit = Math.max(report.setup().load() == 0 ? IDLE : BUSY,
                ROUNDING_NS / report.truthMeanNs());
        return Math.abs(report.meanError()) <= limit && Math.abs(report.p50Error()) <= limit;
    }

    private static String line(Report report) {
        return String.format(Locale.ROOT,
                "%-5s %5.1f%% %4d %8.1f %8d  %8.1f %8d  %+6.2f %+6.2f  %+6.2f %+6.2f  %+6.1f %+6.1f %8d",
                report.setup().way().name().toLowerCase(Locale.ROOT), report.fetchLoad() * PERCENT,
                report.setup().seed(), report.truthMeanNs(), report.truthP50Ns(), report.result().meanOfAllNs(),
                report.result().rtt().p50Ns(), report.meanError() * PERCENT, report.p50Error() * PERCENT,
                report.meanErrorWithoutBits() * PERCENT, report.p50ErrorWithoutBits() * PERCENT,
                report.rawMeanError() * PERCENT, report.rawP50Error() * PERCENT, report.messages());
    }

    private static String toJson(List<Report> reports) {
        JsonWriter out = new JsonWriter().object().name("reports").array();
        for (Report report : reports) {
            out.object().name("way").value(report.setup().way().name().toLowerCase(Locale.ROOT))
                    .name("load").value(report.setup().load()).name("seed").value(report.setup().seed())
                    .name("itemNs").value(report.setup().itemNs())
                    .name("fetchLoad").value(report.fetchLoad()).name("completeLoad").value(report.completeLoad())
                    .name("messages").value(report.messages())
                    .name("truthMeanNs").value(report.truthMeanNs()).name("truthP50Ns").value(report.truthP50Ns())
                    .name("truthP99Ns").value(report.truthP99Ns()).name("portNs").value(report.portNs())
                    .name("meanError").value(report.meanError()).name("p50Error").value(report.p50Error())
                    .name("p99Error").value(report.p99Error())
                    .name("meanErrorWithoutBits").value(report.meanErrorWithoutBits())
                    .name("p50ErrorWithoutBits").value(report.p50ErrorWithoutBits())
                    .name("rawMeanError").value(report.rawMeanError())
                    .name("rawP50Error").value(report.rawP50Error())
                    .name("within").value(isWithin(report)).name("result");
            ResultJson.write(out, report.result());
            out.end();
        }
        return out.end().end().toString();
    }
}
