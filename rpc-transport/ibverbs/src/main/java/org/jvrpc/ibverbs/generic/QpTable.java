package org.jvrpc.ibverbs.generic;

import java.util.ArrayList;
import java.util.List;

/** The QPs of a CQ by their numbers. Changed under a lock, read without one. Any thread. */
final class QpTable {

    private volatile GenericQueuePair[] table = new GenericQueuePair[4];

    /** Returns the QP with a number, or null. */
    GenericQueuePair find(int number) {
        GenericQueuePair[] now = table;
        for (int i = number & now.length - 1; now[i] != null; i = i + 1 & now.length - 1) {
            if (now[i].number() == number) {
                return now[i];
            }
        }
        return null;
    }

    List<GenericQueuePair> all() {
        List<GenericQueuePair> all = new ArrayList<>();
        for (GenericQueuePair qp : table) {
            if (qp != null) {
                all.add(qp);
            }
        }
        return all;
    }

    /** Adds a QP that may be there already. */
    synchronized void add(GenericQueuePair qp) {
        List<GenericQueuePair> all = all();
        if (!all.contains(qp)) {
            all.add(qp);
            fill(all);
        }
    }

    synchronized void remove(GenericQueuePair qp) {
        List<GenericQueuePair> all = all();
        if (all.remove(qp)) {
            fill(all);
        }
    }

    private void fill(List<GenericQueuePair> all) {
        GenericQueuePair[] fresh = new GenericQueuePair[GenericDriver.roundUp(Math.max(4, all.size() * 2))];
        for (GenericQueuePair qp : all) {
            int i = qp.number() & fresh.length - 1;
            while (fresh[i] != null) {
                i = i + 1 & fresh.length - 1;
            }
            fresh[i] = qp;
        }
        table = fresh;
    }
}
