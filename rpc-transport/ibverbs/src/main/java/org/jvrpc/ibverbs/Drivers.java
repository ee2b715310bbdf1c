package org.jvrpc.ibverbs;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.verbs.VerbsException;

/** Chooses how a device is driven. */
final class Drivers {

    private static final String PROPERTY = "jvrpc.rdma.driver";

    private Drivers() {
    }

    /** Returns the driver that was asked for, by the address or else by a property; null for the best there is. */
    static Driver choose(RdmaContext context, String wanted) {
        String choice = wanted != null ? wanted : System.getProperty(PROPERTY, "");
        throw new VerbsException("open_device", "no driver for device " + context.name() + ", wanted=" + choice
                + (isRxe(context.name()) ? " rxe" : ""));
    }

    /** Returns true for a device of rdma_rxe: the only one that names a parent network device in sysfs. */
    static boolean isRxe(String device) {
        return Files.exists(Path.of("/sys/class/infiniband", device, "parent"));
    }
}
