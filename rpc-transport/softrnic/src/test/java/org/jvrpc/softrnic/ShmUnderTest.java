package org.jvrpc.softrnic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The software RNIC in a folder of this test run's own, so that neither other runs nor the user's services meet it. */
interface ShmUnderTest extends DeviceUnderTest {

    AtomicInteger NAMES = new AtomicInteger();
    Path FOLDER = makeFolder();

    private static Path makeFolder() {
        try {
            String chosen = System.getProperty("jvrpc.shm.dir");
            if (chosen != null) {
                return Path.of(chosen);
            }
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

    /** Deletes a folder and what is in it, one level of folders deep. */
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

    static String freshAddress() {
        return "shm://test-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    }

    @Override
    default Device openDevice() {
        return open();
    }

    @Override
    default String address() {
        return freshAddress();
    }
}
