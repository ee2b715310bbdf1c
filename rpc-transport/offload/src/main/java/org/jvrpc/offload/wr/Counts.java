package org.jvrpc.offload.wr;

import java.util.Collection;

/**
 * How many WRs of each kind a program or a construct has, as the paper's Table 2 counts them.
 *
 * @param copies WRITE, READ, SEND, with and without calculation
 * @param atomics compare-and-swap and fetch-and-add, masked or not
 * @param orders WAIT and ENABLE
 * @param others NOPs that fill up a ring, and triggers, which are receives
 */
public record Counts(int copies, int atomics, int orders, int others) {

    /** Counts WRs. */
    public static Counts of(Collection<? extends WorkRequest> wrs) {
        int[] counts = new int[4];
        for (WorkRequest wr : wrs) {
            counts[wr.kind().ordinal()]++;
        }
        return new Counts(counts[0], counts[1], counts[2], counts[3]);
    }

    /** Returns true when no number is higher than these; the others are not looked at. */
    public boolean within(int maxCopies, int maxAtomics, int maxOrders) {
        return copies <= maxCopies && atomics <= maxAtomics && orders <= maxOrders;
    }

    @Override
    public String toString() {
        return copies + "C + " + atomics + "A + " + orders + "E" + (others == 0 ? "" : " + " + others);
    }
}
