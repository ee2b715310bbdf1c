package org.jvrpc.router.hostile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the threads that a call takes could run and did not, as they had no processor: the kernel's own count, the
 * second number of {@code /proc/self/task/N/schedstat}. What a call takes beyond that is not the machine's fault. One
 * thread.
 */
final class RunDelays {

    private static final Path TASKS = Path.of("/proc/self/task");
    private final List<Path> threads = new ArrayList<>();

    /** Finds the threads. @param names how their names begin, at most 15 bytes */
    RunDelays(String... names) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String name = Files.readString(task.resolve("comm"));
                for (String begin : names) {
                    if (name.startsWith(begin)) {
                        threads.add(task.resolve("schedstat"));
                    }
                }
            }
        }
    }

    int threads() {
        return threads.size();
    }

    /** Returns the sum in nanoseconds. */
    long sumNs() throws IOException {
        long sum = 0;
        for (Path thread : threads) {
            try {
                sum += Long.parseLong(Files.readString(thread).split(" ")[1].strip());
            } catch (NoSuchFileException e) {
                continue; // it has ended
            }
        }
        return sum;
    }
}
