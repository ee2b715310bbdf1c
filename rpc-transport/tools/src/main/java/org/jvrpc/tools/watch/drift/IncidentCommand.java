package org.jvrpc.tools.watch.drift;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.drift.Difference;
import org.jvrpc.watch.fabric.state.AlphaIncident;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc drift incident}. */
@Command(name = "incident",
        description = {"The incident of SIGCOMM 2016, in the simulated fabric: at 100 ms an update sets a switch's"
                + " alpha from 1/16 to 1/64, from 400 ms on over 1000 servers answer at once. The same look as that of"
                + " 'jvrpc drift' is made again and again.",
            "Exit code 0 when nothing was found; 1 when the switch was found; 2 for wrong arguments."})
final class IncidentCommand implements Callable<Integer> {

    private static final long MS = 1_000_000;
    private static final long MOST_MS = 450;

    @Option(names = "--repair", description = "Set right what is found, at once.")
    private boolean repair;

    @Option(names = "--poll", paramLabel = "MS", defaultValue = "50",
            description = "Time between two looks, 1 to 450 ms of simulated time. Default: 50.")
    private long pollMs;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: 1.")
    private long seed;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (pollMs < 1 || pollMs > MOST_MS) {
            throw new ParameterException(spec.commandLine(), "--poll=" + pollMs + ": 1 to " + MOST_MS);
        }
        AlphaIncident.Result result = AlphaIncident.run(repair, pollMs * MS, seed);
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? json(result) : text(result));
        out.flush();
        return result.found() == null ? 0 : 1;
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%.1f ms", ns / 1e6);
    }

    private static String text(AlphaIncident.Result result) {
        Difference found = result.found();
        String first = found == null ? "nothing was found"
                : ms(result.foundNs()) + "  found: " + found.key() + " of " + found.subject() + " is " + found.found()
                        + ", wanted " + found.desired() + "; since some time between " + found.notBeforeMs() + " and "
                        + found.sinceMs() + " ms";
        String repaired = result.repaired() && found != null ? "\n" + ms(result.foundNs()) + "  " + found.remedy() : "";
        String pauses = result.pauses() == 0 ? "no pause to an uplink"
                : result.pauses() + " pauses to uplinks, the first at " + ms(result.firstPauseNs());
        return ms(result.updatedNs()) + "  an update sets alpha of T0 to 1/64\n" + first + repaired + "\n"
                + result.answers() + " answers from 400 ms on: " + pauses + ", " + result.drops() + " frames dropped";
    }

    private String json(AlphaIncident.Result result) {
        JsonWriter writer = new JsonWriter().object().name("seed").value(seed).name("repaired").value(result.repaired())
                .name("updatedNs").value(result.updatedNs()).name("foundNs").value(result.foundNs())
                .name("firstPauseNs").value(result.firstPauseNs()).name("pauses").value(result.pauses()).name("answers")
                .value(result.answers()).name("drops").value(result.drops()).name("found").array();
        if (result.found() != null) {
            Shown.member(writer, result.found());
        }
        return writer.end().end().toString();
    }
}
