package org.jvrpc.mlx5;

import java.util.Arrays;

/** QPs that are destroyed, but of which completions may still lie in a CQ. Changed under a lock. Any thread. */
final class ClosedQueuePairs {

    private static final Entry[] NONE = {};

    private volatile Entry[] entries = NONE;

    /** A QP: its number, and its SRQ or null. */
    record Entry(int number, Mlx5SharedReceiveQueue shared) {
    }

    boolean isEmpty() {
        return entries.length == 0;
    }

    /** Returns those of now, which nobody changes. */
    Entry[] entries() {
        return entries;
    }

    synchronized void add(int number, Mlx5SharedReceiveQueue shared) {
        Entry[] more = Arrays.copyOf(entries, entries.length + 1);
        more[more.length - 1] = new Entry(number, shared);
        entries = more;
    }

    /** Forgets some: the first ones, as only {@link #add} puts others behind them. */
    synchronized void remove(Entry[] some) {
        entries = Arrays.copyOfRange(entries, some.length, entries.length);
    }

    boolean contains(int number) {
        for (Entry entry : entries) {
            if (entry.number == number) {
                return true;
            }
        }
        return false;
    }

    /** Passes over a completion of nobody's: gives the receive back that it took of an SRQ. */
    void discard(long tail) {
        if (!Cqe.isReceive(Cqe.opcode(tail))) {
            return;
        }
        for (Entry entry : entries) {
            if (entry.number == Cqe.qpn(tail) && entry.shared != null) {
                entry.shared.takeBack(Cqe.wqeCounter(tail));
                return;
            }
        }
    }
}
