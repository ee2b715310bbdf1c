package org.jvrpc.ibverbs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What a driver counts for a port. Source: Linux, Documentation/ABI/stable/sysfs-class-infiniband, hw_counters. */
final class HwCounters {

    /** Says how old values may be, and counts nothing. */
    private static final String LIFESPAN = "lifespan";

    private HwCounters() {
    }

    /**
     * Reads all.
     *
     * @param devices {@code /sys/class/infiniband}
     * @return by their names; without those that cannot be read, as when the device is gone
     */
    static Map<String, Long> read(Path devices, String device, int port) {
        Map<String, Long> counters = new TreeMap<>();
        Path folder = devices.resolve(device).resolve("ports/" + port + "/hw_counters");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.equals(LIFESPAN)) {
                    add(counters, name, file);
                }
            }
        } catch (IOException e) {
            return counters; // a driver that counts nothing
        }
        return counters;
    }

    private static void add(Map<String, Long> counters, String name, Path file) {
        try {
            counters.put(name, Long.parseUnsignedLong(Files.readString(file).trim()));
        } catch (IOException | NumberFormatException e) {
            // not readable for this user, or no number
        }
    }
}
