package org.jvrpc.ibverbs.cm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** What sysfs tells of a device, and of what is below rxe. Source: Linux, Documentation/ABI. Any thread. */
final class RxeLink {

    private static final Path DEVICES = Path.of("/sys/class/infiniband");
    private static final Path OPENED_BY = Path.of("/sys/class/infiniband_verbs");
    private static final Path NETWORK = Path.of("/sys/class/net");
    private static final int IFF_UP = 1;
    private static final String ACTIVE = "4:";

    private RxeLink() {
    }

    /** Returns the network device that is down below an rxe device; null when it is up, and for any other device. */
    static String down(String device) {
        if (device == null) {
            return null;
        }
        try {
            String network = Files.readString(DEVICES.resolve(device).resolve("parent")).trim();
            int flags = Integer.decode(Files.readString(NETWORK.resolve(network).resolve("flags")).trim());
            return (flags & IFF_UP) == 0 ? network : null;
        } catch (IOException | NumberFormatException e) {
            return null; // no rxe device, or none any more
        }
    }

    /** Returns what is wrong with a port and what helps, or null. */
    static String trouble(String device, int port) {
        String network = down(device);
        if (network != null) {
            return "network device " + network + " of device " + device + " is down: ip link set " + network + " up";
        }
        try {
            String state = Files.readString(DEVICES.resolve(device).resolve("ports/" + port + "/state")).trim();
            return state.startsWith(ACTIVE) ? null : "port " + port + " of device " + device + " is not active, state="
                    + state + ": is the other end of its link up?";
        } catch (IOException e) {
            return "device " + device + " is gone";
        }
    }

    /** Returns true when the kernel takes a device away, or has done so: nobody can open it any more. */
    static boolean isLeaving(String device) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(OPENED_BY, "uverbs*")) {
            for (Path file : files) {
                if (Files.readString(file.resolve("ibdev")).trim().equals(device)) {
                    return false;
                }
            }
        } catch (IOException e) {
            return !Files.exists(DEVICES.resolve(device));
        }
        return true;
    }

    /** Returns what tells a device from a later one of its name; null when the kernel does not know it any more. */
    static Object identity(String device) {
        try {
            return Files.readAttributes(DEVICES.resolve(device), BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
