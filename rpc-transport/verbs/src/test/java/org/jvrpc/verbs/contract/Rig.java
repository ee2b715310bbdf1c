package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jvrpc.verbs.Device;

/** Two sides, on two devices or on one, and everything that a test makes on them. One thread. */
final class Rig implements AutoCloseable {

    /** How long nothing must come for a test to believe that nothing comes. */
    private static final long QUIET_MS = 2;

    final Side left;
    final Side right;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final List<Probe> probes = new ArrayList<>();

    Rig(DeviceUnderTest dut) {
        Device first = keep(dut.openDevice());
        Device second = dut.oneDevice() ? first : keep(dut.openDevice());
        left = new Side(this, "left", first);
        right = new Side(this, "right", second);
    }

    <T extends AutoCloseable> T keep(T resource) {
        made.push(resource);
        return resource;
    }

    Probe watch(Probe probe) {
        probes.add(probe);
        return probe;
    }

    Pair pair(Setup setup) {
        return pair(setup, setup);
    }

    Pair pair(Setup leftSetup, Setup rightSetup) {
        return Pair.connect(left.end(leftSetup), right.end(rightSetup));
    }

    Pair pair() {
        return pair(Setup.usual());
    }

    void pump() {
        for (Probe probe : probes) {
            probe.pump();
        }
    }

    Wc await(Probe probe) {
        Deadline deadline = Deadline.usual();
        while (true) {
            pump();
            Wc wc = probe.take();
            if (wc != null) {
                return wc;
            }
            deadline.turn(() -> "no completion on " + probe + "; all CQs: " + probes);
        }
    }

    void until(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.usual();
        while (!condition.getAsBoolean()) {
            pump();
            deadline.turn(() -> what + "; all CQs: " + probes);
        }
    }

    /** Polls all CQs for a time. */
    void pumpFor(long millis) {
        Deadline deadline = Deadline.ofMillis(millis);
        while (!deadline.isOver()) {
            pump();
            Thread.onSpinWait();
        }
    }

    /** Checks that no completion is there and that none comes in a short while. */
    void assertQuiet() {
        pumpFor(QUIET_MS);
        assertTrue(probes.stream().allMatch(Probe::isEmpty), () -> "expected no completion: " + probes);
    }

    @Override
    public void close() {
        probes.clear();
        RuntimeException first = null;
        while (!made.isEmpty()) {
            try {
                made.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                first = first == null ? new IllegalStateException(e) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
