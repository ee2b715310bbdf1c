package org.jvrpc.samples.kv.memcache;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What sessions tell of their server. Any thread. */
final class ServerStatus {

    /** What "version" answers: memcached's numbers that clients look at, with a name of our own behind them. */
    static final String VERSION = "1.6.18-jvrpc";

    final ServerSettings settings;
    final long startSeconds;
    final AtomicInteger connections = new AtomicInteger();
    final AtomicLong totalConnections = new AtomicLong();
    final AtomicLong rejectedConnections = new AtomicLong();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final BufferBudget bufferBudget;
    final PrefixStatistics prefixes = new PrefixStatistics();
    volatile int verbosity;
    volatile int port;

    ServerStatus(ServerSettings settings, long startSeconds) {
        this.settings = settings;
        this.startSeconds = startSeconds;
        bufferBudget = new BufferBudget(settings.bufferBytes());
        port = settings.port();
    }

    void resetCounters() {
        totalConnections.set(0);
        rejectedConnections.set(0);
        prefixes.clear();
        bytesRead.reset();
        bytesWritten.reset();
    }
}
