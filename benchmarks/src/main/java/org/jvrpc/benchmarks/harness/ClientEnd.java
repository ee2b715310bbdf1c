package org.jvrpc.benchmarks.harness;

import java.io.IOException;

/** What a contender's client process runs. One caller thread, but for pipelines: each has a thread of its own. */
public interface ClientEnd extends AutoCloseable {

    /**
     * Connects.
     *
     * @param address what {@link ServerEnd#start} returned
     * @param index of this client, from 0
     */
    void connect(String address, int index) throws Exception;

    /** Prepares the call that a latency round repeats. */
    Operation operation(Workload workload) throws Exception;

    /** Prepares pipelined calls with an 8-byte argument and an 8-byte result, for one thread. */
    default Pipeline pipeline() throws Exception {
        throw new UnsupportedOperationException("no pipelined calls");
    }

    /** Prepares a connection attempt: {@link Operation#call} connects and makes a first call. */
    default Operation connecting(String address) throws Exception {
        throw new UnsupportedOperationException("no connect benchmark");
    }

    @Override
    void close() throws IOException;
}
