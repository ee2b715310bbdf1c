package org.jvrpc.watch;

/** What the value of a counter counts. */
public enum Unit { COUNT, BYTES, NANOSECONDS, MICROSECONDS }
