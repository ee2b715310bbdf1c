package org.jvrpc.fabric.experiment;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jvrpc.fabric.experiment.EcmpThroughput.Coupling;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.SendWork.Operation;

/** Runs experiments by name, with the paper's sizes and times, and prints what came of them. */
public final class Experiments {

    private static final List<String> NAMES =
            List.of("hops", "livelock", "deadlock", "storm", "slow-receiver", "alpha", "latency", "ecmp");
    private static final long MS = 1_000_000;
    private static final int PAGE = 4096;
    private static final long FORTY = 40_000_000_000L;
    private static final long MESSAGE = 128 << 10;
    private static final int WINDOW = 1 << 14;
    private static final int WRITE = 64 << 10;
    private static final int LARGE_PAGE = 2 << 20;

    private Experiments() {
    }

    /**
     * Runs those that are named, or all.
     *
     * @param args names; a number among them is the seed, 1 without one
     */
    public static void main(String[] args) {
        long seed = 1;
        PrintStream out = System.out;
        boolean named = false;
        for (String arg : args) {
            if (arg.matches("\\d+")) {
                seed = Long.parseLong(arg);
            } else if (!NAMES.contains(arg)) {
                throw new IllegalArgumentException("name=" + arg + " names=" + NAMES);
            } else {
                named = true;
            }
        }
        out.println("seed=" + seed);
        for (String name : NAMES) {
            if (!named || List.of(args).contains(name)) {
                long beginNs = System.nanoTime();
                run(name, seed, out);
                out.printf(Locale.ROOT, "%s took %.1f s, memory %d MB%n%n", name, (System.nanoTime() - beginNs) * 1e-9,
                        Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20);
            }
        }
    }

    private static void run(String name, long seed, PrintStream out) {
        switch (name) {
            case "hops" -> HopRate.run(out, seed);
            case "livelock" -> livelock(seed, out);
            case "deadlock" -> {
                out.println(Deadlock.run(false, deadlockBuffer(), 12 * MS, 200 * MS, seed));
                out.println("cure " + Deadlock.run(true, deadlockBuffer(), 12 * MS, 200 * MS, seed));
            }
            case "storm" -> storm(seed, out);
            case "slow-receiver" -> slowReceiver(seed, out);
            case "alpha" -> {
                for (double alpha : new double[] {1.0 / 16, 1.0 / 32, 1.0 / 64}) {
                    out.println(AlphaThreshold.run(alpha, 260, 2048, 10 * MS, 100 * MS, seed));
                }
            }
            case "latency" -> latency(seed, out);
            default -> ecmp(seed, out);
        }
    }

    static BufferSettings deadlockBuffer() {
        return BufferSettings.defaults();
    }

    private static void livelock(long seed, PrintStream out) {
        for (Operation operation : new Operation[] {Operation.SEND, Operation.WRITE, Operation.READ}) {
            out.println(Livelock.run(operation, true, 100 * MS, seed));
            out.println(Livelock.run(operation, false, 100 * MS, seed));
        }
    }

    private static void storm(long seed, PrintStream out) {
        BufferSettings buffer = BufferSettings.defaults().withAlpha(1.0 / 64);
        out.println("no watchdog     " + PauseStorm.run(new PauseStorm.Times(0, 0, 0, 150 * MS), buffer, FORTY, seed));
        out.println("NIC watchdog    "
                + PauseStorm.run(new PauseStorm.Times(100 * MS, 0, 0, 150 * MS), buffer, FORTY, seed));
        out.println("switch watchdog "
                + PauseStorm.run(new PauseStorm.Times(0, 100 * MS, 200 * MS, 150 * MS), buffer, FORTY, seed));
    }

    private static void slowReceiver(long seed, PrintStream out) {
        BufferSettings dynamic = BufferSettings.defaults();
        for (long missNs : new long[] {500, 800, 1000, 2000}) {
            out.println("4 KB pages, miss " + missNs + " ns "
                    + SlowReceiver.run(PAGE, missNs, WRITE, 0, dynamic, 50 * MS, seed));
        }
        out.println("2 MB pages, miss 2000 ns " + SlowReceiver.run(LARGE_PAGE, 2000, WRITE, 0, dynamic, 50 * MS, seed));
        for (BufferSettings buffer : List.of(dynamic.withFixed(180_000), dynamic)) {
            out.println("bursts of 1 MB, miss 1000 ns, fixedBytes=" + buffer.fixedBytes() + " "
                    + SlowReceiver.run(PAGE, 2000, 1 << 20, MS, buffer, 50 * MS, seed));
        }
    }

    private static void latency(long seed, PrintStream out) {
        for (Scheduling scheduling : new Scheduling[] {Scheduling.FIRST_COME, Scheduling.ROUND_ROBIN}) {
            for (int bulks = 0; bulks <= 5; bulks++) {
                out.println(SwitchLatency.run(new SwitchLatency.Setup(scheduling, bulks, false, false, false), 4 * MS,
                        seed));
            }
            out.println(SwitchLatency.run(new SwitchLatency.Setup(scheduling, 5, true, false, false), 4 * MS, seed));
            out.println(SwitchLatency.run(new SwitchLatency.Setup(scheduling, 5, false, true, false), 4 * MS, seed));
            out.println(SwitchLatency.run(new SwitchLatency.Setup(scheduling, 5, false, true, true), 4 * MS, seed));
        }
    }

    private static void ecmp(long seed, PrintStream out) {
        EcmpThroughput.Size size = EcmpThroughput.Size.paper();
        for (Coupling coupling : Coupling.values()) {
            out.println("window=" + WINDOW + " "
                    + EcmpThroughput.run(size, MESSAGE, WINDOW, coupling, null, null, 4 * MS, 6 * MS, seed));
            out.println("window=" + WINDOW + " " + EcmpThroughput.run(size, MESSAGE, WINDOW, coupling,
                    DcqcnParameters.SIGCOMM15, EcnMarking.SIGCOMM15, 4 * MS, 6 * MS, seed));
        }
    }
}
