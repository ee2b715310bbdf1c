package org.jvrpc.samples.quickstart.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.samples.quickstart.Orders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code run cluster}: three servers, of which one is killed and one drained, and a fourth that comes, while a client
 * calls. Exit codes: 0 no call failed and each server answered some, 1 otherwise.
 */
@Command(name = "cluster")
public final class ClusterCommand implements Callable<Integer> {

    private static final int SERVERS = 3;
    private static final int MIN_SECONDS = 2;
    private static final int MAX_SECONDS = 600;
    private static final int MAX_THREADS = 32;
    private static final int PARTS = 4;
    private static final int ATTEMPTS = 5;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private final List<Member> members = new ArrayList<>();
    private final long begunNs = System.nanoTime();

    @Spec
    private CommandSpec command;
    @Option(names = "--seconds")
    private int seconds = 8;
    @Option(names = "--threads")
    private int threads = 2;
    @Option(names = "--over")
    private String over = "shm";

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--seconds", seconds, MIN_SECONDS, MAX_SECONDS);
        check("--threads", threads, 1, MAX_THREADS);
        if (!List.of("shm", "tcp", "unix").contains(over)) {
            throw new ParameterException(command.commandLine(), "--over must be shm, tcp or unix, not " + over);
        }
        checkClassPath();
        try (Ensemble ensemble = new Ensemble()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeQuietly(ensemble), "quickstart-cluster-end"));
            return run(ensemble.target());
        }
    }

    private static void checkClassPath() throws IOException {
        try {
            Class.forName("org.apache.curator.test.TestingCluster");
        } catch (ClassNotFoundException e) {
            throw new IOException("cluster needs ZooKeeper and curator-test on the class path, where "
                    + e.getMessage() + " is missing; samples/quickstart/run puts them there");
        }
    }

    private void check(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new ParameterException(command.commandLine(),
                    name + " must be " + low + " to " + high + ", not " + value);
        }
    }

    /** Files of an ensemble must not stay when Ctrl-C ends the run; its servers end by themselves. */
    private static void closeQuietly(Ensemble ensemble) {
        try {
            ensemble.close();
        } catch (IOException e) {
            System.err.println("quickstart: " + e.getMessage());
        }
    }

    private int run(String target) throws IOException, InterruptedException {
        try {
            say("ZooKeeper is at %s", target.replaceFirst("[?].*", ""));
            for (int number = 1; number <= SERVERS; number++) {
                members.add(Member.start(number, address(number), target));
            }
            for (Member member : List.copyOf(members)) {
                ready(member);
            }
            try (RpcClient client = RpcClient.builder(target).connectTimeout(CONNECT_LIMIT)
                    .loadBalancing(LoadBalancing.roundRobin()).retry(RetryPolicy.DEFAULT.withMaxAttempts(ATTEMPTS))
                    .connect();
                 Load load = new Load(client.stub(Orders.class), threads, begunNs)) {
                play(target);
                load.stop();
                return table(load);
            }
        } finally {
            members.forEach(Member::close);
        }
    }

    private String address(int number) {
        String name = "orders-" + ProcessHandle.current().pid() + "-" + number;
        return switch (over) {
            case "tcp" -> "tcp://127.0.0.1:0";
            case "unix" -> "unix://" + Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
            default -> "shm://" + name;
        };
    }

    private void ready(Member member) throws IOException {
        say("%s, process %d, is registered and serves at %s", member, member.pid(), member.awaitReady());
    }

    private void play(String target) throws IOException, InterruptedException {
        long partMs = TimeUnit.SECONDS.toMillis(seconds) / PARTS;
        Thread.sleep(partMs);
        members.get(1).kill();
        say("%s is killed", members.get(1));
        Thread.sleep(partMs);
        say("%s is told to drain", members.get(2));
        say("%s %s", members.get(2), members.get(2).drain());
        Thread.sleep(partMs);
        Member late = Member.start(SERVERS + 1, address(SERVERS + 1), target);
        members.add(late);
        ready(late);
        Thread.sleep(partMs);
    }

    private void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, "%5.1f s  %s%n", (System.nanoTime() - begunNs) / 1e9,
                String.format(Locale.ROOT, format, values));
    }

    private int table(Load load) {
        Map<String, Load.Answers> answers = load.servers();
        System.out.printf("%n%-10s %12s %14s %14s  %s%n",
                "server", "calls", "first answer", "last answer", "at the end");
        long calls = 0;
        boolean idle = false;
        for (Member member : members) {
            Load.Answers own = answers.getOrDefault(member.toString(), new Load.Answers(0, 0, 0));
            calls += own.calls();
            idle |= own.calls() == 0;
            System.out.printf(Locale.ROOT, "%-10s %,12d %12.1f s %12.1f s  %s%n", member, own.calls(),
                    own.first() / 1e9, own.last() / 1e9, member.ended());
        }
        System.out.printf(Locale.ROOT, "%n%,d calls, %,d failed; the longest took %,d ms.%n", calls + load.failed(),
                load.failed(), TimeUnit.NANOSECONDS.toMillis(load.longestNs()));
        if (idle) {
            System.err.println("quickstart: a server had no call");
        }
        return load.failed() == 0 && !idle ? 0 : 1;
    }
}
