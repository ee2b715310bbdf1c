package org.jvrpc.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;

/** A folder of shared memory of this test run's own, so that neither other runs nor the user's services meet it. */
final class ShmFolder {

    static final String PROPERTY = "jvrpc.shm.dir";
    static final Path PATH = make();
    private static final AtomicInteger NAMES = new AtomicInteger();

    private ShmFolder() {
    }

    private static Path make() {
        String chosen = System.getProperty(PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        try {
            Path shm = Path.of("/dev/shm");
            Path folder = Files.isDirectory(shm)
                    ? Files.createTempDirectory(shm, "jvrpc-runtime-test-")
                    : Files.createTempDirectory("jvrpc-runtime-test-");
            System.setProperty(PROPERTY, folder.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + folder + ": " + e);
        }
    }

    /** Returns an address at which nobody listens. */
    static String address() {
        if (!Files.isDirectory(PATH)) {
            throw new AssertionError("the folder of the tests is gone: " + PATH);
        }
        return "shm://rt-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    }
}
