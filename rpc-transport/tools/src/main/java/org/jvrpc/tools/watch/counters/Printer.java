package org.jvrpc.tools.watch.counters;

import java.util.List;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.counters.Counted;
import org.jvrpc.watch.counters.RuleWatch;

/** Prints readings. */
interface Printer {

    /**
     * One reading of all counters.
     *
     * @param number from 1
     * @param of how many there will be
     * @param rates of the counters, in the same order
     * @param alerts raised or over now
     */
    record Seen(long number, long of, long wallMs, List<Counted> counted, List<Rate> rates, List<Alert> alerts,
            RuleWatch watch) {

        /** Returns true when this is the only one. */
        boolean isSingle() {
            return of == 1;
        }

        long unreadable() {
            return counted.stream().filter(one -> !one.reading().isReadable()).count();
        }
    }

    void print(Seen seen);
}
