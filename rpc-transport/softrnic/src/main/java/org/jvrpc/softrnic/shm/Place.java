package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.jvrpc.verbs.VerbsException;

/**
 * Where a device has its folder, when that is not among those of its user.
 *
 * @param parent folder that the device's is made in; it must be there, and this process's user's
 * @param mode of the device's folder, as {@code 02770}
 */
public record Place(Path parent, int mode) {

    /** Looks at the parent and sweeps away what dead devices left there. @throws VerbsException when it is none */
    void prepare() {
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

    /** Opens a device's folder, which was made as its owner's alone. */
    void open(Path folder) throws IOException {
        Files.setAttribute(folder, "unix:mode", mode);
    }
}
