package org.jvrpc.watch;

/** Takes metrics, in the form of Prometheus. One thread. */
public interface Metrics {

    /**
     * A value that goes up and down.
     *
     * @param name of letters, digits and underscores
     * @param labels name and value in turn
     */
    void gauge(String name, String help, double value, String... labels);

    /** A value that only grows, but for restarts. */
    void counter(String name, String help, double value, String... labels);
}
