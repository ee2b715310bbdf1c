package org.jvrpc.softrnic.shm.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jvrpc.verbs.VerbsException;

/**
 * Where a device has its folder, when that is not among those of its user. Folder and files are those of the parent's
 * group, too: in a parent of mode 2770 that is the group of whoever serves the device. The folder has that from its
 * birth, as its owner, who need not be of that group, loses it by {@code chmod(2)}.
 *
 * @param parent folder that the device's is made in; it must be there, and this process's user's
 */
public record Place(Path parent) {

    static final FileAttribute<?> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwx---"));
    static final Set<PosixFilePermission> FILES = PosixFilePermissions.fromString("rw-rw----");
    /** Bytes of the first slab of small pieces: a QP and its CQ, as a router has many devices that are silent. */
    static final long FIRST_SLAB = 12L << 10;
    private static final int ENTERED_BY_GROUP = 050;

    /** Looks at the parent and sweeps away what dead devices left there. @throws VerbsException when it is none */
    public void prepare() {
        try {
            Map<String, Object> found = Files.readAttributes(parent, "unix:uid,isDirectory", LinkOption.NOFOLLOW_LINKS);
            int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!Boolean.TRUE.equals(found.get("isDirectory")) || !found.get("uid").equals(own)) {
                throw new VerbsException("open_device", "folder=" + parent + " must be a folder of this process's user,"
                        + " uid=" + own + ", has uid=" + found.get("uid"));
            }
        } catch (IOException e) {
            throw new VerbsException("open_device", "folder=" + parent + " is not there: " + e, e);
        }
        ShmDirectory.sweep(parent);
    }

    /** Lets the group into a device's folder that was just made, whatever the umask. */
    void open(Path folder) throws IOException {
        int mode = (Integer) Files.getAttribute(folder, "unix:mode");
        if ((mode & ENTERED_BY_GROUP) != ENTERED_BY_GROUP) {
            Files.setAttribute(folder, "unix:mode", mode & 07777 | 070);
        }
        Files.setPosixFilePermissions(folder.resolve(DeviceFolder.LOCK), FILES);
    }
}
