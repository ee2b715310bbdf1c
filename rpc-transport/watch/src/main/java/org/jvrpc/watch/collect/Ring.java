package org.jvrpc.watch.collect;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.watch.web.PageData.Point;

/**
 * The latest windows of one series, 12 bytes a window:
 *
 * <pre>
 * 0 sent:32 | 4 lost:32 | 8 p50:16 | 10 p99:16, both as {@link TimeCode}
 * </pre>
 */
final class Ring {

    static final int ROW_BYTES = 12;
    private static final int LOST_AT = 4;
    private static final int P50_AT = 8;
    private static final int P99_AT = 10;

    private final ByteBuffer rows;
    private final int windows;
    private long newest = -1;

    Ring(int windows) {
        this.windows = windows;
        rows = ByteBuffer.allocate(windows * ROW_BYTES);
    }

    private int at(long window) {
        return (int) (window % windows) * ROW_BYTES;
    }

    /** Puts the newest row; windows that were passed over have none. Rows ahead of it go: a clock went back. */
    void put(long window, long sent, long lost, int p50, int p99) {
        for (long passed = Math.max(newest + 1, window - windows + 1); passed < window; passed++) {
            clear(passed);
        }
        for (long ahead = window + 1; ahead <= Math.min(newest, window + windows); ahead++) {
            clear(ahead);
        }
        newest = window;
        int at = at(window);
        rows.putInt(at, (int) Math.min(Integer.MAX_VALUE, sent)).putInt(at + LOST_AT,
                (int) Math.min(Integer.MAX_VALUE, lost)).putShort(at + P50_AT, (short) p50)
                .putShort(at + P99_AT, (short) p99);
    }

    private void clear(long window) {
        int at = at(window);
        rows.putLong(at, 0).putInt(at + P50_AT, 0);
    }

    static byte[] row(long sent, long lost, int p50, int p99) {
        return ByteBuffer.allocate(ROW_BYTES).putInt((int) Math.min(Integer.MAX_VALUE, sent))
                .putInt((int) Math.min(Integer.MAX_VALUE, lost)).putShort((short) p50).putShort((short) p99).array();
    }

    void put(long window, byte[] row) {
        if (row.length == ROW_BYTES) {
            ByteBuffer from = ByteBuffer.wrap(row);
            put(window, from.getInt(0), from.getInt(LOST_AT), from.getShort(P50_AT) & 0xffff,
                    from.getShort(P99_AT) & 0xffff);
        }
    }

    byte[] row(long window) {
        byte[] row = new byte[ROW_BYTES];
        rows.get(at(window), row);
        return row;
    }

    /** Returns a ring of fewer windows with the latest rows of this one. */
    Ring shortened(int to) {
        Ring ring = new Ring(to);
        for (long window = Math.max(0, newest - to + 1); window <= newest; window++) {
            if (has(window)) {
                ring.put(window, row(window));
            }
        }
        return ring;
    }

    long newest() {
        return newest;
    }

    boolean has(long window) {
        return window <= newest && window > newest - windows && rows.getInt(at(window)) > 0;
    }

    Point point(long window) {
        int at = at(window);
        return new Point(window, 1, rows.getInt(at), rows.getInt(at + LOST_AT),
                TimeCode.ns(rows.getShort(at + P50_AT) & 0xffff), TimeCode.ns(rows.getShort(at + P99_AT) & 0xffff));
    }

    /** Returns the windows that have something, oldest first, up to one. */
    List<Point> points(long last) {
        List<Point> points = new ArrayList<>();
        for (long window = Math.max(0, last - windows + 1); window <= last; window++) {
            if (has(window)) {
                points.add(point(window));
            }
        }
        return points;
    }
}
