package org.jvrpc.samples.kv.store;

/** The store's time, passed in so that tests need no sleep. */
public interface Clock {

    /** Returns seconds of Unix time. */
    long seconds();

    /** Returns nanoseconds that only ever rise, from any origin. */
    long nanos();

    /** Returns the machine's time. */
    static Clock system() {
        return new Clock() {
            @Override
            public long seconds() {
                return System.currentTimeMillis() / 1000;
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}
