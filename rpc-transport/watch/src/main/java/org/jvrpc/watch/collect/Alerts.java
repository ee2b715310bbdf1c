package org.jvrpc.watch.collect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.Alert;

/**
 * Limits with hysteresis: an alert is raised when a limit is passed in two windows in a row, and ends when the value
 * was below four fifths of it in three. A window without enough probes says nothing; after {@value #SILENT} of them an
 * alert ends, as that of an agent that is gone. Not safe for use by several threads.
 */
final class Alerts {

    static final int UP = 2;
    static final int DOWN = 3;
    static final double BELOW = 0.8;
    static final int SILENT = 20;
    /** Of all, raised and ended. */
    static final int KEPT = 2_000;
    /** Subjects that are watched at a time. */
    private static final int MOST = 100_000;

    private record Key(String rule, String subject) { }

    private static final class State {
        private int above;
        private int below;
        private boolean raised;
        private long window;
        private double value;
        private double limit;
    }

    private final Map<Key, State> states = new HashMap<>();
    private final Deque<Alert> alerts = new ArrayDeque<>();
    private int raised;

    /** Looks at a value. */
    void look(long window, String rule, String subject, double value, double limit) {
        Key key = new Key(rule, subject);
        State state = states.get(key);
        if (state == null) {
            if (value <= limit || states.size() == MOST) {
                return; // most subjects are sound: nothing is kept of them
            }
            state = new State();
            states.put(key, state);
        }
        state.window = window;
        state.value = value;
        state.limit = limit;
        state.above = value > limit ? state.above + 1 : 0;
        state.below = value < limit * BELOW ? state.below + 1 : 0;
        if (!state.raised && state.above >= UP) {
            state.raised = true;
            raised++;
            keep(new Alert(window, rule, subject, value, limit, true));
        } else if (state.below >= DOWN) {
            states.remove(key);
            if (state.raised) {
                raised--;
                keep(new Alert(window, rule, subject, value, limit, false));
            }
        }
    }

    /** Ends what nothing was said of for long. */
    void end(long window) {
        states.entrySet().removeIf(entry -> {
            State state = entry.getValue();
            boolean silent = Math.abs(window - state.window) > SILENT; // a clock may have gone back
            if (silent && state.raised) {
                raised--;
                keep(new Alert(window, entry.getKey().rule, entry.getKey().subject, state.value, state.limit, false));
            }
            return silent;
        });
    }

    private void keep(Alert alert) {
        alerts.addFirst(alert);
        if (alerts.size() > KEPT) {
            alerts.removeLast();
        }
    }

    /** Returns all that are kept, newest first. */
    List<Alert> all() {
        return new ArrayList<>(alerts);
    }

    /** Returns how many stand. */
    int raised() {
        return raised;
    }
}
