package org.jvrpc.samples.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Gives the tests of this JVM a folder of shared memory of their own, and deletes it. */
public final class ShmFolder implements LauncherSessionListener {

    static final String PROPERTY = "jvrpc.shm.dir";

    private Path made;

    /** Made by JUnit. */
    public ShmFolder() {
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (System.getProperty(PROPERTY) != null) {
            return;
        }
        try {
            Path shm = Path.of("/dev/shm");
            made = Files.isWritable(shm)
                    ? Files.createTempDirectory(shm, "jvrpc-zk-") : Files.createTempDirectory("jvrpc-zk-");
            System.setProperty(PROPERTY, made.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(this::delete)); // devices are there until then
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete() {
        try (Stream<Path> all = Files.walk(made)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + made + ": " + e);
        }
    }
}
