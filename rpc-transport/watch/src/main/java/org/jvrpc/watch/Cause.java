package org.jvrpc.watch;

/**
 * What is wrong with a component. FLAPPING: it loses in some windows and is sound in others between them, again and
 * again; one that comes and goes within each window loses, DROPS.
 */
public enum Cause {
    DROPS, SIZE_DROPS, BLACKHOLE, CORRUPTION, SLOW_LINK, LATENCY, PAUSE_STORM, SLOW_RECEIVER, HOST_STALL, DOWN,
    FLAPPING, CLASS_DROPS
}
