package org.jvrpc.tools.watch.pingmesh;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.agent.AgentLoop;
import org.jvrpc.watch.agent.AgentSettings;
import org.jvrpc.watch.agent.PingAgent;
import org.jvrpc.watch.agent.verbs.VerbsProbes;
import org.jvrpc.watch.counters.DeviceCounters;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.probe.ProbeSeal;
import org.jvrpc.watch.registry.Registries;
import org.jvrpc.watch.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh agent}. */
@Command(name = "agent",
        description = {"Probes the other agents of the registry from this host's device, and answers them.",
            "Prints a report of each window, or gives it to a collector. Exit code 0 when it ends and nothing was lost;"
                + " 1 when more was than --loss-limit; 2 for wrong arguments; 3 when it could not be measured."})
final class AgentCommand implements Callable<Integer> {

    private static final long ENDING_MS = 3_000;

    @Option(names = "--device", required = true, paramLabel = "ADDRESS",
            description = "The device: roce://ADDRESS-OF-THIS-HOST:0, or rdma://ADDRESS:0?device=NAME.")
    private String device;

    @Option(names = "--registry", required = true, paramLabel = "WHERE",
            description = "Where agents find each other: zk://host:port[,host:port]/path, or a folder that all share,"
                + " where each puts a file of its own.")
    private String registry;

    @Option(names = "--key-file", required = true, paramLabel = "FILE",
            description = "The keys that seal probes and reports: id:hex in a line, one or two lines; the first is"
                + " written by.")
    private Path keyFile;

    @Option(names = "--name", description = "Of this agent; by default that of the host.")
    private String name;

    @Option(names = "--id", description = "A number that no other agent has; by default it follows from the name.")
    private Integer id;

    @Option(names = "--rack", defaultValue = "rack0", description = "By default ${DEFAULT-VALUE}.")
    private String rack;

    @Option(names = "--pod", defaultValue = "pod0", description = "By default ${DEFAULT-VALUE}.")
    private String pod;

    @Option(names = "--rate", defaultValue = "5", description = "Probes a second; by default ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--window", defaultValue = "30", description = "Seconds a report; by default ${DEFAULT-VALUE}.")
    private double window;

    @Option(names = "--timeout", defaultValue = "500", paramLabel = "MS",
            description = "An answer is lost after so many milliseconds; by default ${DEFAULT-VALUE}.")
    private double timeout;

    @Option(names = "--settle", defaultValue = "2", paramLabel = "SECONDS",
            description = "Nobody is probed at first, until all know this agent; by default ${DEFAULT-VALUE}.")
    private double settle;

    @Option(names = "--flows", defaultValue = "4",
            description = "Flows to each agent; by default ${DEFAULT-VALUE}. On roce:// a socket each, on rdma_rxe a QP"
                + " each, on a card a flow label each.")
    private int flows;

    @Option(names = "--sl", split = ",", defaultValue = "0", paramLabel = "N",
            description = "Service levels of probes, 0 to 7, each with its class selector as DSCP: 0,3. By default"
                + " ${DEFAULT-VALUE}.")
    private int[] levels;

    @Option(names = "--cpu-limit", defaultValue = "2", paramLabel = "PERCENT",
            description = "Of a core; an agent that takes more probes less; by default ${DEFAULT-VALUE}.")
    private double cpuLimit;

    @Option(names = "--to", paramLabel = "URL", description = "The collector, for instance http://10.0.0.1:9099.")
    private String collector;

    @Option(names = "--reports", description = "End after so many; by default it goes on.")
    private Integer reports;

    @Option(names = "--loss-limit", defaultValue = "2", paramLabel = "PERCENT",
            description = "Loss of a window that is a finding; by default ${DEFAULT-VALUE}.")
    private double lossLimit;

    @Option(names = "--json", description = "Print each report as an object of JSON, in a line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private boolean found;
    private int given;

    @Override
    public Integer call() {
        AgentSettings settings;
        try {
            settings = AgentSettings.defaults().withRate(rate, Math.round(window * 1e9))
                    .withTimeoutNs(Math.round(timeout * 1e6)).withSettleNs(Math.round(settle * 1e9))
                    .withServiceLevels(levels).withCpuLimit(cpuLimit / 100);
            if (reports != null && reports < 1) {
                throw new IllegalArgumentException("--reports must be at least 1, reports=" + reports);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try {
            return measure(settings, ProbeKeys.read(keyFile));
        } catch (IOException | VerbsException e) {
            spec.commandLine().getErr().println("could not be measured: " + e.getMessage());
            return 3;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int measure(AgentSettings settings, ProbeKeys keys) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        AgentLoop[] loop = new AgentLoop[1];
        CountDownLatch ended = new CountDownLatch(1);
        Thread ending = new Thread(() -> end(loop, ended));
        try (VerbsProbes probes = VerbsProbes.open(device, flows)) {
            AgentInfo self = self(probes.address());
            try (Registry agents = Registries.open(registry, self);
                    ReportPost post = collector == null ? null
                            : new ReportPost(collector, new ProbeSeal(keys), why -> say(err, why))) {
                PingAgent agent = new PingAgent(self, settings, keys, probes, agents, Clock.SYSTEM, report -> {
                    take(report, post);
                    if (reports != null && ++given == reports) {
                        loop[0].close();
                    }
                }, new SecureRandom().nextLong());
                agent.withCounters(() -> counters(probes, post));
                loop[0] = new AgentLoop(agent, probes, Clock.SYSTEM);
                err.println("agent " + self.name() + " id=" + self.id() + " on " + device + ", flows by "
                        + probes.flowKind() + ": " + probes.flows());
                err.flush();
                Runtime.getRuntime().addShutdownHook(ending);
                loop[0].run();
            }
        } finally {
            ended.countDown();
            forget(ending);
        }
        return found ? 1 : 0;
    }

    /** The process is asked to end: the loop ends, and its entry in the registry goes. */
    private static void end(AgentLoop[] loop, CountDownLatch ended) {
        loop[0].close();
        try {
            ended.await(ENDING_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // it is what ended the loop
        }
    }

    private static void say(PrintWriter err, String why) {
        err.println(why == null ? "collector is there again" : why);
        err.flush();
    }

    private AgentInfo self(byte[] address) throws UnknownHostException {
        String own = name != null ? name : InetAddress.getLocalHost().getHostName();
        int number = id != null ? id : own.hashCode() & Integer.MAX_VALUE;
        if (number < 0) {
            throw new IllegalArgumentException("--id must be 0 or more, id=" + number);
        }
        return new AgentInfo(number, own, rack, pod, address, ProbeLayout.VERSION, new SecureRandom().nextLong());
    }

    private List<Reading> counters(VerbsProbes probes, ReportPost post) {
        List<Reading> all = new ArrayList<>();
        try (CounterSource own = new DeviceCounters(probes.device(), device.replaceFirst(":.*", ""))) {
            all.addAll(own.read());
        }
        if (post != null) {
            all.add(Reading.of("agent", 0, "reports_dropped", post.dropped(), Unit.COUNT));
        }
        return all;
    }

    private void take(Report report, ReportPost post) {
        long sent = report.tallies().stream().mapToLong(tally -> tally.sent()).sum();
        long lost = report.tallies().stream()
                .mapToLong(tally -> tally.lostForward() + tally.lostBack() + tally.lostUnknown()).sum();
        found |= lost * 100 > lossLimit * sent;
        if (post != null) {
            post.accept(report);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(ReportJson.of(report));
        } else if (post == null) {
            ReportText.print(report, out);
        }
        out.flush();
    }
}
