package org.jvrpc.benchmarks.kv;

import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.harness.HistogramFile;
import org.jvrpc.benchmarks.harness.LatencyLoop;
import org.jvrpc.benchmarks.harness.Pipeline;

/**
 * Gets at fixed times, whether or not those before were answered in time: each is timed from when it was due, so that a
 * pause of the server counts for all gets that fell into it. The histogram goes to the {@link HistogramFile}.
 */
final class PacedGets implements Pipeline {

    private final KvGet get;

    PacedGets(KvGet get) {
        this.get = get;
    }

    /** Gets. @param window microseconds from one get to the next */
    @Override
    public long run(int window, long endNs) throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        long intervalNs = window * 1000L;
        for (long dueNs = System.nanoTime() + intervalNs; dueNs < endNs; dueNs += intervalNs) {
            get.before();
            while (System.nanoTime() < dueNs) {
                Thread.onSpinWait();
            }
            get.call();
            long tookNs = System.nanoTime() - dueNs;
            get.after();
            histogram.recordValue(Math.min(tookNs, LatencyLoop.MAX_NS));
        }
        HistogramFile.write(histogram);
        return histogram.getTotalCount();
    }
}
