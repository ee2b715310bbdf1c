package org.jvrpc.tools.watch.counters;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.counters.CounterMetrics;
import org.jvrpc.watch.counters.CounterTable;
import org.jvrpc.watch.counters.HostCounters;
import org.jvrpc.watch.counters.Rule;
import org.jvrpc.watch.counters.ServedCounters;
import org.jvrpc.watch.web.WatchServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc counters}. */
@Command(name = "counters",
        description = {"Reads the counters of RDMA devices from three sources, under the same names.",
            "Sources: sysfs, 'rdma statistic', 'ethtool -S'. What cannot be read is named with the reason.",
            "--watch says how they grow, and how long pauses are; --alert holds rules against them.",
            "Exit code 0 when each rule was judged and kept, or there is none; 1 when a rule's limit was passed; 2 for"
                + " wrong arguments; 3 when there is no device, no counter can be read, or a rule was never judged; of"
                + " 'default', one judged rule is enough."})
public final class CountersCommand implements Callable<Integer> {

    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 86_400;
    private static final double SCRAPED_SECONDS = 10;
    private static final int MOST_PORT = 65_535;
    private static final String DEFAULT = "default";

    @Option(names = "--device", paramLabel = "NAME",
            description = "An RDMA device, or a network interface; may be repeated. Default: all RDMA devices.")
    private List<String> devices = new ArrayList<>();

    @Option(names = "--watch", paramLabel = "SECONDS", description = "Read again and again: 0.1 to 86400.")
    private Double watch;

    @Option(names = "--count", paramLabel = "N", description = "End after N readings.")
    private Long count;

    @Option(names = "--alert", paramLabel = "RULE",
            description = {"[DEVICE:]COUNTER > NUMBER[/s|%%] [for TIMES]; < for less; * for anything; may be repeated.",
                "For instance 'out_of_sequence > 10/s', or 'rx_prio*_pause_duration > 20%% for 3'.",
                "'default': what is wrong in any fabric without loss.",
                "Without --watch, two readings are made, one second apart."})
    private List<String> alerts = new ArrayList<>();

    @Option(names = "--from", paramLabel = "URL",
            description = "Read what another process serves, as http://127.0.0.1:9400/metrics; may be repeated."
                + " Devices of this host are read besides only when --device names them.")
    private List<String> urls = new ArrayList<>();

    @Option(names = "--prometheus", paramLabel = "PORT",
            description = "Serve what was read last at /metrics; 0: any port. Reads every 10 s without --watch,"
                + " and then prints alerts only.")
    private Integer port;

    @Option(names = "--bind", paramLabel = "ADDRESS", description = "Where --prometheus is served. Default: 127.0.0.1.")
    private String bind;

    @Option(names = "--json", description = "Print JSON, one object a reading.")
    private boolean json;

    @Option(names = "--raw", description = "The drivers' names and numbers as they are, of each source by itself.")
    private boolean raw;

    @Option(names = "--all", description = "Counters of single rings, and of neither loss nor pauses, too.")
    private boolean all;

    @Option(names = "--nonzero", description = "Leave out what is 0.")
    private boolean nonzero;

    @Spec
    private CommandSpec spec;

    private final HostCounters host;
    private final Clock clock;
    private final Reader.Pause pause;

    /** Reads this host. */
    public CountersCommand() {
        this(HostCounters.real(), Clock.SYSTEM, Reader.Pause.SLEEP);
    }

    CountersCommand(HostCounters host, Clock clock, Reader.Pause pause) {
        this.host = host;
        this.clock = clock;
        this.pause = pause;
    }

    @Override
    public Integer call() {
        Reader.Plan plan = plan();
        PrintWriter err = spec.commandLine().getErr();
        List<CounterSource> sources = new ArrayList<>(served());
        try {
            if (sources.isEmpty() || !devices.isEmpty()) {
                sources.addAll(host.all(all).raw(raw).sources(devices));
            }
        } catch (IllegalArgumentException e) {
            return nothing(err, e.getMessage());
        }
        if (sources.isEmpty()) {
            return nothing(err, "no RDMA device: /sys/class/infiniband is empty or missing; load a driver, for instance"
                    + " 'rdma link add rxe0 type rxe netdev eth0', or name an interface by --device");
        }
        try (CounterTable table = table(sources)) {
            return port == null ? read(table, plan, new CounterMetrics(), err) : serve(table, plan, err);
        }
    }

    private CounterTable table(List<CounterSource> sources) {
        return raw ? CounterTable.ofEach(sources, clock::nowNs) : CounterTable.of(sources, clock::nowNs);
    }

    private int read(CounterTable table, Reader.Plan plan, CounterMetrics metrics, PrintWriter err) {
        PrintWriter out = spec.commandLine().getOut();
        boolean quiet = port != null && watch == null;
        Printer printer = json ? new JsonPrinter(out) : new TextPrinter(out, nonzero, raw, quiet);
        return new Reader(table, plan, metrics, clock, pause).run(printer, err);
    }

    private int serve(CounterTable table, Reader.Plan plan, PrintWriter err) {
        CounterMetrics metrics = new CounterMetrics();
        try (WatchServer server = WatchServer.bind(bind, port, List.of()).metrics("/metrics", metrics).start()) {
            err.println("serving " + server.url() + "metrics");
            err.flush();
            return read(table, plan, metrics, err);
        } catch (IOException e) {
            return nothing(err, e.getMessage());
        }
    }

    private List<CounterSource> served() {
        List<CounterSource> sources = new ArrayList<>();
        for (String url : urls) {
            try {
                sources.add(ServedCounters.from(url));
            } catch (IllegalArgumentException e) {
                throw wrong("--from: " + e.getMessage());
            }
        }
        return sources;
    }

    private static int nothing(PrintWriter err, String why) {
        err.println("jvrpc counters: " + why);
        err.flush();
        return Reader.NOT_MEASURED;
    }

    private Reader.Plan plan() {
        List<Rule> defaults = alerts.contains(DEFAULT) ? Rule.DEFAULTS.stream().map(this::rule).toList() : List.of();
        List<Rule> rules = new ArrayList<>();
        alerts.stream().filter(alert -> !alert.equals(DEFAULT)).map(this::rule).forEach(rules::add);
        rules.addAll(defaults);
        if (raw && !rules.isEmpty()) {
            throw wrong("--alert is of the common names, which --raw does not print");
        }
        if (watch != null && !(watch >= LEAST_SECONDS && watch <= MOST_SECONDS)) {
            throw wrong("--watch " + watch + ": not " + LEAST_SECONDS + " to " + MOST_SECONDS + " seconds");
        }
        if (port != null && (port < 0 || port > MOST_PORT)) {
            throw wrong("--prometheus " + port + ": not 0 to " + MOST_PORT);
        }
        if (bind != null && port == null) {
            throw wrong("--bind without --prometheus");
        }
        if (count != null && count < 1) {
            throw wrong("--count " + count + ": less than 1");
        }
        boolean rates = rules.stream().anyMatch(Rule::needsRate);
        double seconds = watch != null ? watch : port != null ? SCRAPED_SECONDS : 1;
        long readings = count != null ? count : watch != null || port != null ? Long.MAX_VALUE : rates ? 2 : 1;
        return new Reader.Plan(rules, defaults, (long) (seconds * 1e9), readings);
    }

    private Rule rule(String text) {
        try {
            return Rule.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong("--alert: " + e.getMessage());
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
