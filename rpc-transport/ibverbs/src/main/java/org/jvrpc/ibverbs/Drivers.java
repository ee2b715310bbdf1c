package org.jvrpc.ibverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.card.CardDriver;
import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.generic.GenericDriver;
import org.jvrpc.ibverbs.rxe.RxeDriver;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses how a device is driven. */
final class Drivers {

    private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);
    private static final Path INFINIBAND = Path.of("/sys/class/infiniband");
    private static final Path VERBS = Path.of("/sys/class/infiniband_verbs");
    private static final Path RELEASE = Path.of("/proc/sys/kernel/osrelease");
    private static final String MELLANOX = "0x15b3";
    private static final String PROPERTY = "jvrpc.rdma.driver";

    private Drivers() {
    }

    /** Returns the driver that was asked for, by the address or else by a property; null for the best there is. */
    static Driver choose(RdmaContext context, String wanted) {
        String choice = wanted != null ? wanted : System.getProperty(PROPERTY, "");
        if (context.isRxe() && !choice.equals("generic") && isRxeTrusted(context.name(), choice.equals("user"))) {
            return new RxeDriver(context);
        }
        if (isMlx5(INFINIBAND, context.name()) && !choice.equals("generic")
                && (isOrderedForDevices(System.getProperty("os.arch")) || choice.equals("user"))) {
            return new CardDriver(context, Libraries.mlx5());
        }
        if (choice.equals("user")) {
            throw new VerbsException("open_device", "no user driver for device " + context.name()
                    + "; there is driver=generic");
        }
        return new GenericDriver(context);
    }

    private static boolean isRxeTrusted(String device, boolean wanted) {
        String doubt = RxeKernel.doubt(VERBS, RELEASE, device);
        if (doubt != null && wanted) {
            LOG.warn("device {} is driven by the user driver of rxe, as driver=user wants it: {}", device, doubt);
        } else if (doubt != null) {
            LOG.info("device {} is driven by libibverbs; ?driver=user has the user driver of rxe all the same: {}",
                    device, doubt);
        }
        return doubt == null || wanted;
    }

    /** Returns true for a device that the kernel drives by mlx5_core, or of its vendor where sysfs names no driver. */
    static boolean isMlx5(Path root, String device) {
        Path driver = root.resolve(device).resolve("device/driver");
        try {
            return Files.exists(driver) ? driver.toRealPath().endsWith("mlx5_core")
                    : Files.readString(root.resolve(device).resolve("device/vendor")).trim().equals(MELLANOX);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns true where fences of Java order stores for a card's eyes, too, as x86-64's do; arm64's are for processors
     * only, so that the user driver is for who asks for it there.
     */
    static boolean isOrderedForDevices(String architecture) {
        return architecture.equals("amd64") || architecture.equals("x86_64");
    }
}
