package org.jvrpc.samples.zookeeper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients did to registers, and whether ZooKeeper's promises hold for it: no acknowledged write is lost, each
 * version of a register has one value that somebody wrote, a session never sees a register go back, and sees its own
 * writes. A register is a node; a write gives it a value that nobody else writes. Adding is for any thread.
 */
final class History {

    /**
     * One call.
     *
     * @param session who called; calls of one session are added in its order
     * @param write true for a write
     * @param value that was written or read
     * @param version of the node that the answer told; -1 when nobody knows whether a write happened
     */
    record Call(String session, String register, boolean write, String value, int version) {
    }

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    void wrote(String session, String register, String value, int version) {
        calls.add(new Call(session, register, true, value, version));
    }

    /** A write whose connection was lost. */
    void maybeWrote(String session, String register, String value) {
        calls.add(new Call(session, register, true, value, -1));
    }

    void read(String session, String register, String value, int version) {
        calls.add(new Call(session, register, false, value, version));
    }

    long acknowledged() {
        return calls.stream().filter(call -> call.write() && call.version() >= 0).count();
    }

    long unknown() {
        return calls.stream().filter(call -> call.write() && call.version() < 0).count();
    }

    /**
     * Returns what is wrong; nothing when all is well.
     *
     * @param last the value of each register at the end, as a read of a new session after a sync tells it
     */
    List<String> faults(List<Call> last) {
        List<String> faults = new ArrayList<>();
        Map<String, Map<Integer, String>> values = new HashMap<>();
        Map<String, String> writers = new HashMap<>();
        for (Call call : calls) {
            if (call.write()) {
                writers.put(call.value(), call.register());
                if (call.version() >= 0) {
                    note(values, call, faults, "acknowledged");
                }
            }
        }
        for (Call call : calls) {
            if (!call.write()) {
                checkRead(values, writers, call, faults);
            }
        }
        sessions(faults);
        for (Call end : last) {
            checkRead(values, writers, end, faults);
            int highest = Collections.max(values.getOrDefault(end.register(), Map.of(0, "")).keySet());
            if (end.version() < highest) {
                faults.add(end.register() + " ended at version " + end.version() + ", was at " + highest);
            }
            long own = writers.values().stream().filter(end.register()::equals).count();
            if (end.version() > own) {
                faults.add(end.register() + " has more versions than writes: " + end.version() + " of " + own);
            }
        }
        return faults;
    }

    private static void note(Map<String, Map<Integer, String>> values, Call call, List<String> faults, String how) {
        String other = values.computeIfAbsent(call.register(), key -> new HashMap<>())
                .putIfAbsent(call.version(), call.value());
        if (other != null && !other.equals(call.value())) {
            faults.add(call.register() + " version " + call.version() + " is " + other + ", and " + how + " as "
                    + call.value());
        }
    }

    private static void checkRead(Map<String, Map<Integer, String>> values, Map<String, String> writers, Call call,
            List<String> faults) {
        if (call.version() == 0) {
            return; // as it was made
        }
        note(values, call, faults, "read");
        if (!call.register().equals(writers.get(call.value()))) {
            faults.add(call.register() + " was read as " + call.value() + ", which nobody wrote to it");
        }
    }

    private void sessions(List<String> faults) {
        Map<String, Integer> seen = new HashMap<>();
        for (Call call : calls) {
            if (call.version() >= 0) {
                Integer before = seen.put(call.session() + " " + call.register(), call.version());
                if (before != null && call.version() < before) {
                    faults.add("session " + call.session() + " saw " + call.register() + " go from version " + before
                            + " back to " + call.version());
                }
            }
        }
    }
}
