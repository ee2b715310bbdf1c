package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.harness.Contender;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.harness.Contest;
import org.jvrpc.benchmarks.harness.Pair;
import org.jvrpc.benchmarks.harness.Pinning;
import org.jvrpc.benchmarks.harness.Run;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.report.Summary;

/**
 * The measurement: rounds over all contenders, a program of perftest beside the verb that it measures. Servers have the
 * first processor to themselves and clients the second, perftest's too. Afterwards, on short runs of their own, what is
 * counted: system calls and allocation.
 */
public final class RdmaRun {

    /** SEND in Java, user driver. */
    public static final String SEND = "rdma-send";
    /** SEND in C. */
    public static final String SEND_C = "rdma-send-c";
    /** SEND in Java, generic driver. */
    public static final String SEND_GENERIC = "rdma-send-generic";
    /** WRITE in Java, user driver. */
    public static final String WRITE = "rdma-write";
    /** READ in Java, user driver. */
    public static final String READ = "rdma-read";
    /** CAS in Java, user driver. */
    public static final String CAS = "rdma-cas";
    /** Calls over {@code rdma://}. */
    public static final String NULL_RPC = "rdma-null-rpc";
    /** The same call over blocking sockets, as users write them. */
    public static final String TCP_BLOCKING = "rdma-tcp-blocking";
    /** The same over sockets that are read in a spin. */
    public static final String TCP_SPINNING = "rdma-tcp-spinning";

    private static final Duration QUICK_WARM_UP = Duration.ofSeconds(6);
    private static final Map<String, Verb> PERFTEST =
            Map.of(SEND, Verb.SEND, WRITE, Verb.WRITE, READ, Verb.READ, CAS, Verb.CAS);
    private static final List<String> COUNTED = List.of(SEND, SEND_GENERIC, WRITE, READ, CAS, NULL_RPC);
    private static final int ALLOCATION_CALLS = 5000;
    private static final int TRACED_CALLS = 1000;
    private static final Duration TRACED_LIMIT = Duration.ofSeconds(10);

    private final Session session;
    private final Pinning pinning = new Pinning();
    private final RdmaRows rows = new RdmaRows();
    private final Duration settle;
    private final Duration round;
    private final int rounds;
    private final int iterations;
    private Perftest perftest;

    /** The measurement of a session. */
    public RdmaRun(Session session) {
        this.session = session;
        this.settle = session.choose(Duration.ofMillis(30), Duration.ofMillis(50));
        this.round = session.choose(Duration.ofMillis(400), Duration.ofMillis(1000));
        this.rounds = session.choose(5, 11);
        this.iterations = session.choose(4000, 12_000);
    }

    /** Measures, notes and prints. */
    public void run() throws IOException {
        List<Contender> contenders = session.contenders(SEND, SEND_C, SEND_GENERIC, WRITE, READ, CAS, NULL_RPC,
                TCP_BLOCKING, TCP_SPINNING);
        try (Run run = Run.open()) {
            perftest = new Perftest(run.directory(), pinning);
            try (Contest contest = session.contest(run, withProgram(contenders, run), 1)) {
                contest.round(this::pin);
                session.progress("warming up");
                contest.round(this::warmUp);
                for (int i = 1; i <= rounds && !contest.isEmpty(); i++) {
                    session.progress("round " + i + " of " + rounds);
                    contest.round(this::measure);
                }
                session.progress("counting");
                contest.round(pair -> count(pair, run));
            }
            session.noteOthers(run.othersCpuFraction());
        }
        new RdmaReport(session, rows, rounds).print();
    }

    private List<Contender> withProgram(List<Contender> contenders, Run run) {
        List<Contender> ready = new ArrayList<>();
        for (Contender contender : contenders) {
            try {
                ready.add(contender.name().equals(SEND_C)
                        ? Contender.ofProgram(SEND_C, CLoop.pingPong(run.directory()))
                        : contender);
            } catch (IOException e) {
                session.fail(SEND_C + ": " + e.getMessage());
            }
        }
        return ready;
    }

    private void pin(Pair pair) throws ContenderException {
        try {
            pinning.pin(pair.server().pid(), 0);
            pinning.pin(pair.client().pid(), 1);
        } catch (IOException e) {
            throw new ContenderException(pair.contender().name() + ": cannot be pinned: " + e.getMessage());
        }
    }

    private void warmUp(Pair pair) throws ContenderException {
        session.warmUp(pair, Workload.NULL.toString(), QUICK_WARM_UP, length -> pair.window(Workload.NULL, length));
    }

    private void measure(Pair pair) throws ContenderException {
        String name = pair.contender().name();
        long packets = packets();
        Summary summary = Summary.of(pair.latency(Workload.NULL, settle, round, Long.MAX_VALUE));
        rows.add(name, summary);
        if (packets() - packets < summary.count()) {
            throw new ContenderException(name + ": " + (packets() - packets) + " packets for " + summary.count()
                    + " calls: they do not cross " + Link.CLIENT.network());
        }
        Verb verb = PERFTEST.get(name);
        if (verb != null && Perftest.has(verb)) {
            pair.stop();
            try {
                rows.add(RdmaRows.perftest(name), perftest.run(verb, iterations));
            } catch (IOException e) {
                session.fail(e.getMessage());
            } finally {
                pair.resume();
            }
        }
    }

    private static long packets() throws ContenderException {
        try {
            return Link.CLIENT.packetsSent();
        } catch (IOException e) {
            throw new ContenderException("packets cannot be counted: " + e.getMessage());
        }
    }

    private void count(Pair pair, Run run) throws ContenderException {
        String name = pair.contender().name();
        if (!COUNTED.contains(name)) {
            return;
        }
        rows.allocated(name, pair.allocated(Workload.NULL, ALLOCATION_CALLS));
        if (!SystemCalls.isPossible()) {
            return;
        }
        try {
            SystemCalls calls = SystemCalls.attach(pair.client().pid(), run.directory());
            long count = pair.latency(Workload.NULL, Duration.ZERO, TRACED_LIMIT, TRACED_CALLS).getTotalCount();
            rows.systemCalls(name, calls.detach(), count);
        } catch (IOException e) {
            throw new ContenderException(name + ": " + e.getMessage());
        }
    }
}
