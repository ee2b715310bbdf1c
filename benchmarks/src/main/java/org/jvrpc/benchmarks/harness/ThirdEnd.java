package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;

/** What a process between a contender's two ends runs. Called by the main thread of that process. */
public interface ThirdEnd extends AutoCloseable {

    /** Starts to work on threads of its own. @param directory the contender's folder, which its server is given, too */
    void start(Path directory) throws Exception;

    /** Returns false for what others take for dead when it is stopped for long; then it sleeps without work. */
    default boolean canBeStopped() {
        return true;
    }

    @Override
    void close() throws IOException;
}
