package org.jvrpc.watch.fabric.experiments;

import org.jvrpc.watch.rperf.RperfResult;

/**
 * What came of it.
 *
 * @param lsg as rperf tells it
 * @param bulkGbps of all bulks, of messages without headers, the gamer not among them
 * @param gamerGbps of the gamer; 0 without one
 */
public record Measured(Setup setup, RperfResult lsg, double bulkGbps, double gamerGbps) {

    public long p50Ns() {
        return lsg.rtt().p50Ns();
    }

    public long p99Ns() {
        return lsg.rtt().p99Ns();
    }
}
