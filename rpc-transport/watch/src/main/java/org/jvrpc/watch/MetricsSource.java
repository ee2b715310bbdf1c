package org.jvrpc.watch;

/** Has metrics. Any thread. */
public interface MetricsSource {

    void write(Metrics to);
}
