package org.jvrpc.samples.kv;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.rpc.KvClient;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.rpc.KvWay;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: gets and sets by several clients, every answer checked. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Loads a store by jvRPC and checks every answer.")
public final class KvLoad implements Callable<Integer> {

    @Option(names = {"-a", "--address"}, defaultValue = "shm://kv", paramLabel = "ADDRESS",
            description = "the server's (default: ${DEFAULT-VALUE})")
    private String address;

    @Option(names = {"-w", "--way"}, defaultValue = "rpc", paramLabel = "WAY",
            description = "of gets: rpc, one-sided, offload (default: ${DEFAULT-VALUE})")
    private String way;

    @Option(names = {"-c", "--clients"}, defaultValue = "1", paramLabel = "N",
            description = "threads, each with a client of its own (default: ${DEFAULT-VALUE})")
    private int clients;

    @Option(names = {"-s", "--seconds"}, defaultValue = "5", paramLabel = "N",
            description = "how long (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = {"-k", "--keys"}, defaultValue = "10000", paramLabel = "N",
            description = "keys of each client (default: ${DEFAULT-VALUE})")
    private int keys;

    @Option(names = {"-v", "--value-bytes"}, defaultValue = "32", paramLabel = "N",
            description = "length of values, 16 to 1048576 (default: ${DEFAULT-VALUE})")
    private int valueBytes;

    @Option(names = {"-W", "--writes"}, defaultValue = "5", paramLabel = "PERCENT",
            description = "sets among the operations (default: ${DEFAULT-VALUE})")
    private int writes;

    @Option(names = {"-i", "--idle"}, defaultValue = "ADAPTIVE", paramLabel = "STRATEGY",
            description = "how callers wait for answers: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private IdleStrategy idle;

    @Option(names = "--seed", paramLabel = "N", description = "repeats a run's choices")
    private long seed = System.nanoTime();

    private KvLoad() {
    }

    /** Runs. */
    public static void main(String[] args) {
        CommandLine commandLine = new CommandLine(new KvLoad());
        commandLine.setExecutionExceptionHandler(KvLoad::failed);
        System.exit(commandLine.execute(args));
    }

    private static int failed(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) throws Exception {
        if (e instanceof IllegalArgumentException || e instanceof RpcException) {
            commandLine.getErr().println("kv: " + e.getMessage());
            return e instanceof IllegalArgumentException ? 2 : 1;
        }
        throw e;
    }

    private KvWay way() {
        for (KvWay each : KvWay.values()) {
            if (each.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(way)) {
                return each;
            }
        }
        throw new IllegalArgumentException("--way " + way + ": rpc, one-sided or offload");
    }

    private static void range(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(option + " " + value + ": " + low + " to " + high);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        range("--clients", clients, 1, 256);
        range("--seconds", seconds, 1, 7 * 24 * 3600);
        range("--keys", keys, 1, 10_000_000);
        range("--value-bytes", valueBytes, LoadClient.MIN_VALUE, 1 << 20);
        range("--writes", writes, 0, 100);
        KvClient.Settings settings = KvClient.Settings.of(way()).withIdle(idle);
        List<LoadClient> loads = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                LoadClient load = new LoadClient(KvClient.connect(address, settings), i, keys, valueBytes, writes,
                        seed + i);
                loads.add(load);
                load.fill();
            }
            run(loads);
            return report(loads, System.out);
        } finally {
            loads.forEach(LoadClient::close);
        }
    }

    private void run(List<LoadClient> loads) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (LoadClient load : loads) {
            Thread thread = new Thread(load, "load-" + threads.size());
            threads.add(thread);
            thread.start();
        }
        Thread end = new Thread(() -> loads.forEach(LoadClient::stop));
        Runtime.getRuntime().addShutdownHook(end);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (Thread thread : threads) {
            thread.join(Math.max(1, (endNs - System.nanoTime()) / 1_000_000));
        }
        loads.forEach(LoadClient::stop);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Prints what was measured. @return the exit code: 1 after a wrong answer */
    private int report(List<LoadClient> loads, PrintStream out) {
        Histogram getNs = LoadClient.histogram();
        Histogram setNs = LoadClient.histogram();
        long wrong = 0;
        long unavailable = 0;
        long evicted = 0;
        double perSecond = 0;
        for (LoadClient load : loads) {
            getNs.add(load.getNs());
            setNs.add(load.setNs());
            wrong += load.wrong();
            unavailable += load.unavailable();
            evicted += load.evicted();
            perSecond += load.operationsPerSecond();
        }
        out.printf(Locale.ROOT, "%s: %d client%s, %.1f k operations/s, seed %d%n", way, clients,
                clients == 1 ? "" : "s", perSecond / 1e3, seed);
        line(out, "gets", getNs);
        line(out, "sets", setNs);
        StringBuilder how = new StringBuilder("answered");
        for (Answered each : Answered.values()) {
            long count = loads.stream().mapToLong(load -> load.counts().get(each)).sum();
            if (count > 0) {
                how.append(' ').append(each.name().toLowerCase(Locale.ROOT)).append('=').append(count);
            }
        }
        out.println(how);
        out.printf("hits=%d misses=%d unavailable=%d wrong=%d%n", getNs.getTotalCount() - evicted, evicted, unavailable,
                wrong);
        loads.stream().map(LoadClient::firstWrong).filter(java.util.Objects::nonNull).limit(3)
                .forEach(what -> out.println("WRONG: " + what));
        return wrong == 0 ? 0 : 1;
    }

    private static void line(PrintStream out, String what, Histogram times) {
        if (times.getTotalCount() > 0) {
            out.printf(Locale.ROOT, "%s: %d, p50 %.2f us, p99 %.2f us, p99.9 %.2f us, max %.1f us%n", what,
                    times.getTotalCount(), times.getValueAtPercentile(50) / 1e3, times.getValueAtPercentile(99) / 1e3,
                    times.getValueAtPercentile(99.9) / 1e3, times.getMaxValue() / 1e3);
        }
    }
}
