package org.jvrpc.watch.history;

import java.util.function.BiConsumer;

/** Rows of series by window, within a bound of bytes: the oldest are removed first. Any thread. */
public interface History extends AutoCloseable {

    /**
     * Keeps a row. A store that is full or broken keeps nothing, and says so by {@link #trouble}.
     *
     * @param series such as rack/r1/r2, host/h7
     */
    void put(String series, long window, byte[] row);

    /** Hands over the rows of the windows from one to another, both included, in order. */
    void range(String series, long from, long to, BiConsumer<Long, byte[]> each);

    /** Takes rows. */
    interface Rows {
        void row(String series, long window, byte[] row);
    }

    /**
     * Hands over the rows of all series whose names begin so, of the windows from one to another, both included: in
     * order within a series. Looks at each row of those windows once, and lets nobody else read or write meanwhile.
     *
     * @param to which must not call the history
     */
    void each(String prefix, long from, long last, Rows to);

    /** Returns how long it is on disk, in bytes. */
    long bytes();

    /** Returns how long it may be, in bytes. */
    long bound();

    /** Returns why nothing is kept at the moment, or null. */
    String trouble();

    @Override
    void close();
}
