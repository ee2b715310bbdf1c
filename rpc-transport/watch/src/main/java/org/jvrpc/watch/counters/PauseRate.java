package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.Rate;

/**
 * How a priority of a port is paused. SIGCOMM'16, section 5: how long pauses are and how far apart tells more than how
 * many came. NaN where a counter is missing or has no rate yet.
 *
 * @param received this port is told to rest; else it tells the other end
 * @param share of the time that it is paused, 0 to 1
 * @param framesPerSecond that begin, refresh or end pauses
 * @param pausesPerSecond that ended; NaN where the driver does not count them
 * @param meanUs how long one is
 * @param intervalUs from the end of one to the end of the next
 */
public record PauseRate(String device, int port, boolean received, int priority, double share, double framesPerSecond,
        double pausesPerSecond, double meanUs, double intervalUs) {

    private static final double MICROSECONDS = 1e6;

    private record Key(String device, int port, boolean received, int priority) { }

    /** Finds all, in the order of their first counters. */
    public static List<PauseRate> of(List<Rate> rates) {
        Map<Key, double[]> found = new LinkedHashMap<>();
        for (Rate rate : rates) {
            PauseName name = PauseName.of(rate.last().name());
            if (name != null) {
                Key key = new Key(rate.last().device(), rate.last().port(), name.received(), name.priority());
                double[] values = found.computeIfAbsent(key, k -> new double[] {Double.NaN, Double.NaN, Double.NaN});
                if (rate.known()) {
                    values[name.what().ordinal()] = rate.perSecond();
                }
            }
        }
        List<PauseRate> all = new ArrayList<>();
        found.forEach((key, values) -> all.add(of(key, values[0], values[1], values[2])));
        return all;
    }

    private static PauseRate of(Key key, double frames, double usPerSecond, double ended) {
        return new PauseRate(key.device, key.port, key.received, key.priority,
                Math.min(1, usPerSecond / MICROSECONDS), frames, ended, ended > 0 ? usPerSecond / ended : Double.NaN,
                ended > 0 ? MICROSECONDS / ended : Double.NaN);
    }

    /** Returns true when there was one. */
    public boolean isPaused() {
        return share > 0 || framesPerSecond > 0 || pausesPerSecond > 0;
    }
}
