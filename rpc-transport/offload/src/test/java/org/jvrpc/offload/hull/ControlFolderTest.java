package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders in a place where everybody may make some. */
final class ControlFolderTest {

    @TempDir
    private Path root;

    private Path folder(String name, String mode) throws IOException {
        return Files.createDirectory(root.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
    }

    private static void refused(Path folder, String... parts) {
        String message = assertThrows(IOException.class, () -> ControlPort.checkOwn(folder)).getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
        assertTrue(message.contains(folder.toString()), message);
    }

    @Test
    void onesOwnIsTakenAndLeftAsItWas() throws IOException {
        Path own = folder("own", "rwx------");
        ControlPort.checkOwn(own);
        try (var files = Files.list(own)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void oneThatOthersMayEnterIsRefused() throws IOException {
        refused(folder("open", "rwxr-xr-x"), "0700", "rwxr-xr-x");
    }

    @Test
    void aLinkIsRefusedWhateverItLeadsTo() throws IOException {
        refused(Files.createSymbolicLink(root.resolve("link"), folder("target", "rwx------")), "link");
    }

    @Test
    void whatIsNoFolderIsRefused() throws IOException {
        refused(Files.createFile(root.resolve("file"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))), "folder");
    }

    @Test
    void anotherUsersIsRefused() throws IOException {
        Path other = folder("other", "rwx------");
        assumeTrue(mayGiveAway(other), "only root can make a folder another user's");
        refused(other, "must be this user's", "owner=");
    }

    private static boolean mayGiveAway(Path folder) {
        try {
            Files.setAttribute(folder, "unix:uid", 12345);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
