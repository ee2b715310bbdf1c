package org.jvrpc.watch.collect;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.watch.web.Cells;
import org.jvrpc.watch.web.PageData.Point;
import org.jvrpc.watch.web.PageData.Shown;

/**
 * All pairs, 16 bytes each: what was known last, and the sums of this hour.
 *
 * <pre>
 * latest: 48 window:16 | 40 sent:8 | 32 lost:8 | 16 p50:16 | 0 p99:16
 * hour:   48 sent:16   | 32 lost:16 |            16 p50:16, the latest | 0 p99:16, the worst
 * </pre>
 * Counts stop at their largest; the share of the lost is kept then. Not safe for use by several threads.
 */
final class PairTable {

    /** Of a target in a row of an hour: id, sent, lost, p50, p99. */
    static final int HOUR_BYTES = 12;

    private static final int BYTE = 0xff;
    private static final int SHORT = 0xffff;
    private static final int SENT = 40;
    private static final int LOST = 32;
    private static final int WINDOW = 48;

    private int capacity;
    private long[] latest = {};
    private long[] hour = {};

    /** Has room for so many slots. */
    void grow(int slots) {
        if (slots <= capacity) {
            return;
        }
        int wider = Math.max(slots, capacity + capacity / 4);
        latest = copy(latest, capacity, wider);
        hour = copy(hour, capacity, wider);
        capacity = wider;
    }

    private static long[] copy(long[] from, int width, int wider) {
        long[] to = new long[wider * wider];
        for (int row = 0; row < width; row++) {
            System.arraycopy(from, row * width, to, row * wider, width);
        }
        return to;
    }

    /** Forgets a slot, which another agent gets. */
    void forget(int slot) {
        for (int other = 0; other < capacity; other++) {
            latest[slot * capacity + other] = 0;
            latest[other * capacity + slot] = 0;
            hour[slot * capacity + other] = 0;
            hour[other * capacity + slot] = 0;
        }
    }

    /** Adds what became of some probes of a pair in a window. */
    void add(int from, int to, long window, int sent, int lost, int p50, int p99) {
        int at = from * capacity + to;
        long old = latest[at];
        boolean same = old != 0 && (int) (old >>> WINDOW) == (window & SHORT);
        int allSent = sent + (same ? (int) (old >>> SENT) & BYTE : 0);
        int allLost = lost + (same ? (int) (old >>> LOST) & BYTE : 0);
        int oldP50 = same ? (int) (old >>> 16) & SHORT : 0;
        int oldP99 = same ? (int) old & SHORT : 0;
        latest[at] = (window & SHORT) << WINDOW | pack(allSent, allLost, BYTE, SENT, LOST)
                | (long) (p50 == 0 ? oldP50 : p50) << 16 | Math.max(oldP99, p99);
        long sums = hour[at];
        int known = (int) (sums >>> 16) & SHORT;
        hour[at] = pack(sent + (int) (sums >>> 48), lost + (int) (sums >>> LOST & SHORT), SHORT, 48, LOST)
                | (long) (p50 == 0 ? known : p50) << 16 | Math.max((int) sums & SHORT, p99);
    }

    private static long pack(int sent, int lost, int most, int sentAt, int lostAt) {
        int fewerSent = sent;
        int fewerLost = lost;
        if (sent > most) {
            fewerSent = most;
            fewerLost = lost == 0 ? 0 : Math.max(1, (int) ((long) lost * most / sent));
        }
        return (long) fewerSent << sentAt | (long) fewerLost << lostAt;
    }

    /** Returns the cell of a pair. */
    byte cell(int from, int to, long window, Shown shown) {
        long row = latest[from * capacity + to];
        if (row == 0) {
            return Cells.UNKNOWN;
        }
        int sent = (int) (row >>> SENT) & BYTE;
        int lost = (int) (row >>> LOST) & BYTE;
        byte cell = shown == Shown.LOSS ? Cells.loss(sent, lost)
                : Cells.time(sent, lost, TimeCode.ns((int) (shown == Shown.P50 ? row >>> 16 : row) & SHORT));
        return (int) (row >>> WINDOW) == (window & SHORT) ? cell : Cells.old(cell);
    }

    /** Returns this hour's sums of a pair, or null when there are none. */
    Point hour(int from, int to, long window, int windows) {
        long sums = hour[from * capacity + to];
        return sums == 0 ? null : new Point(window, Math.max(1, windows), sums >>> 48, sums >>> LOST & SHORT,
                TimeCode.ns((int) (sums >>> 16) & SHORT), TimeCode.ns((int) sums & SHORT));
    }

    /** Returns the hour of one prober for the history, and begins another; null when it sent nothing. */
    byte[] takeHour(int from, int[] ids) {
        ByteBuffer row = ByteBuffer.allocate(capacity * HOUR_BYTES);
        for (int to = 0; to < capacity; to++) {
            long sums = hour[from * capacity + to];
            if (sums != 0 && to < ids.length) {
                row.putInt(ids[to]).putLong(sums);
            }
        }
        Arrays.fill(hour, from * capacity, (from + 1) * capacity, 0);
        return row.position() == 0 ? null : Arrays.copyOf(row.array(), row.position());
    }

    /** Returns what a row of the history says of a target, or null. */
    static Point inHour(byte[] row, int target, long window, int windows) {
        ByteBuffer from = ByteBuffer.wrap(row);
        while (from.remaining() >= HOUR_BYTES) {
            int id = from.getInt();
            long sums = from.getLong();
            if (id == target) {
                return new Point(window, windows, sums >>> 48, sums >>> LOST & SHORT,
                        TimeCode.ns((int) (sums >>> 16) & SHORT), TimeCode.ns((int) sums & SHORT));
            }
        }
        return null;
    }
}
