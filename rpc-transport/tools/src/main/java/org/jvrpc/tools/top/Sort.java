package org.jvrpc.tools.top;

import java.util.Comparator;

/** What lines are sorted by: the most first, texts from A. Names are what {@code --sort} takes; keys choose live. */
enum Sort {
    calls('c', Comparator.comparingDouble(Row::callRate).thenComparingLong(Row::calls).reversed()),
    errors('e', Comparator.comparingDouble(Row::failureRate).thenComparingLong(Row::failed).reversed()),
    p50('5', Comparator.comparingLong(Row::p50Ns).reversed()),
    p99('9', Comparator.comparingLong(Row::p99Ns).reversed()),
    bytes('b', Comparator.<Row>comparingDouble(row -> row.bytesInRate() + row.bytesOutRate()).reversed()),
    sessions('s', Comparator.comparingInt(Row::sessions).reversed()),
    waits('w', Comparator.comparingDouble(Row::waitRate).reversed()),
    sleeps('l', Comparator.comparingDouble(Row::sleepRate).reversed()),
    address('a', Comparator.comparing(Row::address)),
    process('p', Comparator.comparing(Row::process).thenComparingLong(Row::pid));

    final char key;
    final Comparator<Row> order;

    Sort(char key, Comparator<Row> order) {
        this.key = key;
        this.order = order.thenComparing(Row::address).thenComparing(Row::role).thenComparingLong(Row::pid)
                .thenComparing(Row::method);
    }

    /** Returns the one of a key, or null. */
    static Sort of(int key) {
        for (Sort sort : values()) {
            if (sort.key == key) {
                return sort;
            }
        }
        return null;
    }
}
