package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SharedMemoryFolderTest {

    private static final int LONGEST_SOCKET_PATH = 107;
    private static Path seen;

    @AfterAll
    static void theFolderIsTheClasss() {
        assertEquals(seen, SharedMemoryFolder.path());
    }

    @Test
    void theFolderIsThereForItsOwnerAndEmptyAndShort() throws Exception {
        seen = SharedMemoryFolder.path();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(seen)));
        try (var files = Files.list(seen)) {
            assertEquals(0, files.count());
        }
        assertTrue(seen.toString().length() + 60 < LONGEST_SOCKET_PATH, seen.toString());
        assertTrue(!seen.toString().contains("jvrpc-" + System.getProperty("user.name")));
    }

    @Test
    void addressesAreFresh() {
        assertNotEquals(SharedMemoryFolder.freshAddress(), SharedMemoryFolder.freshAddress());
    }

    /** Nested classes share it. */
    @Nested
    class Inner {

        @Test
        void theFolderIsTheOuterClasss() {
            seen = seen == null ? SharedMemoryFolder.path() : seen;
            assertEquals(seen, SharedMemoryFolder.path());
        }
    }

    @Test
    void whatTheLivingLeaveIsFoundAndWhatTheDeadLeaveIsNot() throws Exception {
        Path folder = Files.createDirectory(SharedMemoryFolder.path().resolve("other"));
        Path own = Files.createDirectory(folder.resolve("d-" + ProcessHandle.current().pid() + "-1f"));
        Path slab = Files.createFile(own.resolve("0"));
        Files.createDirectory(folder.resolve("d-" + Integer.MAX_VALUE + "-1f"));
        Files.createFile(folder.resolve("name.lock"));
        Path socket = folder.resolve("name.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertEquals(List.of(own, socket), SharedMemoryFolder.left(folder).stream().sorted().toList());
        }
        assertEquals(List.of(own), SharedMemoryFolder.left(folder));
        SharedMemoryFolder.awaitNothingLeft(folder, "a test that failed", true);
        Files.delete(slab);
        assertEquals(List.of(), SharedMemoryFolder.left(folder), "its last user was killed while it deleted it");
        Files.delete(own);
        assertEquals(List.of(), SharedMemoryFolder.left(folder));
    }
}
