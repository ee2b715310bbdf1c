package org.jvrpc.tools.host;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** {@code /dev/shm}, where the software RNIC keeps its memory. */
public final class ShmCheck {

    private static final String FOLDER = "/dev/shm";
    private static final long SCARCE = 256L << 20;
    private static final String OTHER = "name another folder with -Djvrpc.shm.dir=…";

    private ShmCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        return List.of(folder(host));
    }

    private static Finding folder(Host host) {
        String chosen = System.getProperty("jvrpc.shm.dir");
        if (chosen != null) {
            return Finding.note(Area.SHM, FOLDER, "not used: -Djvrpc.shm.dir=" + chosen, "");
        }
        if (!Files.isDirectory(host.path(FOLDER))) {
            return Finding.warn(Area.SHM, FOLDER, "is missing; java.io.tmpdir is used, which may be on a disk",
                    "mount -t tmpfs -o mode=1777 shm /dev/shm, or " + OTHER);
        }
        if (!Files.isWritable(host.path(FOLDER))) {
            return Finding.fail(Area.SHM, FOLDER, "is not writable by " + host.user() + ": " + host.rights(FOLDER),
                    "chmod 1777 /dev/shm, or " + OTHER);
        }
        try {
            long free = Files.getFileStore(host.path(FOLDER)).getUsableSpace();
            String text = "writable, " + (free >> 20) + " MiB free; noexec does not matter";
            return free >= SCARCE ? Finding.ok(Area.SHM, FOLDER, text) : Finding.warn(Area.SHM, FOLDER,
                    text + "; a session takes some MiB", "mount -o remount,size=1g /dev/shm; docker: --shm-size=1g");
        } catch (IOException e) {
            return Finding.warn(Area.SHM, FOLDER, "writable, free space is unknown: " + e.getMessage(), "");
        }
    }
}
