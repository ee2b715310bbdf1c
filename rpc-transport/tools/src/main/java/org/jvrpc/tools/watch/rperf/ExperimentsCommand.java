package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.fabric.experiments.Measured;
import org.jvrpc.watch.fabric.experiments.Order;
import org.jvrpc.watch.fabric.experiments.SixExperiments;
import org.jvrpc.watch.fabric.experiments.SixExperiments.Panel;
import org.jvrpc.watch.fabric.experiments.SixExperiments.Row;
import org.jvrpc.watch.fabric.experiments.SixSvg;
import org.jvrpc.watch.rperf.ResultJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc rperf experiments}. */
@Command(name = "experiments",
        description = {"The six experiments of RPerf's paper in the simulated fabric, measured by rperf: what one short"
                + " message each 5 us (LSG) waits beside bulks to the same target, under two policies of the switch.",
            "Exit code 0 when the orders are the paper's; 1 when one is not; 2 for wrong arguments; 3 when the picture"
                + " cannot be written."})
final class ExperimentsCommand implements Callable<Integer> {

    private static final double NS_PER_US = 1e3;
    private static final int PANELS = 5;

    @Option(names = "--milliseconds", paramLabel = "N", defaultValue = "4",
            description = "Of simulated time for each, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int milliseconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a picture of all, beside each other.")
    private Path svg;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;
    private int done;

    @Override
    public Integer call() {
        if (milliseconds < 1 || milliseconds > 1000) {
            throw new ParameterException(spec.commandLine(), "--milliseconds=" + milliseconds
                    + " is not within 1 to 1000");
        }
        List<Panel> panels = SixExperiments.run(milliseconds * 1_000_000L, seed, this::progress);
        List<Order> orders = Order.of(panels);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? toJson(panels, orders) + System.lineSeparator() : text(panels, orders));
        out.flush();
        if (svg != null) {
            try {
                Files.writeString(svg, SixSvg.of(panels, "A short message's round trip beside bulks, by rperf: 40 Gb/s,"
                        + " seed " + seed + ", DCQCN none"), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return Output.refuse(spec.commandLine(), "experiments", "no picture: " + e);
            }
        }
        return orders.stream().allMatch(order -> order.holds() || !order.isOfThePaper()) ? RperfCommand.MEASURED
                : RperfCommand.FOUND;
    }

    private void progress() {
        if (System.console() != null) {
            PrintWriter err = spec.commandLine().getErr();
            done++;
            err.print(done == PANELS ? "\r\033[K" : "\r" + done + " of " + PANELS + " ");
            err.flush();
        }
    }

    private static String text(List<Panel> panels, List<Order> orders) {
        StringBuilder out = new StringBuilder();
        for (Panel panel : panels) {
            out.append(String.format("%s%n%-22s %-44s%s%n", panel.title(), panel.axis(), "first come",
                    "round robin among ports"));
            for (Row row : panel.rows()) {
                out.append(String.format("%-22s %-44s%s%n", row.label(), figures(row.firstCome()),
                        figures(row.roundRobin())));
            }
            out.append(System.lineSeparator());
        }
        for (Order order : orders) {
            out.append(String.format("%-14s %s%n", order.holds() ? "holds" : order.isOfThePaper() ? "DOES NOT HOLD"
                    : "not here", order.text()));
        }
        return out.toString();
    }

    private static String figures(Measured one) {
        return String.format(Locale.ROOT, "p50 %.3f p99 %.3f us", one.p50Ns() / NS_PER_US, one.p99Ns() / NS_PER_US)
                + (one.gamerGbps() == 0 ? "" : String.format(Locale.ROOT, ", gamer %.1f Gb/s", one.gamerGbps()));
    }

    private String toJson(List<Panel> panels, List<Order> orders) {
        JsonWriter out = new JsonWriter().object().name("seed").value(seed).name("milliseconds").value(milliseconds)
                .name("orders").array();
        for (Order order : orders) {
            out.object().name("order").value(order.text()).name("paper").value(order.isOfThePaper()).name("holds")
                    .value(order.holds()).end();
        }
        out.end().name("experiments").array();
        for (Panel panel : panels) {
            out.object().name("title").value(panel.title()).name("axis").value(panel.axis()).name("rows").array();
            for (Row row : panel.rows()) {
                out.object().name("label").value(row.label());
                write(out.name("firstCome"), row.firstCome());
                write(out.name("roundRobin"), row.roundRobin());
                out.end();
            }
            out.end().end();
        }
        return out.end().end().toString();
    }

    private static void write(JsonWriter out, Measured one) {
        out.object().name("bulkGbps").value(one.bulkGbps()).name("gamerGbps").value(one.gamerGbps()).name("lsg");
        ResultJson.write(out, one.lsg());
        out.end();
    }
}
