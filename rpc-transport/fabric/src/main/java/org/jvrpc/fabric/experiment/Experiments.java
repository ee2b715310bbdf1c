package org.jvrpc.fabric.experiment;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jvrpc.fabric.experiment.EcmpThroughput.Coupling;
import org.jvrpc.fabric.network.BufferSettings;
import org.jvrpc.fabric.network.Scheduling;
import org.jvrpc.roce.congestion.DcqcnParameters;
import org.jvrpc.roce.congestion.EcnMarking;
import org.jvrpc.roce.rc.SendWork.Operation;

/** All experiments by name, with the paper's sizes and times. */
public final class Experiments {

    private static final long MS = 1_000_000;
    private static final int PAGE = 4096;
    private static final long FORTY = 40_000_000_000L;
    private static final long MESSAGE = 128 << 10;
    private static final int WINDOW = 1 << 14;
    private static final int WRITE = 64 << 10;
    private static final int LOAD = 32 << 10;
    private static final int LARGE_PAGE = 2 << 20;

    private final List<Run> runs = new ArrayList<>();

    private Experiments() {
        add("hops", "how many hops of frames a second this machine simulates", (seed, watcher) -> hops(seed));
        livelock();
        deadlock();
        storm();
        slowReceiver();
        for (int part : new int[] {16, 32, 64}) {
            add("alpha-" + part, "over 1000 servers answer at once, alpha 1/" + part,
                    (seed, watcher) -> AlphaThreshold.run(1.0 / part, 260, 2048, 10 * MS, 100 * MS, seed, watcher));
        }
        latency();
        for (double gbps : new double[] {0, 2, 4, 6, 7, 8}) {
            add("load-" + (int) gbps, "round trips while 20 pairs of hosts send " + (int) gbps + " Gb/s each",
                    (seed, watcher) -> LoadLatency.run(gbps, LOAD, 4 * MS, 20 * MS, seed, watcher));
        }
        for (int part : new int[] {16, 64}) {
            for (boolean lossless : new boolean[] {true, false}) {
                add("production-" + (lossless ? "lossless-" : "lossy-") + part, "round trips of a service whose servers"
                        + " have 350 Mb/s each in bursts, alpha 1/" + part, (seed, watcher) ->
                        ProductionLatency.run(ProductionLatency.Service.paper(), lossless, 1.0 / part, 5 * MS, 25 * MS,
                                200 * MS, seed, watcher));
            }
        }
        ecmp();
    }

    /** Returns them, in the order of {@code EXPERIMENTS.md}. */
    public static List<Run> all() {
        return new Experiments().runs;
    }

    private void add(String name, String about, Run.Body body) {
        runs.add(new Run(name, about, body));
    }

    private static String hops(long seed) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        HopRate.run(out, seed);
        return bytes.toString(StandardCharsets.UTF_8).trim();
    }

    private void livelock() {
        for (Operation operation : new Operation[] {Operation.SEND, Operation.WRITE, Operation.READ}) {
            for (boolean zero : new boolean[] {true, false}) {
                String name = operation.name().toLowerCase(Locale.ROOT) + "-go-back-" + (zero ? "0" : "n");
                add("livelock-" + name, "4 MB messages, 1 packet of 256 lost, " + operation,
                        (seed, watcher) -> Livelock.run(operation, zero, 100 * MS, seed, watcher));
            }
        }
    }

    private void deadlock() {
        add("deadlock-uncured", "flooding for dead hosts closes a cycle of pauses", (seed, watcher) ->
                Deadlock.run(false, BufferSettings.defaults(), 12 * MS, 200 * MS, seed, watcher));
        add("deadlock-cured", "the same, lossless packets for incomplete ARP entries are dropped", (seed, watcher) ->
                Deadlock.run(true, BufferSettings.defaults(), 12 * MS, 200 * MS, seed, watcher));
    }

    private void storm() {
        BufferSettings buffer = BufferSettings.defaults().withAlpha(1.0 / 64);
        add("storm-no-watchdog", "one NIC pauses its switch without end", (seed, watcher) ->
                PauseStorm.run(new PauseStorm.Times(0, 0, 0, 150 * MS), buffer, FORTY, seed, watcher));
        add("storm-nic-watchdog", "the same, its NIC has a watchdog", (seed, watcher) ->
                PauseStorm.run(new PauseStorm.Times(100 * MS, 0, 0, 150 * MS), buffer, FORTY, seed, watcher));
        add("storm-switch-watchdog", "the same, switches have one", (seed, watcher) ->
                PauseStorm.run(new PauseStorm.Times(0, 100 * MS, 200 * MS, 150 * MS), buffer, FORTY, seed, watcher));
    }

    private void slowReceiver() {
        BufferSettings dynamic = BufferSettings.defaults();
        for (long missNs : new long[] {500, 800, 1000, 2000}) {
            add("slow-receiver-4k-" + missNs, "pages of 4 KB, a missing translation costs " + missNs + " ns",
                    (seed, watcher) -> SlowReceiver.run(PAGE, missNs, WRITE, 0, dynamic, 50 * MS, seed, watcher));
        }
        add("slow-receiver-2m", "pages of 2 MB, a missing translation costs 2000 ns", (seed, watcher) ->
                SlowReceiver.run(LARGE_PAGE, 2000, WRITE, 0, dynamic, 50 * MS, seed, watcher));
        add("slow-receiver-bursts-fixed", "bursts of 1 MB each ms, 2000 ns, fixed 180 KB a port", (seed, watcher) ->
                SlowReceiver.run(PAGE, 2000, 1 << 20, MS, dynamic.withFixed(180_000), 50 * MS, seed, watcher));
        add("slow-receiver-bursts-dynamic", "the same, dynamic buffers", (seed, watcher) ->
                SlowReceiver.run(PAGE, 2000, 1 << 20, MS, dynamic, 50 * MS, seed, watcher));
    }

    private void latency() {
        for (Scheduling scheduling : new Scheduling[] {Scheduling.FIRST_COME, Scheduling.ROUND_ROBIN}) {
            String name = "latency-" + scheduling.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-";
            for (int bulks = 0; bulks <= 5; bulks++) {
                latency(name + bulks, new SwitchLatency.Setup(scheduling, bulks, false, false, false));
            }
            latency(name + "two-hops", new SwitchLatency.Setup(scheduling, 5, true, false, false));
            latency(name + "own-lane", new SwitchLatency.Setup(scheduling, 5, false, true, false));
            latency(name + "gamer", new SwitchLatency.Setup(scheduling, 5, false, true, true));
        }
    }

    private void latency(String name, SwitchLatency.Setup setup) {
        add(name, "a short message at a time beside " + setup.bulks() + " bulks",
                (seed, watcher) -> SwitchLatency.run(setup, 4 * MS, seed, watcher));
    }

    private void ecmp() {
        EcmpThroughput.Size size = EcmpThroughput.Size.paper();
        for (Coupling coupling : Coupling.values()) {
            String name = "ecmp-" + coupling.name().toLowerCase(Locale.ROOT);
            add(name, "1,152 servers, DCQCN none; who waits for whom: " + coupling, (seed, watcher) ->
                    EcmpThroughput.run(size, MESSAGE, WINDOW, coupling, null, null, 4 * MS, 6 * MS, seed, watcher));
            add(name + "-dcqcn", "the same, DCQCN and ECN of SIGCOMM'15", (seed, watcher) ->
                    EcmpThroughput.run(size, MESSAGE, WINDOW, coupling, DcqcnParameters.SIGCOMM15, EcnMarking.SIGCOMM15,
                            4 * MS, 6 * MS, seed, watcher));
        }
    }
}
