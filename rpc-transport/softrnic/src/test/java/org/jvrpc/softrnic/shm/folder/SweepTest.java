package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dead processes left, when several threads of one process come upon it. */
class SweepTest {

    @TempDir
    private Path folder;

    @Test
    void aDeviceThatAnotherThreadRemovesIsLeftToIt() throws Exception {
        Path dead = Files.createDirectory(folder.resolve("d-999999999-1"));
        Path lockFile = Files.createFile(dead.resolve("lock"));
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertTrue(lock.isValid());
            assertFalse(ShmDirectory.sweepDevice(dead));
            ShmDirectory.sweep(folder);
            assertTrue(Files.exists(dead));
        }
        assertTrue(ShmDirectory.sweepDevice(dead));
        assertFalse(Files.exists(dead));
    }
}
