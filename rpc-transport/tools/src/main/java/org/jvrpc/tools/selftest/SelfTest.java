package org.jvrpc.tools.selftest;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.tools.host.GidIndex;
import org.jvrpc.tools.host.Host;
import org.jvrpc.verbs.VerbsException;

/** All steps on the device of one address, one after the other, each on a device that is opened for it. */
public final class SelfTest {

    private static final Pattern DEVICE = Pattern.compile("^([\\w-]+)");

    private final String address;
    private final boolean contract;
    private final Consumer<Outcome> sink;
    private boolean failed;

    private SelfTest(String address, boolean contract, Consumer<Outcome> sink) {
        this.address = address;
        this.contract = contract;
        this.sink = sink;
    }

    /**
     * Runs.
     *
     * @param address {@code rdma://host[:port][?device=…]} or {@code shm://name}
     * @param contract whether the contract suites are run, too
     * @param sink told each outcome as it comes
     * @return true when nothing failed
     */
    public static boolean run(String address, boolean contract, Consumer<Outcome> sink) {
        SelfTest test = new SelfTest(withPort(address), contract, sink);
        test.steps();
        return !test.failed;
    }

    /** Adds the port that lets a server take any, where there is none. */
    static String withPort(String address) {
        if (!address.startsWith("rdma://")) {
            return address;
        }
        int end = address.indexOf('?') < 0 ? address.length() : address.indexOf('?');
        String host = address.substring(0, end);
        return host.matches(".*:\\d+") ? address : host + ":0" + address.substring(end);
    }

    private void steps() {
        if (!step("open", () -> on(pair -> "device " + pair.device.name()))) {
            for (String step : List.of("verbs", "connections", "ping-pong", "RedN", "contract")) {
                sink.accept(new Outcome(step, Outcome.Kind.NOT_PROVEN, "the device does not open"));
            }
            return;
        }
        step("SEND", () -> on(VerbSteps::sends));
        step("WRITE, READ", () -> on(VerbSteps::writesAndReads));
        step("atomics", () -> on(VerbSteps::atomics));
        step("wrong key", () -> on(VerbSteps::wrongKey));
        step("events", () -> on(VerbSteps::events));
        step("connections", () -> Connecting.run(address));
        step("ping-pong", () -> on(this::pingPong));
        step("RedN if", () -> on(VerbSteps::chains));
        step("contract", () -> {
            if (!contract) {
                throw new NotProvenException("left out by --no-contract");
            }
            try {
                return ContractRun.run(address);
            } catch (NoClassDefFoundError e) {
                throw new NotProvenException("the suites need JUnit and the tests of jvrpc-verbs on the class path,"
                        + " which the jar jvrpc-tools-VERSION-all.jar has: " + e.getMessage());
            }
        });
    }

    private String on(Function<Loopback, String> body) {
        try (Loopback pair = Loopback.open(address)) {
            return body.apply(pair);
        }
    }

    private boolean step(String name, Supplier<String> body) {
        Outcome outcome;
        try {
            outcome = new Outcome(name, Outcome.Kind.PROVEN, body.get());
        } catch (NotProvenException e) {
            outcome = new Outcome(name, Outcome.Kind.NOT_PROVEN, e.getMessage());
        } catch (VerbsException | IllegalStateException e) {
            outcome = new Outcome(name, Outcome.Kind.FAILED, e.getMessage());
        }
        sink.accept(outcome);
        failed |= outcome.kind() == Outcome.Kind.FAILED;
        return outcome.kind() == Outcome.Kind.PROVEN;
    }

    private String pingPong(Loopback pair) {
        long ours = PingPong.halfRoundTripNs(pair);
        String text = PingPong.BYTES + " bytes, one thread at both ends, median of half a round trip: "
                + us(ours);
        if (!address.startsWith("rdma://")) {
            return text;
        }
        Matcher device = DEVICE.matcher(pair.device.name());
        if (!device.find()) {
            return text;
        }
        try {
            String name = device.group(1);
            long theirs = SendLat.halfRoundTripNs(name, GidIndex.of(Host.real(), name));
            return text + "; ib_send_lat beside it: " + us(theirs) + ", ratio "
                    + String.format(Locale.ROOT, "%.2f", (double) ours / theirs);
        } catch (NotProvenException e) {
            return text + "; not compared: " + e.getMessage();
        }
    }

    private static String us(long ns) {
        return String.format(Locale.ROOT, "%.2f us", ns / 1000.0);
    }
}
