package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.HistogramFile;
import org.jvrpc.benchmarks.harness.Pinning;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Measured;
import org.jvrpc.benchmarks.report.Summary;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.KvLoad;

/**
 * One reader while 16 writers keep the server's processor busy: server and writers are on one processor, the reader on
 * another. Its gets by calls wait for the server's turn; those by lookup and READ do not.
 */
public final class IsolationRun {

    private static final int WRITERS = 16;
    /** A reader that asks only when it was answered would meet the server's long pauses once each, and hide them. */
    private static final int INTERVAL_US = 50;
    private static final int SERVER_CPU = 1;
    private static final int READER_CPU = 0;
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** Writers that poll, as clients of RDMA do and as the reader does, and writers that sleep when it takes long. */
    private static final List<IdleStrategy> WAITING = List.of(IdleStrategy.SPIN, IdleStrategy.ADAPTIVE);
    private static final List<String> WAYS = List.of("kv-rpc", "kv-offload", "kv-one-sided");

    private final Session session;
    private final Duration warmUp;
    private final Duration round;
    private final int rounds;
    private final Map<Child, Path> files = new HashMap<>();
    private final Pinning pinning = new Pinning();
    private final List<Measured> alone = new ArrayList<>();
    private final Map<IdleStrategy, List<Measured>> beside = new EnumMap<>(IdleStrategy.class);

    /** Prepares. */
    public IsolationRun(Session session, Duration warmUp, Duration round, int rounds) {
        this.session = session;
        this.warmUp = warmUp;
        this.round = round;
        this.rounds = rounds;
        for (int i = 0; i < WAYS.size(); i++) {
            alone.add(new Measured());
            for (IdleStrategy idle : WAITING) {
                beside.computeIfAbsent(idle, key -> new ArrayList<>()).add(new Measured());
            }
        }
    }

    /** Measures, notes figures and prints a table. */
    public void run() throws IOException, ContenderException {
        if (!pinning.isPossible()) {
            session.out().println();
            session.out().println("redn-isolation: left out, taskset is not installed or there is one processor only");
            return;
        }
        pinning.pinSelf(SERVER_CPU);
        String address = "shm://kv-isolation-" + ProcessHandle.current().pid();
        try (Run run = Run.open();
             Attended server = KvServers.sample(run.directory().resolve("server.log"), pinning.prefix(SERVER_CPU),
                     List.of("-p", "-1", "-s", run.directory().resolve("socket").toString(), "-a", address))) {
            KvServers.awaitCalls(server);
            List<Child> readers = new ArrayList<>();
            for (String way : WAYS) {
                Path file = run.directory().resolve(way + ".histogram");
                Child reader = run.start(way, List.of("-D" + HistogramFile.PROPERTY + "=" + file),
                        List.of("client", way, address, "0"));
                files.put(reader, file);
                pinning.pin(reader.pid(), READER_CPU);
                readers.add(reader);
            }
            session.progress("isolation: warming up");
            for (Child reader : readers) {
                // As fast as it goes: at fixed times there are too few gets for the compiler to be through.
                reader.ask("latency " + Workload.echo(KvData.VALUE_BYTES) + " 0 " + warmUp.toNanos() + ' '
                        + Long.MAX_VALUE, warmUp.plus(GRACE));
                turn(reader, warmUp);
                reader.stop();
            }
            measure(readers, alone, "alone");
            for (IdleStrategy idle : WAITING) {
                besideWriters(run, address, readers, idle);
            }
        }
        WAITING.forEach(this::report);
    }

    private void besideWriters(Run run, String address, List<Child> readers, IdleStrategy idle)
            throws IOException, ContenderException {
        Duration busy = round.multipliedBy((long) rounds * WAYS.size()).plus(GRACE);
        Path log = run.directory().resolve("writers-" + idle + ".log");
        try (Attended writers = writers(log, address, busy, idle)) {
            settle(readers.get(1));
            measure(readers, beside.get(idle), "beside " + WRITERS + " writers that wait by " + idle);
            if (!writers.process().isAlive()) {
                throw new ContenderException("the writers ended: " + Files.readString(log));
            }
        }
    }

    private Attended writers(Path log, String address, Duration busy, IdleStrategy idle) throws IOException {
        List<String> command = new ArrayList<>(pinning.prefix(SERVER_CPU));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), KvLoad.class.getName(), "-a", address, "-c",
                Integer.toString(WRITERS), "-k", "200", "-W", "100", "-i", idle.name(), "-s",
                Long.toString(busy.toSeconds())));
        return Attended.start(log, command);
    }

    /** The writers' start takes its time; the reader by lookup does not mind. */
    private void settle(Child reader) throws ContenderException, IOException {
        reader.resume();
        turn(reader, warmUp.plusSeconds(2));
        reader.stop();
    }

    private void measure(List<Child> readers, List<Measured> into, String what)
            throws ContenderException, IOException {
        for (int i = 1; i <= rounds; i++) {
            session.progress("isolation: " + what + ", round " + i + " of " + rounds);
            for (int way = 0; way < readers.size(); way++) {
                Child reader = readers.get(way);
                reader.resume();
                into.get(way).add(Summary.of(turn(reader, round)));
                reader.stop();
            }
        }
    }

    private Histogram turn(Child reader, Duration duration) throws ContenderException, IOException {
        reader.ask("pipeline 1 " + INTERVAL_US + ' ' + duration.toNanos(), duration.plus(GRACE));
        return HistogramFile.read(files.get(reader));
    }

    private void report(IdleStrategy idle) {
        String bench = idle == IdleStrategy.SPIN ? "redn-isolation"
                : "redn-isolation-" + idle.name().toLowerCase(Locale.ROOT);
        Table table = new Table("gets by", "p50 alone", "p99 alone", "p50 beside", "p99 beside", "p99 / alone",
                "rpc's p99 / this");
        double rpc = beside.get(idle).get(0).median().p99();
        for (int i = 0; i < WAYS.size(); i++) {
            String who = WAYS.get(i).substring("kv-".length());
            Summary without = alone.get(i).median();
            Summary with = beside.get(idle).get(i).median();
            if (idle == IdleStrategy.SPIN) {
                session.figures().put("redn-isolation-alone", who, without);
            }
            session.figures().put(bench, who, with);
            session.figures().put(bench, who, "alone_ratio", (double) with.p99() / without.p99());
            session.figures().put(bench, who, "rpc_ratio", rpc / with.p99());
            table.add(who, Format.duration(without.p50()), Format.duration(without.p99()),
                    Format.duration(with.p50()), Format.duration(with.p99()),
                    Format.ratio((double) with.p99() / without.p99()), Format.ratio(rpc / with.p99()));
        }
        session.out().println();
        session.out().println(bench + ": a reader that asks every " + INTERVAL_US + " us; beside it " + WRITERS
                + " writers, which wait by " + idle + ", and the server share one processor; medians of " + rounds
                + " rounds");
        session.out().print(table);
    }
}
