package org.jvrpc.watch.counters;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jvrpc.watch.CounterSource;

/**
 * The sources that a host has: for each RDMA device sysfs, {@code rdma statistic}, and {@code ethtool -S} of the
 * network interfaces of its ports.
 */
public final class HostCounters {

    private static final String INTERFACES = "sys/class/net";
    private static final int MOST_NAME_BYTES = 64;

    private final Path root;
    private final Tool tool;
    private boolean all;
    private boolean raw;

    private HostCounters(Path root, Tool tool) {
        this.root = root;
        this.tool = tool;
    }

    /** Looks at this host. */
    public static HostCounters real() {
        return new HostCounters(Path.of("/"), Tool.SYSTEM);
    }

    /** Looks at a tree that somebody made. */
    public static HostCounters of(Path root, Tool tool) {
        return new HostCounters(root, tool);
    }

    /** Sets whether counters of single rings, and of what is neither loss nor pauses, are wanted, too. */
    public HostCounters all(boolean value) {
        all = value;
        return this;
    }

    /** Sets whether names and numbers stay as the driver has them. */
    public HostCounters raw(boolean value) {
        raw = value;
        return this;
    }

    /** Returns the RDMA devices, in order. */
    public List<String> devices() {
        return SysfsCounters.devices(root);
    }

    /**
     * Makes the sources of devices.
     *
     * @param names of RDMA devices or of network interfaces; empty: all RDMA devices
     * @throws IllegalArgumentException when there is none of that name, with those that there are
     */
    public List<CounterSource> sources(Collection<String> names) {
        List<String> devices = devices();
        List<CounterSource> sources = new ArrayList<>();
        for (String name : names.isEmpty() ? devices : names) {
            if (devices.contains(name)) {
                ofDevice(sources, name);
            } else if (!name.contains("/") && Files.exists(root.resolve(INTERFACES).resolve(name))) {
                sources.add(new EthtoolCounters(tool, name, name, 0, driver(name), all, raw));
            } else {
                throw new IllegalArgumentException("no device or interface '" + name + "'; devices: "
                        + (devices.isEmpty() ? "none" : String.join(" ", devices)));
            }
        }
        return sources;
    }

    private void ofDevice(List<CounterSource> sources, String device) {
        String driver = SysfsCounters.driver(root, device);
        sources.add(raw ? SysfsCounters.raw(root, device) : SysfsCounters.of(root, device));
        sources.add(new RdmaStatistic(tool, device, driver, raw));
        interfaces(device).forEach((netdev, port) ->
                sources.add(new EthtoolCounters(tool, netdev, device, port, driver, all, raw)));
    }

    private String driver(String netdev) {
        try {
            return Files.readSymbolicLink(root.resolve(INTERFACES).resolve(netdev).resolve("device/driver"))
                    .getFileName().toString();
        } catch (IOException | UnsupportedOperationException e) {
            return null;
        }
    }

    /** Returns the network interfaces of a device with the ports that they are of. */
    private Map<String, Integer> interfaces(String device) {
        Map<String, Integer> found = new TreeMap<>();
        Path folder = root.resolve("sys/class/infiniband").resolve(device);
        for (Path port : list(folder.resolve("ports"))) {
            String number = port.getFileName().toString();
            if (number.matches("[0-9]{1,3}")) {
                for (Path entry : list(port.resolve("gid_attrs/ndevs"))) {
                    add(found, entry, Integer.parseInt(number));
                }
            }
        }
        if (found.isEmpty()) {
            add(found, folder.resolve("parent"), 1); // rxe names its own there
        }
        if (found.isEmpty()) {
            list(folder.resolve("device/net")).forEach(netdev -> found.put(netdev.getFileName().toString(), 1));
        }
        return found;
    }

    private void add(Map<String, Integer> found, Path file, int port) {
        try (InputStream in = Files.newInputStream(file)) {
            String name = new String(in.readNBytes(MOST_NAME_BYTES), StandardCharsets.UTF_8).strip();
            if (name.matches("[^/\\s-][^/\\s]{0,30}")) {
                found.putIfAbsent(name, port);
            }
        } catch (IOException e) {
            // an index that no GID has says so by an error
        }
    }

    private static TreeSet<Path> list(Path folder) {
        TreeSet<Path> found = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        return found;
    }
}
