package org.jvrpc.tools.watch.pingmesh;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.Metrics;
import org.jvrpc.watch.PathMap;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.blame.PathBlamer;
import org.jvrpc.watch.collect.Collector;
import org.jvrpc.watch.collect.CollectorSettings;
import org.jvrpc.watch.history.History;
import org.jvrpc.watch.history.HistoryStore;
import org.jvrpc.watch.paths.PathFile;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.registry.Registries;
import org.jvrpc.watch.web.LivePage;
import org.jvrpc.watch.web.WatchServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh collector}. */
@Command(name = "collector",
        description = {"Takes the reports of agents, says who is to blame, and serves a live page and /metrics.",
            "Exit code 0 when it ends and nothing was found; 1 when somebody was blamed or an alert raised; 2 for wrong"
                + " arguments; 3 when it could not be measured."})
final class CollectorCommand implements Callable<Integer> {

    private static final long LOOK_MS = 200;
    private static final long PATHS_NS = 1_000_000_000;

    @Option(names = "--registry", paramLabel = "WHERE",
            description = "What the agents have: a folder, a file, or zk://host:port[,host:port]/path.")
    private String registry;

    @Option(names = "--key-file", required = true, paramLabel = "FILE",
            description = "The keys of the agents: id:hex in a line, one or two lines.")
    private Path keyFile;

    @Option(names = "--paths", paramLabel = "FILE",
            description = "Which ways flows take, as traceroutes told; 'jvrpc pingmesh trace --help' says how it is"
                + " made. It is read anew when it changes. Without it, hosts and racks alone are blamed.")
    private Path paths;

    @Option(names = "--bind", defaultValue = "127.0.0.1", paramLabel = "HOST",
            description = "By default ${DEFAULT-VALUE}: whoever reaches the port may read.")
    private String bind;

    @Option(names = "--port", defaultValue = "9099", description = "0: any; by default ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--names", split = ",", paramLabel = "NAME",
            description = "Names under which browsers may ask, besides localhost and addresses.")
    private List<String> names = List.of();

    @Option(names = "--window", defaultValue = "30",
            description = "Seconds, as the agents have it; by default ${DEFAULT-VALUE}.")
    private double window;

    @Option(names = "--history", paramLabel = "DIR", description = "Where to keep figures over restarts; by default"
            + " nowhere.")
    private Path history;

    @Option(names = "--history-bytes", defaultValue = "1073741824",
            description = "Most bytes of the history; by default ${DEFAULT-VALUE}.")
    private long historyBytes;

    @Option(names = "--loss-limit", defaultValue = "2", paramLabel = "PERCENT",
            description = "Loss that raises an alert; by default ${DEFAULT-VALUE}.")
    private double lossLimit;

    @Option(names = "--p99-limit", defaultValue = "0", paramLabel = "US",
            description = "99th percentile of the time on the network that raises an alert, in microseconds; by default"
                + " none does.")
    private double p99Limit;

    @Option(names = "--seconds", description = "End after so many; by default it goes on.")
    private Double seconds;

    @Option(names = "--simulate", paramLabel = "N", description = "Instead of a registry: N made-up agents, whose"
            + " reports 'pingmesh simulate-agents' writes; time goes by them.")
    private Integer simulate;

    @Spec
    private CommandSpec spec;

    private final CountDownLatch ending = new CountDownLatch(1);
    private long found;

    @Override
    public Integer call() {
        CollectorSettings settings;
        try {
            settings = CollectorSettings.defaults(ProbeLayout.VERSION).withWindowNs(Math.round(window * 1e9))
                    .withLimits(lossLimit / 100, Math.round(p99Limit * 1e3));
            if (registry == null == (simulate == null)) {
                throw new IllegalArgumentException("--registry or --simulate, one of them");
            }
            if (simulate != null && (simulate < 2 || simulate > 5_000)) {
                throw new IllegalArgumentException("--simulate=" + simulate + ": 2 to 5000");
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Thread own = Thread.currentThread();
        Thread hook = new Thread(() -> end(own));
        Runtime.getRuntime().addShutdownHook(hook);
        try (Registry agents = agents(); PathFile ways = paths == null ? null : ways(agents);
                History store = history == null ? null : HistoryStore.open(history, historyBytes)) {
            return serve(settings, agents, ways, store, ProbeKeys.read(keyFile));
        } catch (IOException e) {
            spec.commandLine().getErr().println("could not be measured: " + e.getMessage());
            return 3;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            removeHook(hook);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // it is what ended this
        }
    }

    private void end(Thread own) {
        ending.countDown();
        try {
            own.join(3_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Registry agents() throws IOException {
        if (simulate == null) {
            return Registries.open(registry, null);
        }
        FixedRegistry fixed = new FixedRegistry();
        fixed.set(MadeUpAgents.list(simulate));
        return fixed;
    }

    private PathFile ways(Registry agents) {
        try {
            return PathFile.open(paths, agents::agents, PATHS_NS);
        } catch (IOException e) {
            throw new IllegalArgumentException("--paths " + e.getMessage(), e);
        }
    }

    private int serve(CollectorSettings settings, Registry agents, PathFile ways, History store, ProbeKeys keys)
            throws IOException {
        MadeUpAgents.ReportTime madeUp = simulate == null ? null : new MadeUpAgents.ReportTime(settings.windowNs());
        PathBlamer blamer = new PathBlamer(ways == null ? PathMap.UNKNOWN : ways, agents::agents);
        PathNews news = ways == null ? null : new PathNews(ways, blamer, spec.commandLine().getErr());
        Collector collector = new Collector(settings, agents, reports -> {
            List<Verdict> verdicts = blamer.judge(reports);
            found += verdicts.size();
            return verdicts;
        }, store, madeUp == null ? Clock.SYSTEM : madeUp);
        ReportIntake intake = new ReportIntake(keys, report -> {
            if (madeUp != null) {
                madeUp.saw(report.window());
            }
            collector.accept(report);
        });
        try (WatchServer server = WatchServer.bind(bind, port, names)) {
            LivePage.serve(server, collector.page());
            server.metrics("/metrics", to -> write(to, collector, intake, news)).post("/report", intake).start();
            PrintWriter out = spec.commandLine().getOut();
            out.println("collector at " + server.url() + ", reports to " + server.url() + "report");
            out.flush();
            long endNs = System.nanoTime() + (seconds == null ? Long.MAX_VALUE / 4 : Math.round(seconds * 1e9));
            while (System.nanoTime() - endNs < 0 && !ending.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                if (news != null) {
                    news.look();
                }
                collector.look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return found + collector.alerts().size() > 0 ? 1 : 0;
    }

    private static void write(Metrics to, Collector collector, ReportIntake intake, PathNews news) {
        collector.metrics().write(to);
        to.counter("jvrpc_pingmesh_posts_refused_total", "Posts that were no reports of these agents.", intake.forged(),
                "reason", "seal");
        to.counter("jvrpc_pingmesh_posts_refused_total", "Posts that were no reports of these agents.",
                intake.senseless(), "reason", "layout");
        if (news != null) {
            news.write(to);
        }
    }
}
