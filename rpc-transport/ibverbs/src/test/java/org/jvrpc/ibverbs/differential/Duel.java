package org.jvrpc.ibverbs.differential;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.ibverbs.differential.PacketName.Kind;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Waits;

/** Two processes with a relay between them, the one that asks and the one that is asked. One thread. */
record Duel(String name, ChildJvm asks, ChildJvm asked, Relay relay) {

    private static final long SEED = 15;

    /** What became of it: completions, states and memory; NAKs; counters; and all packets. */
    record Outcome(List<String> ends, List<String> naks, List<String> counters, List<String> trace,
            List<PacketName> names) { }

    Outcome run(Scenario scenario, FaultPlan plan) {
        String[] from = make(asks, scenario);
        String[] to = make(asked, scenario);
        relay.watch(new Relay.Watched(Integer.parseInt(from[0]), Integer.parseInt(to[0]), Integer.parseInt(from[1]),
                plan, scenario == Scenario.INVALIDATE));
        if (!scenario.receivesLate()) {
            tell(asked, "receive", "POSTED");
        }
        tell(asked, "connect " + to(from), "CONNECTED");
        tell(asks, "connect " + to(to), "CONNECTED");
        asks.tell("ask " + to[3] + " " + to[4]);
        if (scenario.receivesLate()) {
            Waits.until("an RNR NAK", () -> !relay.naks(Kind.RNR_NAK).isEmpty(), () -> relay.trace().toString());
            tell(asked, "receive", "POSTED");
        }
        asks.expect("ASKED");
        List<String> lines = new ArrayList<>();
        lines.addAll(end(asked, "responder "));
        lines.addAll(end(asks, "requester "));
        List<String> naks = new ArrayList<>();
        for (Kind kind : List.of(Kind.SEQUENCE_NAK, Kind.RNR_NAK, Kind.FATAL_NAK)) {
            naks.add(kind + ": " + relay.naks(kind));
        }
        List<String> counters = lines.stream().filter(line -> line.contains(Counters.LINE)).toList();
        lines.removeIf(line -> line.contains(Counters.LINE));
        Outcome outcome = new Outcome(lines, naks, counters, relay.trace(), relay.names());
        relay.watch(null);
        return outcome;
    }

    private static String[] make(ChildJvm child, Scenario scenario) {
        child.tell("make " + scenario + " " + SEED);
        return child.expect("PLACE").split(" ");
    }

    private static String to(String[] place) {
        return place[0] + " " + place[1] + " " + place[2];
    }

    private static void tell(ChildJvm child, String what, String answer) {
        child.tell(what);
        child.expect(answer);
    }

    private static List<String> end(ChildJvm child, String begin) {
        child.tell("end");
        List<String> lines = new ArrayList<>();
        for (String line = child.line(); line != null && !line.equals("ENDED"); line = child.line()) {
            if (line.startsWith("LINE ")) {
                lines.add(begin + line.substring("LINE ".length()));
            }
        }
        return lines;
    }
}
