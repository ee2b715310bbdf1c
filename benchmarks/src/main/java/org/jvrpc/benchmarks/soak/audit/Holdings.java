package org.jvrpc.benchmarks.soak.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What this process holds: the figures whose growth is a leak. */
public final class Holdings {

    /** Threads of a server's executor, which come with the first heavy calls and go after some idle seconds. */
    private static final int POOLED = Math.max(4, Runtime.getRuntime().availableProcessors());

    /** In the order in which they are told. */
    public static final List<Leak> FIGURES = List.of(
            new Leak("heap KiB", 6 * 1024), new Leak("resident KiB", 64 * 1024), new Leak("descriptors", 6),
            new Leak("mappings", 60), new Leak("mapped files", 24), new Leak("threads", POOLED + 4));

    private static final int MOST_COLLECTIONS = 20;
    private static final int SAME_COLLECTIONS = 3;

    private Holdings() {
    }

    /**
     * Has the collector run until it finds no more mappings to end, and returns the figures then. Takes some 100 ms.
     *
     * @return numbers with a space between them, in the order of {@link #FIGURES}
     */
    public static String settled() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0, same = 0; i < MOST_COLLECTIONS && same < SAME_COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(20); // the cleaner is another thread
            long now = count(Path.of("/proc/self/maps"), "/") + count(Path.of("/proc/self/fd").toFile().list());
            same = now < least ? 0 : same + 1;
            least = Math.min(least, now);
        }
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1024 + " " + residentKiB() + ' '
                + count(Path.of("/proc/self/fd").toFile().list()) + ' ' + count(Path.of("/proc/self/maps"), "") + ' '
                + count(Path.of("/proc/self/maps"), System.getProperty("jvrpc.shm.dir", "/dev/shm/jvrpc")) + ' '
                + count(Path.of("/proc/self/task").toFile().list());
    }

    private static long count(String[] names) {
        return names == null ? 0 : names.length;
    }

    private static long count(Path file, String part) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(part)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long residentKiB() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(text -> text.startsWith("VmRSS:")).findFirst().orElse("VmRSS: 0 kB");
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
