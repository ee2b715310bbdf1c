package org.jvrpc.samples.kv.store;

import java.util.function.LongSupplier;

/** The store's time, passed in so that tests need no sleep. */
public interface Clock {

    /** Returns seconds of Unix time. */
    long seconds();

    /** Returns nanoseconds that only ever rise, from any origin. */
    long nanos();

    /**
     * Returns the machine's time. As memcached's, it goes on from what the wall clock said in the beginning by a clock
     * that is never set: items live as long as they were given when somebody sets the wall clock.
     */
    static Clock system() {
        return of(System::currentTimeMillis, System::nanoTime);
    }

    /** The same over other clocks. @param wallMs milliseconds of Unix time, read once @param nanos monotonic */
    static Clock of(LongSupplier wallMs, LongSupplier nanos) {
        long originNs = nanos.getAsLong();
        long originMs = wallMs.getAsLong();
        return new Clock() {
            @Override
            public long seconds() {
                return (originMs + (nanos.getAsLong() - originNs) / 1_000_000) / 1000;
            }

            @Override
            public long nanos() {
                return nanos.getAsLong();
            }
        };
    }
}
