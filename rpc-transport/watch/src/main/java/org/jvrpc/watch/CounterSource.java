package org.jvrpc.watch;

import java.util.List;

/** Counters of one origin. One thread. */
public interface CounterSource extends AutoCloseable {

    /** Returns where they come from: sysfs, rdma statistic, ethtool, roce, fabric. */
    String origin();

    /** Returns how many bits a counter has before it wraps: 32 or 64. */
    int bits(String name);

    /** Reads all; never throws for one counter. */
    List<Reading> read();

    @Override
    void close();
}
