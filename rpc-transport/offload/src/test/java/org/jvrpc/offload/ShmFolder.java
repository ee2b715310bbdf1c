package org.jvrpc.offload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** The software RNIC in a folder of this test run's own. */
final class ShmFolder {

    private static final Path FOLDER = make();

    private ShmFolder() {
    }

    private static Path make() {
        try {
            Path shm = Path.of("/dev/shm");
            Path folder = Files.isDirectory(shm)
                    ? Files.createTempDirectory(shm, "jvrpc-test-") : Files.createTempDirectory("jvrpc-test-");
            System.setProperty("jvrpc.shm.dir", folder.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteAll(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + folder + ": " + e);
        }
    }

    static Device open() {
        if (!Files.isDirectory(FOLDER)) {
            throw new AssertionError("the folder of the tests is gone: " + FOLDER);
        }
        return Devices.open("shm://any");
    }
}
