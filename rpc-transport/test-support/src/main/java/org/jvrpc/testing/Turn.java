package org.jvrpc.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The turn of a test class among those of the build's JVMs, which run side by side: a class that is {@link Alone} waits
 * for the end of the others, and they for its. Locks of files, which the end of a JVM gives free.
 */
final class Turn implements AutoCloseable {

    private final FileChannel classes;

    /** Waits for it; as long as it takes, which surefire bounds. Outside of a build nobody runs beside. */
    Turn(boolean alone) throws IOException {
        String root = System.getProperty("jvrpc.root");
        if (root == null) {
            classes = null;
            return;
        }
        Path folder = Files.createDirectories(Path.of(root, "target"));
        classes = open(folder.resolve("tests.classes"));
        try (FileChannel door = open(folder.resolve("tests.door"))) {
            door.lock(); // whoever comes behind one that waits for the others waits here, and does not pass it
            classes.lock(0, Long.MAX_VALUE, !alone);
        } catch (IOException | RuntimeException | Error e) {
            classes.close();
            throw e;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public void close() throws IOException {
        if (classes != null) {
            classes.close();
        }
    }
}
