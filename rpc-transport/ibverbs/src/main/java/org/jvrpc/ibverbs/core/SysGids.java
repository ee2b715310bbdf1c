package org.jvrpc.ibverbs.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Types of GIDs, which only sysfs tells on old kernels. */
final class SysGids {

    private SysGids() {
    }

    /** Returns true for a GID of RoCEv2, and where nothing is known. */
    static boolean isRoceV2(String device, int port, int index) {
        Path type = Path.of("/sys/class/infiniband", device, "ports", Integer.toString(port), "gid_attrs/types",
                Integer.toString(index));
        try {
            return Files.readString(type).contains("RoCE v2");
        } catch (IOException e) {
            return !Files.exists(type); // an entry that is not set cannot be read
        }
    }
}
