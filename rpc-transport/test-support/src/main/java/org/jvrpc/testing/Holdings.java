package org.jvrpc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process holds, to find leaks by.
 *
 * @param descriptors open files, sockets and so on
 * @param mappings of files in its folder of shared memory
 * @param threads of the JVM itself as well
 * @param files in that folder, folders among them
 */
public record Holdings(int descriptors, int mappings, int threads, int files) {

    private static final int COLLECTIONS = 50;
    private static final int LEAST_COLLECTIONS = 5;

    /** Returns what this process holds now; mappings that await the collector are among them. */
    public static Holdings now() {
        Path folder = Path.of(System.getProperty(SharedMemoryFolder.PROPERTY));
        return new Holdings(count("/proc/self/fd"), mappings(folder), count("/proc/self/task"), walk(folder));
    }

    /** Returns what this process holds when the collector finds no more mappings to end. */
    public static Holdings settled() {
        Holdings least = now();
        for (int i = 0, same = 0; i < COLLECTIONS && same < LEAST_COLLECTIONS; i++) {
            System.gc();
            pause();
            Holdings now = now();
            same = now.mappings < least.mappings ? 0 : same + 1;
            least = now;
        }
        return least;
    }

    /** Waits until this process holds no more of anything than it did. */
    public static void awaitNoMoreThan(Holdings before) {
        awaitNoMoreThan(before, new Holdings(0, 0, 0, 0));
    }

    /** Waits until this process holds no more of anything than it did, but for so many of each. */
    public static void awaitNoMoreThan(Holdings before, Holdings more) {
        Holdings most = before.plus(more);
        Holdings[] now = new Holdings[1];
        Waits.until("no more than " + most, () -> {
            System.gc();
            now[0] = now();
            return now[0].isWithin(most);
        }, () -> now[0]);
    }

    /** Returns the sum of each. */
    public Holdings plus(Holdings more) {
        return new Holdings(descriptors + more.descriptors, mappings + more.mappings, threads + more.threads,
                files + more.files);
    }

    /** Returns true when there is no more of anything than in another. */
    public boolean isWithin(Holdings most) {
        return descriptors <= most.descriptors && mappings <= most.mappings && threads <= most.threads
                && files <= most.files;
    }

    /** Reads what {@link #toString} said in another process. */
    public static Holdings parse(String text) {
        String[] numbers = text.replaceAll("[^0-9]+", " ").trim().split(" ");
        int[] values = Stream.of(numbers).mapToInt(Integer::parseInt).toArray();
        return new Holdings(values[0], values[1], values[2], values[3]);
    }

    private static void pause() {
        try {
            Thread.sleep(10); // the cleaner is another thread
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int count(String folder) {
        String[] names = Path.of(folder).toFile().list();
        return names == null ? 0 : names.length;
    }

    private static int mappings(Path folder) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return (int) lines.filter(line -> line.contains(folder + "/")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return (int) files.count();
        } catch (IOException | UncheckedIOException e) {
            return Integer.MAX_VALUE; // one went meanwhile: look again
        }
    }
}
