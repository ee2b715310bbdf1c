package org.jvrpc.ibverbs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Which kernels the user driver of rxe is proven with. It maps rings whose layout the driver's ABI version names, and
 * goes round defects of the kernel, so that both must be known ones. To add a kernel, run the contract suites on it.
 */
final class RxeKernel {

    /** {@code RXE_UVERBS_ABI_VERSION}. Source: include/uapi/rdma/rdma_user_rxe.h. */
    private static final String ABI_VERSION = "2";
    private static final Set<String> RELEASES = Set.of("6.1");

    private RxeKernel() {
    }

    /**
     * Returns what speaks against the user driver, null when nothing does.
     *
     * @param verbs {@code /sys/class/infiniband_verbs}
     * @param release the file with the kernel's release
     */
    static String doubt(Path verbs, Path release, String device) {
        String abi = abiVersion(verbs, device);
        String kernel = read(release);
        if (!ABI_VERSION.equals(abi)) {
            return "abi_version=" + abi + ", proven is " + ABI_VERSION;
        }
        String[] parts = kernel == null ? new String[0] : kernel.split("[.-]", 3);
        boolean proven = parts.length > 1 && RELEASES.contains(parts[0] + "." + parts[1]);
        return proven ? null : "kernel=" + kernel + ", proven are " + RELEASES;
    }

    /** Returns the ABI version of the device's kernel driver; null when sysfs does not tell. */
    private static String abiVersion(Path verbs, String device) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(verbs, "uverbs*")) {
            for (Path entry : entries) {
                if (device.equals(read(entry.resolve("ibdev")))) {
                    return read(entry.resolve("abi_version"));
                }
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            return null;
        }
    }
}
