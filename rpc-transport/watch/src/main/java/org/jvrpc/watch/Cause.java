package org.jvrpc.watch;

/** What is wrong with a component. */
public enum Cause {
    DROPS, SIZE_DROPS, BLACKHOLE, CORRUPTION, SLOW_LINK, LATENCY, PAUSE_STORM, SLOW_RECEIVER, HOST_STALL, DOWN,
    FLAPPING, CLASS_DROPS
}
