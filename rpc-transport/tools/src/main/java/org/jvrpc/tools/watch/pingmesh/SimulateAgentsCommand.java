package org.jvrpc.tools.watch.pingmesh;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.report.ReportLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh simulate-agents}. */
@Command(name = "simulate-agents",
        description = {"Writes the reports of many made-up agents to a 'collector --simulate', as fast as it takes"
                + " them.",
            "Exit code 0 when all were taken; 1 when some were refused; 2 for wrong arguments; 3 when the collector"
                + " cannot be reached."})
final class SimulateAgentsCommand implements Callable<Integer> {

    private static final double HOUR_NS = 3.6e12;
    private static final long FIRST = 1_000_000;

    @Option(names = "--to", required = true, paramLabel = "URL", description = "The collector: http://127.0.0.1:9099")
    private String to;

    @Option(names = "--key-file", required = true, paramLabel = "FILE", description = "Its keys.")
    private Path keyFile;

    @Option(names = "--agents", defaultValue = "1000", description = "By default ${DEFAULT-VALUE}.")
    private int agents;

    @Option(names = "--hours", defaultValue = "24", description = "By default ${DEFAULT-VALUE}.")
    private double hours;

    @Option(names = "--window", defaultValue = "30", description = "Seconds; by default ${DEFAULT-VALUE}.")
    private double window;

    @Option(names = "--every", defaultValue = "1", paramLabel = "N",
            description = "Report each N-th window alone, to be done sooner; by default each.")
    private int every;

    @Option(names = "--json", description = "Print one object of JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2)).build();
    private long taken;
    private long refused;
    private String why;

    @Override
    public Integer call() {
        URI report;
        ProbeSeal seal;
        try {
            report = URI.create(to).resolve("/report");
            seal = new ProbeSeal(ProbeKeys.read(keyFile));
            if (agents < 2 || agents > 5_000 || every < 1 || !(hours > 0 && hours <= 1_000) || !(window >= 0.001)) {
                throw new IllegalArgumentException("--agents=" + agents + " of 2 to 5000, --hours=" + hours
                        + " of 0 to 1000, --window=" + window + ", --every=" + every);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (IOException e) {
            spec.commandLine().getErr().println("could not be measured: " + e.getMessage());
            return 3;
        }
        long beganNs = System.nanoTime();
        long windowNs = Math.round(window * 1e9);
        long windows = Math.max(1, Math.round(hours * HOUR_NS / windowNs));
        try {
            List<AgentInfo> all = MadeUpAgents.list(agents);
            for (long i = 0; i < windows; i += every) {
                for (int agent = 0; agent < agents; agent++) {
                    post(report, ReportLayout.write(MadeUpAgents.report(all, agent, FIRST + i, windowNs), seal));
                }
            }
        } catch (IOException e) {
            spec.commandLine().getErr().println("collector " + to + " cannot be reached: " + e
                    + "; is 'jvrpc pingmesh collector --simulate " + agents + "' running?");
            return 3;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 3;
        }
        double took = (System.nanoTime() - beganNs) / 1e9;
        if (json) {
            spec.commandLine().getOut().println(new JsonWriter().object().name("agents").value(agents).name("windows")
                    .value((windows + every - 1) / every).name("taken").value(taken).name("refused").value(refused)
                    .name("why").value(why).name("seconds").value(took).end());
        } else {
            spec.commandLine().getOut().printf(Locale.ROOT, "%d reports taken, %d refused%s, in %.1f s%n", taken,
                    refused, why == null ? "" : " (" + why + ")", took);
        }
        spec.commandLine().getOut().flush();
        return refused > 0 ? 1 : 0;
    }

    private void post(URI report, byte[] body) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(report).timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 == 2) {
            taken++;
        } else {
            refused++;
            why = answer.statusCode() + " " + answer.body().strip();
        }
    }
}
