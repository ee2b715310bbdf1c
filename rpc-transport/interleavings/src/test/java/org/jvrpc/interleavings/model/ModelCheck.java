package org.jvrpc.interleavings.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Goes through all states that a model can come to, breadth first, until one is broken or none is left. The way to a
 * broken state is thus a shortest one.
 */
final class ModelCheck {

    private static final int MOST_STATES = 5_000_000;

    /** Who does what, in steps that nobody sees the middle of. A state is a vector of numbers. */
    interface Model {

        int[] initial();

        /** Names each step that can be taken in a state, and the state it leads to. */
        void steps(int[] state, Next next);

        /** Returns what is wrong with a state, or null. @param last true when no step can be taken in it */
        String broken(int[] state, boolean last);
    }

    /** Takes the steps of a state. */
    interface Next {
        void add(String step, int[] state);
    }

    /** @param broken null when no state is @param trace the steps to the broken state */
    record Result(int states, String broken, List<String> trace) {

        @Override
        public String toString() {
            return broken == null ? "states=" + states
                    : broken + " after " + trace.size() + " steps:\n  " + String.join("\n  ", trace);
        }
    }

    private record Key(int[] state) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(state, key.state);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(state);
        }
    }

    private record Origin(Key from, String step) {
    }

    private final Model model;
    private final Map<Key, Origin> origins = new HashMap<>();
    private final ArrayDeque<Key> open = new ArrayDeque<>();

    private ModelCheck(Model model) {
        this.model = model;
    }

    /** @throws IllegalStateException when there are too many states */
    static Result run(Model model) {
        return new ModelCheck(model).explore();
    }

    private Result explore() {
        meet(new Key(model.initial()), null);
        while (!open.isEmpty()) {
            Key key = open.poll();
            int[] steps = {0};
            model.steps(key.state, (step, state) -> {
                steps[0]++;
                meet(new Key(state), new Origin(key, step));
            });
            String broken = model.broken(key.state, steps[0] == 0);
            if (broken != null) {
                return new Result(origins.size(), broken, trace(key));
            }
        }
        return new Result(origins.size(), null, List.of());
    }

    private void meet(Key key, Origin origin) {
        if (!origins.containsKey(key)) {
            if (origins.size() == MOST_STATES) {
                throw new IllegalStateException("more states than " + MOST_STATES);
            }
            origins.put(key, origin);
            open.add(key);
        }
    }

    private List<String> trace(Key last) {
        List<String> steps = new ArrayList<>();
        for (Origin at = origins.get(last); at != null; at = origins.get(at.from)) {
            steps.add(at.step);
        }
        Collections.reverse(steps);
        return steps;
    }
}
