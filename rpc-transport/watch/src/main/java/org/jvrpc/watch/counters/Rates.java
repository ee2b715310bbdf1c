package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.Rate;
import org.jvrpc.watch.Reading;

/**
 * Makes rates of readings. A counter that became smaller has wrapped when it was in the last quarter of its bits and is
 * in the first; else it was reset, as by a driver that was loaded anew, and there is no rate. A counter that wraps more
 * than once between two readings looks like one that wrapped once: 32 bits at 10 million a second wrap in seven
 * minutes. One thread.
 */
public final class Rates {

    private static final double NS = 1e9;

    private record Key(String origin, String device, int port, String name) { }

    private record Seen(long value, long atNs) { }

    private Map<Key, Seen> last = new HashMap<>();

    /**
     * Takes what was read.
     *
     * @return a rate for each, in the same order; that of a counter that cannot be read now is from its last two good
     *     readings as soon as it can
     */
    public List<Rate> update(List<Counted> counted) {
        List<Rate> rates = new ArrayList<>(counted.size());
        Map<Key, Seen> seen = new HashMap<>();
        for (Counted one : counted) {
            Reading reading = one.reading();
            Key key = new Key(one.origin(), reading.device(), reading.port(), reading.name());
            Seen before = last.get(key);
            if (!reading.isReadable()) {
                if (before != null) {
                    seen.put(key, before);
                }
                rates.add(new Rate(reading, 0, false, false));
                continue;
            }
            rates.add(rate(one, before));
            seen.put(key, new Seen(reading.value(), one.atNs()));
        }
        last = seen; // without those that are gone
        return rates;
    }

    private static Rate rate(Counted one, Seen before) {
        Reading reading = one.reading();
        if (before == null || one.atNs() <= before.atNs) {
            return new Rate(reading, 0, false, false);
        }
        int bits = one.bits();
        long delta = reading.value() - before.value;
        if (Long.compareUnsigned(reading.value(), before.value) < 0) {
            if (!isWrap(before.value, reading.value(), bits)) {
                return new Rate(reading, 0, true, false);
            }
            delta += bits >= Long.SIZE ? 0 : 1L << bits; // 2^64 is 0 here
        }
        return new Rate(reading, unsigned(delta) * NS / (one.atNs() - before.atNs), false, true);
    }

    private static boolean isWrap(long from, long to, int bits) {
        long quarter = 1L << bits - 2;
        boolean fits = bits >= Long.SIZE || Long.compareUnsigned(from, 1L << bits) < 0;
        return fits && Long.compareUnsigned(from, 3 * quarter) >= 0 && Long.compareUnsigned(to, quarter) < 0;
    }

    static double unsigned(long value) {
        return value >= 0 ? value : (value >>> 1) * 2.0;
    }
}
