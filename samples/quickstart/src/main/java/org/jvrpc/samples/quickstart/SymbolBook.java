package org.jvrpc.samples.quickstart;

import java.util.ArrayList;
import java.util.List;

/** The last {@value #KEPT} orders of one symbol, in a ring. Guarded by its {@link OrderBook}. */
final class SymbolBook {

    /** How many orders are kept. */
    static final int KEPT = 1024;

    private final long firstId;
    private final Order[] ring = new Order[KEPT];
    private long placed;

    /** Makes an empty one whose orders are numbered from {@code firstId} on. */
    SymbolBook(long firstId) {
        this.firstId = firstId;
    }

    /** Keeps an order in the place of the oldest one; returns its number. */
    long add(Order order) {
        long id = firstId + placed;
        ring[(int) (placed % KEPT)] = order.withId(id);
        placed++;
        return id;
    }

    /** Returns an order, or null when it is none of those kept. */
    Order find(long id) {
        long index = id - firstId;
        return index < Math.max(0, placed - KEPT) || index >= placed ? null : ring[(int) (index % KEPT)];
    }

    /** Returns up to {@code limit} orders, the newest first. */
    List<Order> latest(int limit) {
        int count = (int) Math.min(limit, Math.min(placed, KEPT));
        List<Order> latest = new ArrayList<>(count);
        for (long index = placed - 1; index >= placed - count; index--) {
            latest.add(ring[(int) (index % KEPT)]);
        }
        return latest;
    }

    /** Returns how many orders were ever placed. */
    long placed() {
        return placed;
    }
}
