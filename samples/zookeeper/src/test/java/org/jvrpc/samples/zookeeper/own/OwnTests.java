package org.jvrpc.samples.zookeeper.own;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Runs ZooKeeper's own tests with the plugin on both sides, each class in a JVM of its own with a time limit.
 *
 * <pre>
 * own-tests [--list] [--stock] [--limit SECONDS] [--parallel COUNT] [--out DIR] [--table FILE]
 *           [--resume] [--minutes MINUTES] [CLASS ...]
 * </pre>
 */
public final class OwnTests {

    private static final String CLIENT = "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketJvrpc";
    private static final String SERVER =
            "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.JvrpcServerCnxnFactory";
    /** The superuser whom ZooKeeper's own build gives its tests. */
    private static final String SUPER =
            "-Dzookeeper.DigestAuthenticationProvider.superDigest=super:D/InIHSb7yEEbrWz8b9l71RjZJU=";

    private static final String LONG_WAY = "-Djvrpc.zookeeper.shortWay=false";
    private static final String FALLBACK = "-Djvrpc.zookeeper.fallback=tcp";

    private final Selection selection = new Selection(Selection.onClassPath("zookeeper-[0-9.]+-tests\\.jar"));
    private final List<String> wanted = new ArrayList<>();
    private final Map<String, OwnResult> results = new ConcurrentSkipListMap<>();
    private boolean listOnly;
    private boolean stock;
    private boolean resume;
    private long minutes = 24 * 60;
    private long limitSeconds = 240;
    private int parallel = 1;
    private Path out = Path.of("target", "own-tests");
    private Path table;

    OwnTests(String... args) throws IOException {
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--list" -> listOnly = true;
                case "--stock" -> stock = true;
                case "--resume" -> resume = true;
                case "--minutes" -> minutes = Long.parseLong(args[++i]);
                case "--limit" -> limitSeconds = Long.parseLong(args[++i]);
                case "--parallel" -> parallel = Integer.parseInt(args[++i]);
                case "--out" -> out = Path.of(args[++i]);
                case "--table" -> table = Path.of(args[++i]);
                default -> wanted.add(args[i]);
            }
        }
    }

    /** Runs them; exit code 1 when one failed. */
    public static void main(String[] args) throws Exception {
        System.exit(new OwnTests(args).run());
    }

    /** Returns 0 when all went well, 1 when something failed. */
    int run() throws IOException, InterruptedException {
        Map<String, String> classes = selection.classes();
        Map<String, String> chosen = new TreeMap<>();
        classes.forEach((name, reason) -> {
            if (wanted.isEmpty() || wanted.contains(name.substring(name.lastIndexOf('.') + 1))) {
                chosen.put(name, reason);
            }
        });
        if (listOnly) {
            chosen.forEach((name, reason) -> System.out.println(name + (reason.isEmpty() ? "" : "  -- " + reason)));
            return 0;
        }
        Files.createDirectories(out);
        ExecutorService lanes = Executors.newFixedThreadPool(parallel);
        AtomicInteger nextLane = new AtomicInteger();
        ThreadLocal<Integer> lane = ThreadLocal.withInitial(nextLane::incrementAndGet);
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        chosen.forEach((name, reason) -> {
            if ((reason.isEmpty() || !wanted.isEmpty()) && !isDone(name)) {
                lanes.execute(() -> {
                    if (System.nanoTime() < endNs) {
                        runOne(name, lane.get());
                    }
                });
            }
        });
        lanes.shutdown();
        lanes.awaitTermination(1, TimeUnit.DAYS);
        if (table != null) {
            Files.writeString(table, OwnTable.of(results, chosen, selection, stock));
        }
        return results.values().stream().allMatch(OwnResult::isGood) ? 0 : 1;
    }

    /** Takes over the result of a run before; true when it was a good one. */
    private boolean isDone(String name) {
        Path output = out.resolve(name + ".out");
        if (!resume || !Files.exists(output)) {
            return false;
        }
        try {
            OwnResult before = OwnResult.of(Files.readString(output, StandardCharsets.ISO_8859_1), 0);
            results.put(name, before); // until it is run again
            return before.isGood();
        } catch (IOException e) {
            return false;
        }
    }

    private void runOne(String name, int lane) {
        OwnResult result;
        long startNs = System.nanoTime();
        Path output = out.resolve(name + ".out");
        try {
            Path folder = Files.createTempDirectory(Path.of("/dev/shm").toFile().canWrite() ? Path.of("/dev/shm") : out,
                    "zk-own");
            Process process = new ProcessBuilder(command(name, lane, folder))
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start();
            boolean ended = process.waitFor(limitSeconds, TimeUnit.SECONDS);
            if (!ended) {
                dump(process);
                process.destroyForcibly().waitFor();
            }
            long seconds = (System.nanoTime() - startNs) / 1_000_000_000;
            result = ended ? OwnResult.of(Files.readString(output, StandardCharsets.ISO_8859_1), seconds)
                    : new OwnResult(0, 0, 1, "time limit of " + limitSeconds + " s", seconds);
            delete(folder);
        } catch (IOException e) {
            result = new OwnResult(0, 0, 1, e.toString(), 0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        results.put(name, result);
        System.out.printf("%-70s %s%n", name.replace(Selection.PREFIX, ""), result);
    }

    private static void dump(Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
        process.waitFor(2, TimeUnit.SECONDS);
    }

    private List<String> command(String name, int lane, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
                "-Dbuild.test.dir=" + folder, "-Djava.io.tmpdir=" + folder,
                "-Djvrpc.shm.dir=" + folder.resolve("jvrpc"), SUPER,
                "-Dtest.junit.threads=" + parallel, "-Dzookeeper.junit.threadid=" + lane,
                "-Djunit.jupiter.execution.timeout.default=" + limitSeconds + " s",
                "-Down.log=" + out.resolve(name + ".log").toAbsolutePath()));
        if (!stock) {
            command.addAll(List.of(CLIENT, SERVER));
        }
        command.add("-D" + OneClass.LEFT_OUT + "=" + String.join(",", selection.testsLeftOut(name).keySet()));
        String text = selection.text(name);
        if (text.contains("NettyServerCnxn") || text.contains("PortForwarder")) {
            command.add(FALLBACK); // clients meet a server that was switched to Netty, or a forwarder of TCP
        }
        if (text.contains("ThrottledOpHelper")) {
            command.add(LONG_WAY); // it replaces a method of the throttler, by which requests then have to go
        }
        if (text.contains("mockit/") || text.contains("ThrottledOpHelper")) {
            command.add("-javaagent:" + Selection.onClassPath("jmockit-[0-9.]+\\.jar"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OneClass.class.getName(), name));
        return command;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
