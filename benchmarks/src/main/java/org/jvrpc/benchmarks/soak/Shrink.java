package org.jvrpc.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Delta debugging: leaves out what a failure does not need. Source: Zeller and Hildebrandt 2002, ddmin. */
final class Shrink {

    private Shrink() {
    }

    /**
     * Returns a part of a list that still fails, and of which no single piece can be left out, as far as {@code fails}
     * told.
     *
     * @param all which fails
     * @param fails whether a part fails as well; where time is over it says false
     */
    static <T> List<T> fewest(List<T> all, Predicate<List<T>> fails) {
        List<T> least = all;
        int pieces = Math.min(2, least.size());
        while (pieces > 0 && pieces <= least.size()) {
            List<T> smaller = withoutOne(least, pieces, fails);
            if (smaller != null) {
                least = smaller;
                pieces = least.isEmpty() ? 0 : Math.min(least.size(), Math.max(1, pieces - 1));
            } else if (pieces == least.size()) {
                return least;
            } else {
                pieces = Math.min(least.size(), 2 * pieces);
            }
        }
        return least;
    }

    /** Leaves out one of so many equal pieces; null when each is needed. */
    private static <T> List<T> withoutOne(List<T> list, int pieces, Predicate<List<T>> fails) {
        for (int piece = 0; piece < pieces; piece++) {
            List<T> rest = new ArrayList<>(list.subList(0, list.size() * piece / pieces));
            rest.addAll(list.subList(list.size() * (piece + 1) / pieces, list.size()));
            if (fails.test(rest)) {
                return rest;
            }
        }
        return null;
    }
}
