package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Pinning;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Table;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.samples.kv.KvLoad;
import org.jvrpc.samples.kv.rpc.KvService;

/**
 * A server under load is killed and started again: what a reader by lookup, one by calls and one of a plain memcached
 * meets. The reader has a processor to itself, everything else is on another one.
 */
public final class CrashRun {

    private static final int OTHERS_CPU = 1;
    private static final int READER_CPU = 0;
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final long BACK_NS = 20_000_000_000L;
    private static final int BEFORE_MS = 500;

    private final Session session;
    private final Path out;
    private final Duration before;
    private final Duration after;
    private final Pinning pinning = new Pinning();

    /** Prepares. @param out folder of the picture; null for none */
    public CrashRun(Session session, Path out, Duration before, Duration after) {
        this.session = session;
        this.out = out;
        this.before = before;
        this.after = after;
    }

    /** What restarts the server, and tells when it serves again, by {@link System#nanoTime()}. */
    private interface Victim extends AutoCloseable {
        /** Kills it at once. @return when */
        long kill() throws IOException;

        /** Waits until it serves again. @return when; 0 when it did not */
        long awaitBack() throws IOException;

        @Override
        void close();
    }

    /** Measures, notes figures, prints a table and draws. */
    public void run() throws IOException, ContenderException {
        List<Lane> lanes = new ArrayList<>();
        pinning.pinSelf(OTHERS_CPU);
        try (Run run = Run.open()) {
            for (String way : List.of("kv-offload", "kv-rpc")) {
                session.progress("crash: " + way);
                String address = "shm://" + way + "-crash-" + ProcessHandle.current().pid();
                try (Victim victim = hull(run.directory(), address)) {
                    lanes.add(lane(run, way, address, victim, writers(run.directory(), address),
                            way.equals("kv-rpc") ? "gets by calls" : "gets by lookup, memory and queues in the hull"));
                }
            }
            if (KvServers.find("memcached") == null) {
                session.out().println("crash: memcached is not installed, and left out");
            } else {
                session.progress("crash: memcached");
                int port = KvServers.freePort();
                try (Victim victim = memcached(run.directory(), port)) {
                    lanes.add(lane(run, "kv-text-tcp", Integer.toString(port), victim, null,
                            "plain memcached over TCP, started again at once"));
                }
            }
        }
        report(lanes);
    }

    private Lane lane(Run run, String contender, String address, Victim victim, Attended writers, String name)
            throws IOException, ContenderException {
        Path file = run.directory().resolve(contender + ".timeline");
        try (writers) {
            Child reader = run.start(contender, List.of("-D" + Timeline.PROPERTY + "=" + file),
                    List.of("client", contender, address, "0"));
            pinning.pin(reader.pid(), READER_CPU);
            reader.ask("latency " + Workload.echo(KvData.VALUE_BYTES) + " 0 " + before.toNanos() * 2 + ' '
                    + Long.MAX_VALUE, before.multipliedBy(2).plus(GRACE));
            pipeline(reader, before);
            reader.answer(before.plus(GRACE));
            pipeline(reader, before.plus(after));
            LockSupport.parkNanos(before.toNanos());
            long killedNs = victim.kill();
            long backNs = victim.awaitBack();
            reader.answer(before.plus(after).plus(GRACE));
            reader.close();
            return Lane.read(name, file, killedNs, backNs);
        }
    }

    private static void pipeline(Child reader, Duration duration) throws ContenderException {
        reader.send("pipeline 1 1 " + duration.toNanos());
    }

    private Attended writers(Path folder, String address) throws IOException {
        List<String> command = new ArrayList<>(pinning.prefix(OTHERS_CPU));
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), KvLoad.class.getName(), "-a", address, "-k", "1000", "-W", "100",
                "-s", Long.toString(before.multipliedBy(4).plus(after).plus(GRACE).toSeconds())));
        return Attended.start(Files.createTempFile(folder, "writers", ".log"), command);
    }

    private Victim hull(Path folder, String address) throws IOException {
        Attended server = KvServers.sample(Files.createTempFile(folder, "hull", ".log"), pinning.prefix(OTHERS_CPU),
                List.of("--hull", "-p", "0", "-a", address));
        KvServers.awaitCalls(server);
        return new Victim() {
            @Override
            public long kill() {
                ProcessHandle application = server.process().children().findFirst()
                        .orElseThrow(() -> new IllegalStateException("the hull has no child"));
                long killedNs = System.nanoTime();
                application.destroyForcibly();
                return killedNs;
            }

            @Override
            public long awaitBack() {
                return awaitCalls(address);
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    private static long awaitCalls(String address) {
        long endNs = System.nanoTime() + BACK_NS;
        while (System.nanoTime() < endNs) {
            try (RpcClient client = RpcClient.builder(address).idle(IdleStrategy.BLOCK).connect()) {
                client.stub(KvService.class).info();
                return System.nanoTime();
            } catch (RpcException e) {
                Attended.pause();
            }
        }
        return 0;
    }

    private Victim memcached(Path folder, int port) throws IOException {
        Path log = folder.resolve("memcached.log");
        Attended first = KvServers.memcached(log, Integer.toString(port), pinning.prefix(OTHERS_CPU));
        return new Victim() {
            private Attended server = first;

            @Override
            public long kill() {
                long killedNs = System.nanoTime();
                server.process().destroyForcibly();
                return killedNs;
            }

            @Override
            public long awaitBack() throws IOException {
                server.close();
                server = KvServers.memcached(log, Integer.toString(port), pinning.prefix(OTHERS_CPU));
                return System.nanoTime();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    private void report(List<Lane> lanes) throws IOException {
        Table table = new Table("", "values", "failed", "missing", "longest gap", "ended after", "of it, running",
                "before the kill", "serves again");
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            String who = List.of("offload", "rpc", "memcached").get(i);
            session.figures().put("redn-crash", who, "failed", lane.failures());
            session.figures().put("redn-crash", who, "missed", lane.misses());
            session.figures().put("redn-crash", who, "gap_ms", lane.gapAfterMs());
            session.figures().put("redn-crash", who, "gap_before_ms", lane.gapBeforeMs());
            session.figures().put("redn-crash", who, "gap_running_ms", lane.ranAfterMs());
            int outage = lane.back() < 0 ? -1 : lane.back() - lane.killed();
            table.add(lane.name(), Long.toString(lane.answers()), Long.toString(lane.failures()),
                    Long.toString(lane.misses()), String.format(Locale.ROOT, "%.2f ms", lane.gapAfterMs()),
                    lane.longestEndedMs() + " ms", String.format(Locale.ROOT, "%.2f ms", lane.ranAfterMs()),
                    String.format(Locale.ROOT, "%.2f ms", lane.gapBeforeMs()),
                    outage < 0 ? "-" : "after " + outage + " ms");
        }
        session.out().println();
        session.out().println(
                "redn-crash: the server is killed (SIGKILL) under load and started again; a reader's gets");
        session.out().print(table);
        if (out != null) {
            Files.createDirectories(out);
            Path file = out.resolve("crash.png");
            CrashPicture.write(file, lanes, -BEFORE_MS, (int) after.toMillis());
            session.out().println("drawn: " + file);
        }
    }
}
