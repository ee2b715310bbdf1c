package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceTest {

    private static final int SETGID = 02000;

    @TempDir
    private Path parent;

    /** Who is not of the parent's group cannot set this again: it must be there from the folder's birth. */
    @Test
    void aDevicesFilesAreOfTheParentsGroupWhichMayReadAndWriteThem() throws IOException {
        Files.setAttribute(parent, "unix:mode", SETGID | 0770);
        Home home = Home.make(parent, 1, new Place(parent));
        home.arena().allocate(64);
        int mode = (Integer) Files.getAttribute(home.folder(), "unix:mode");
        assertTrue((mode & SETGID | mode & 050) == (SETGID | 050), () -> Integer.toOctalString(mode));
        for (String file : new String[] {"lock", "0", "1"}) {
            assertEquals(PosixFilePermissions.fromString("rw-rw----"),
                    Files.getPosixFilePermissions(home.folder().resolve(file)), file);
        }
        home.leave();
    }

    @Test
    void aDeviceWithoutAPlaceIsItsOwnersAlone() throws IOException {
        Home home = Home.make(parent, 1);
        assertEquals(PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(home.folder()));
        assertEquals(PosixFilePermissions.fromString("rw-------"),
                Files.getPosixFilePermissions(home.folder().resolve("0")));
        home.leave();
    }
}
