package org.jvrpc.watch.counters;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * What the kernel counts for one RDMA device, below {@code /sys/class/infiniband}. A counter is a file; a driver
 * without {@code counters} or {@code hw_counters} has none. Source: Linux,
 * Documentation/ABI/stable/sysfs-class-infiniband.
 */
public final class SysfsCounters implements CounterSource {

    private static final String DEVICES = "sys/class/infiniband";
    private static final List<String> GROUPS = List.of("counters", "hw_counters");
    /** Says how old values may be, and counts nothing. */
    private static final String LIFESPAN = "lifespan";
    /** Is among the counters where they have 64 bits. */
    private static final String OF_64_BITS = "unicast_rcv_packets";

    private final Path folder;
    private final String device;
    private final String driver;
    private final boolean raw;
    private final Values values;
    private boolean long64;

    private SysfsCounters(Path root, String device, boolean raw) {
        this.folder = root.resolve(DEVICES).resolve(device);
        this.device = device;
        this.raw = raw;
        driver = driver(root, device);
        values = new Values(raw);
    }

    /**
     * Makes a source.
     *
     * @param root {@code /}, or a tree that a test made
     */
    public static SysfsCounters of(Path root, String device) {
        return new SysfsCounters(root, device, false);
    }

    /** Makes a source with the driver's names and numbers as they are. */
    public static SysfsCounters raw(Path root, String device) {
        return new SysfsCounters(root, device, true);
    }

    /** Returns the RDMA devices of a host, in order. */
    public static List<String> devices(Path root) {
        return new ArrayList<>(entries(root.resolve(DEVICES)).keySet());
    }

    /** Returns the driver of a device, as {@code mlx5_core}; {@code rxe} for one without a card; null if unknown. */
    static String driver(Path root, String device) {
        Path folder = root.resolve(DEVICES).resolve(device);
        try {
            return Files.readSymbolicLink(folder.resolve("device/driver")).getFileName().toString();
        } catch (IOException | UnsupportedOperationException e) {
            return Files.exists(folder.resolve("parent")) ? "rxe" : null;
        }
    }

    @Override
    public String origin() {
        return "sysfs";
    }

    @Override
    public int bits(String name) {
        if (CounterNames.scale(CounterNames.canonical(name)) > 1 && !long64) {
            return raw ? 32 : 34;
        }
        return CounterNames.bits(driver, CounterNames.canonical(name));
    }

    @Override
    public List<Reading> read() {
        List<Reading> readings = new ArrayList<>();
        TreeMap<String, Path> ports;
        try {
            ports = list(folder.resolve("ports"));
        } catch (IOException e) {
            readings.add(Reading.refused(device, 0, "counters", Values.reason(e)));
            return readings;
        }
        for (var port : ports.entrySet()) {
            if (port.getKey().matches("[0-9]{1,3}")) {
                read(readings, port.getValue(), Integer.parseInt(port.getKey()));
            }
        }
        group(readings, folder.resolve("hw_counters"), 0);
        return readings;
    }

    private void read(List<Reading> readings, Path port, int number) {
        int before = readings.size();
        for (String group : GROUPS) {
            group(readings, port.resolve(group), number);
        }
        if (readings.size() == before) {
            readings.add(Reading.refused(device, number, "counters", "the driver has none"));
        }
    }

    private void group(List<Reading> readings, Path group, int port) {
        TreeMap<String, Path> files;
        try {
            files = list(group);
        } catch (NoSuchFileException e) {
            return; // what a driver does not have
        } catch (IOException e) {
            readings.add(Reading.refused(device, port, group.getFileName().toString(), Values.reason(e)));
            return;
        }
        long64 |= files.containsKey(OF_64_BITS);
        files.remove(LIFESPAN);
        files.forEach((name, file) -> readings.add(values.file(device, port, name, file)));
    }

    private static TreeMap<String, Path> entries(Path folder) {
        try {
            return list(folder);
        } catch (IOException e) {
            return new TreeMap<>();
        }
    }

    private static TreeMap<String, Path> list(Path folder) throws IOException {
        TreeMap<String, Path> found = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                found.put(entry.getFileName().toString(), entry);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    @Override
    public void close() {
        // holds nothing
    }
}
