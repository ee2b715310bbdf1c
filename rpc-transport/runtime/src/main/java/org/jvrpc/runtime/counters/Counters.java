package org.jvrpc.runtime.counters;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the counters of processes are read. Those of this process need no file:
 *
 * <pre>{@code
 * for (EndpointCounters endpoint : Counters.own().read().endpoints()) {
 *     endpoint.methods().forEach(method -> report(endpoint.address(), method.method(), method.calls()));
 * }
 * }</pre>
 *
 * <p>Clients and servers count unless {@code -Djvrpc.counters=false}, or their builder, says otherwise.
 */
public final class Counters {

    /** Whether clients and servers count whose builders do not say; {@code true} unless it is {@code false}. */
    public static final String PROPERTY = "jvrpc.counters";

    private static volatile @Nullable ByteBuffer own;

    private Counters() {
    }

    /** Returns where this process's clients and servers count. One that has none yet reads as empty. Any thread. */
    public static CounterSource own() {
        return Counters::readOwn;
    }

    private static ProcessCounters readOwn() {
        ByteBuffer memory = own;
        return memory != null ? new CounterReader(memory).read()
                : new ProcessCounters(ProcessHandle.current().pid(), Instant.EPOCH, "", List.of(), 0);
    }

    /**
     * Opens a file of another process, or of this one. It is read where it lies: each reading sees what is counted now.
     *
     * @throws CounterFileException when it is no such file, of another version, cut, or its process is dead
     */
    public static CounterSource open(Path file) {
        return CounterFile.open(file);
    }

    /** This process counts there. Not for users. */
    public static void countedIn(ByteBuffer memory) {
        own = memory;
    }
}
