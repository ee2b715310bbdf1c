package org.jvrpc.watch;

/** The time as this process sees it. Any thread. */
public interface Clock {

    /** Of this process. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }
    };

    /** Returns monotonic nanoseconds since an arbitrary origin. */
    long nowNs();

    /** Returns milliseconds since 1970 UTC: a label, never subtracted, as it may jump. */
    long wallMs();
}
