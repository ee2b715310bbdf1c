package org.jvrpc.ibverbs.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.jvrpc.ibverbs.differential.Duel.Outcome;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.RemoteHost;

/**
 * Runs scenarios between two devices of rxe, then with a software RNIC over UDP as requester, then as responder.
 * Completions, memory, states and NAKs are those of rxe, and counters where NAKs are the same, but for what
 * {@code differences.txt} knows.
 */
abstract class Differential {

    /** Pairs of network devices: of rxe at both ends, and of rxe and a host without. */
    private static final int BOTH = 11;
    private static final int MIXED = 12;

    /** What is sent again more often is as before. */
    private static final int TIMES = 2;
    /** A difference is one that each of so many runs has. */
    private static final int RUNS = 3;
    private static final Differences DIFFERENCES = Differences.read();
    private static final List<AutoCloseable> KEPT = new ArrayList<>();
    private static Duel rxe;
    private static List<Duel> ours;

    @BeforeAll
    static void start() {
        RemoteHost.makeRxeApart(BOTH);
        RemoteHost host = RemoteHost.makeApart(MIXED);
        Relay both = keep(new Relay("wv" + 2 * BOTH, "wv" + (2 * BOTH + 1)));
        Relay mixed = keep(new Relay("wv" + 2 * MIXED, "wv" + (2 * MIXED + 1)));
        for (int device : new int[] {2 * BOTH, 2 * BOTH + 1, 2 * MIXED}) {
            countAtOnce("rxe" + device);
        }
        ChildJvm one = party(command(rdma(BOTH, 0)));
        ChildJvm other = party(command(rdma(BOTH, 1)));
        ChildJvm near = party(command(rdma(MIXED, 0)));
        ChildJvm far = party(command("roce://" + host.address(false) + ":0?udp=4791").startedBy(host.run())
                .property(Ends.PROPERTY + "roce", host.address(false)));
        rxe = new Duel("rxe", one, other, both);
        ours = List.of(new Duel("requester", far, near, mixed), new Duel("responder", near, far, mixed));
    }

    /** Has counters be those of now, not of some milliseconds ago. */
    private static void countAtOnce(String device) {
        try {
            Files.writeString(Path.of("/sys/class/infiniband", device, "ports/1/hw_counters/lifespan"), "0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T extends AutoCloseable> T keep(T one) {
        KEPT.add(0, one);
        return one;
    }

    private static String rdma(int pair, int end) {
        return "rdma://10.9." + pair + "." + (1 + end) + ":0?device=rxe" + (2 * pair + end);
    }

    private static JavaCommand command(String address) {
        return JavaCommand.of(PartyMain.class).option("-Xmx128m").option("-XX:+UseSerialGC")
                .option("-XX:TieredStopAtLevel=1").arguments(address);
    }

    private static ChildJvm party(JavaCommand command) {
        ChildJvm child = keep(command.start());
        child.expect("READY");
        return child;
    }

    @AfterAll
    static void end() throws Exception {
        for (AutoCloseable one : KEPT) {
            one.close();
        }
    }

    /** Without faults, then with each fate of each packet that any of the three sent. */
    static void compareEachFate(Scenario scenario) {
        List<String> unknown = new ArrayList<>();
        for (PacketName name : compare(scenario, FaultPlan.none(), unknown)) {
            for (Fate fate : Fate.values()) {
                if (fate != Fate.ARRIVES && name.time() <= TIMES) {
                    compare(scenario, FaultPlan.one(name, fate), unknown);
                }
            }
        }
        unknown.addAll(DIFFERENCES.unseen(scenario.name()).stream().map(entry -> "not seen: " + entry).toList());
        assertEquals("", String.join("\n", unknown));
    }

    /**
     * With faults of many packets, by a seed. Completions, states and memory are those of rxe; which NAKs there are
     * depends on what is acknowledged together, as the fates of acknowledgements do.
     */
    static void compareBySeed(Scenario scenario, long seed, double chance) {
        List<String> unknown = new ArrayList<>();
        compare(scenario, FaultPlan.bySeed(seed, chance), unknown);
        assertEquals("", String.join("\n", unknown));
    }

    /**
     * Adds what differs and is not known to, and returns the names of all packets that were sent. What differs is run
     * again: on a slow machine rxe gives up, now and then, what it did not the time before.
     */
    static Set<PacketName> compare(Scenario scenario, FaultPlan plan, List<String> unknown) {
        Outcome expected = rxe.run(scenario, plan);
        Set<PacketName> names = new LinkedHashSet<>(expected.names());
        for (Duel duel : ours) {
            List<String> different = differences(scenario, plan, duel, expected, names);
            for (int run = 2; run <= RUNS && !different.isEmpty(); run++) {
                System.out.println(String.join("\n", different) + "\nbefore run=" + run + " of " + RUNS);
                different = differences(scenario, plan, duel, rxe.run(scenario, plan), names);
            }
            unknown.addAll(different);
        }
        return names;
    }

    private static List<String> differences(
            Scenario scenario, FaultPlan plan, Duel duel, Outcome expected, Set<PacketName> names) {
        Outcome found = duel.run(scenario, plan);
        names.addAll(found.names());
        List<String> different = new ArrayList<>(DIFFERENCES.unknown(
                scenario.name(), duel.name(), plan.toString(), expected.ends(), found.ends()));
        if (!plan.isBySeed()) {
            different.addAll(DIFFERENCES.unknown(
                    scenario.name(), duel.name(), plan.toString(), expected.naks(), found.naks()));
            if (expected.naks().equals(found.naks())) { // else counters, which count them, differ as well
                different.addAll(DIFFERENCES.unknown(
                        scenario.name(), duel.name(), plan.toString(), expected.counters(), found.counters()));
            }
        }
        if (!different.isEmpty()) {
            different.add("    rxe  " + expected.trace());
            different.add("    ours " + found.trace());
        }
        return different;
    }
}
