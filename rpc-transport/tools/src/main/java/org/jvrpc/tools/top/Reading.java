package org.jvrpc.tools.top;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.counters.CounterFileException;
import org.jvrpc.runtime.counters.CounterFileException.Reason;
import org.jvrpc.runtime.counters.CounterFiles;
import org.jvrpc.runtime.counters.CounterSource;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.ProcessCounters;

/**
 * What all processes of a folder had counted at one moment.
 *
 * @param atNs of the system's clock, monotonic
 * @param processes by their files
 * @param unread files that cannot be read, and why
 */
record Reading(long atNs, Map<Path, ProcessCounters> processes, List<Unread> unread) {

    /** A file that cannot be read. */
    record Unread(Path file, Reason reason, String message) {
    }

    /** Takes one after the other. Keeps files open; those of dead processes are removed. One thread. */
    static final class Reader {

        private final Path folder;
        private final Map<Path, CounterSource> open = new HashMap<>();

        Reader(Path folder) {
            this.folder = folder;
        }

        /** @throws IOException when the folder cannot be listed */
        Reading read() throws IOException {
            List<Path> files = CounterFiles.list(folder);
            open.keySet().retainAll(files);
            Map<Path, ProcessCounters> processes = new LinkedHashMap<>();
            List<Unread> unread = new ArrayList<>();
            for (Path file : files) {
                try {
                    processes.put(file, open.computeIfAbsent(file, Counters::open).read());
                } catch (CounterFileException e) {
                    open.remove(file);
                    unread.add(new Unread(file, e.reason(), e.getMessage()));
                }
            }
            CounterFiles.sweep(folder, Integer.MAX_VALUE);
            return new Reading(System.nanoTime(), processes, unread);
        }
    }
}
