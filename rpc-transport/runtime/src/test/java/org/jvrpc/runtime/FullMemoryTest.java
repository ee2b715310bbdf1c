package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.SharedMemoryFolder;

/** Shared memory that is too small, in a file system of the test's own. */
class FullMemoryTest {

    private static void says(String line, String... statuses) {
        for (String status : statuses) {
            if (line.startsWith(status)) {
                assertTrue(line.length() > status.length() + 10, "no message: " + line);
                return;
            }
        }
        throw new AssertionError(line);
    }

    @Test
    void fullMemoryRefusesBodiesAndConnectionsAndSmallCallsGoOn() throws IOException {
        Path mount = Files.createTempDirectory("jvrpc-full-");
        try {
            assumeTrue(Processes.run("mount", "-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", mount.toString()) == 0,
                    "mounting a tmpfs is not permitted here");
            try {
                refuses(mount);
            } finally {
                assertEquals(0, Processes.run("umount", "-l", mount.toString()));
            }
        } finally {
            Files.deleteIfExists(mount);
        }
    }

    private static void refuses(Path mount) throws IOException {
        Path folder = Files.createDirectory(mount.resolve("shm"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (ChildJvm child = ChildMain.command("full", "shm://full")
                .property(SharedMemoryFolder.PROPERTY, folder).start()) {
            assertEquals("3", child.expect("SMALL"));
            says(child.expect("BODY"), "RESOURCE_EXHAUSTED");
            says(child.expect("RESULT"), "RESOURCE_EXHAUSTED");
            assertEquals("5", child.expect("SMALL"));
            says(child.expect("CONNECT"), "RESOURCE_EXHAUSTED", "UNAVAILABLE");
            assertEquals("7", child.expect("SMALL"));
        }
    }
}
