package org.jvrpc.ibverbs;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.generic.GenericDriver;
import org.jvrpc.ibverbs.rxe.RxeDriver;
import org.jvrpc.verbs.VerbsException;

/** Chooses how a device is driven. */
final class Drivers {

    private static final String PROPERTY = "jvrpc.rdma.driver";

    private Drivers() {
    }

    /** Returns the driver that was asked for, by the address or else by a property; null for the best there is. */
    static Driver choose(RdmaContext context, String wanted) {
        String choice = wanted != null ? wanted : System.getProperty(PROPERTY, "");
        if (isRxe(context.name()) && !choice.equals("generic")) {
            return new RxeDriver(context);
        }
        if (choice.equals("user")) {
            throw new VerbsException("open_device", "no user driver for device " + context.name()
                    + "; there is driver=generic");
        }
        return new GenericDriver(context);
    }

    /** Returns true for a device of rdma_rxe: the only one that names a parent network device in sysfs. */
    static boolean isRxe(String device) {
        return Files.exists(Path.of("/sys/class/infiniband", device, "parent"));
    }
}
