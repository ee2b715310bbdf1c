package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;

/** What a contender's server process runs. Called by the main thread of that process. */
public interface ServerEnd extends AutoCloseable {

    /**
     * Starts to serve on threads of its own.
     *
     * @param directory the run's folder, for sockets and mapped files
     * @param clients the number of clients that will come
     * @return what a client must know to connect, one word
     */
    String start(Path directory, int clients) throws Exception;

    @Override
    void close() throws IOException;
}
