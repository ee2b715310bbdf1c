package org.jvrpc.watch.drift.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Schema;
import org.jvrpc.watch.drift.Setting;

/**
 * A port of an RDMA device of a host, as Linux tells it. Sources: the kernel's
 * Documentation/ABI/stable/sysfs-class-infiniband, drivers/infiniband/hw/mlx5/cong.c and
 * drivers/infiniband/core/cma_configfs.c; the folders ecn and qos of network devices are of NVIDIA's own driver.
 */
public final class HostConfiguration implements ConfigurationSource {

    private static final String DEVICES = "/sys/class/infiniband";
    private static final int MOST_BYTES = 4096;
    private static final int PRIORITIES = 8;

    private final Path root;
    private final String host;
    private final String device;
    private final String port;
    private final Tool tool;

    private HostConfiguration(Path root, String host, String device, String port, Tool tool) {
        this.root = root;
        this.host = host;
        this.device = device;
        this.port = port;
        this.tool = tool;
    }

    /** Returns all ports of this host. */
    public static List<ConfigurationSource> here(String host) {
        return of(Path.of("/"), host, new SystemTool());
    }

    /**
     * Returns all ports of a host.
     *
     * @param root {@code /}, or a tree that was copied or made
     * @param tool runs {@code dcb}; null: it cannot be asked
     */
    public static List<ConfigurationSource> of(Path root, String host, Tool tool) {
        List<ConfigurationSource> all = new ArrayList<>();
        for (String device : names(root.resolve(DEVICES.substring(1)))) {
            for (String port : names(root.resolve(DEVICES.substring(1) + "/" + device + "/ports"))) {
                all.add(new HostConfiguration(root, host, device, port, tool));
            }
        }
        return all;
    }

    private static List<String> names(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public Kind kind() {
        return Kind.HOST;
    }

    @Override
    public String subject() {
        return host + "/" + device + "/" + port;
    }

    @Override
    public Place place() {
        String netdev = netdev();
        return new Place(device, port, netdev == null ? "its network device" : netdev, card());
    }

    private String card() {
        return "/sys/kernel/debug/mlx5/" + realName(DEVICES + "/" + device + "/device") + "/cc_params/";
    }

    private Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** Reads a file of one value. */
    private Setting read(String absolute) {
        if (Files.exists(path(absolute)) && !Files.isRegularFile(path(absolute))) {
            return Setting.refused(absolute + ": not a regular file");
        }
        try (InputStream in = Files.newInputStream(path(absolute))) {
            String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? Setting.refused(absolute + " is empty") : Setting.of(text);
        } catch (NoSuchFileException e) {
            return Setting.refused("no " + absolute);
        } catch (AccessDeniedException e) {
            return Setting.refused(absolute + ": permission denied");
        } catch (IOException e) {
            return Setting.refused(absolute + ": " + e.getMessage());
        }
    }

    private String realName(String absolute) {
        try {
            return path(absolute).toRealPath().getFileName().toString();
        } catch (IOException e) {
            return device;
        }
    }

    /** Returns the network device of the port; null when it has none. */
    private String netdev() {
        String folder = DEVICES + "/" + device + "/ports/" + port + "/gid_attrs/ndevs";
        for (String index : names(path(folder))) {
            Setting name = read(folder + "/" + index);
            if (name.refusal() == null) {
                return name.value();
            }
        }
        return read(DEVICES + "/" + device + "/parent").value(); // rxe's
    }

    @Override
    public SortedMap<String, Setting> read() {
        SortedMap<String, Setting> all = new TreeMap<>();
        String of = DEVICES + "/" + device;
        Setting driver = driver(of);
        all.put("driver", driver);
        all.put("driver-version", driver.refusal() != null ? driver
                : read("/sys/module/" + driver.value() + "/version"));
        all.put("firmware", read(of + "/fw_ver"));
        String configfs = "/sys/kernel/config/rdma_cm/" + device + "/ports/" + port + "/default_roce_";
        all.put("roce.tos", read(configfs + "tos"));
        all.put("roce.mode", read(configfs + "mode"));
        boolean hasCard = Files.exists(path(card()));
        for (String name : Schema.DCQCN) {
            all.put("dcqcn." + name, hasCard ? read(card() + name) : Setting.refused("no " + card()
                    + ": no card of mlx5, or debugfs is not mounted or readable"));
        }
        String netdev = netdev();
        if (netdev == null) {
            for (String key : new String[] {"mtu", "trust", "ecn.np", "ecn.rp", "pfc"}) {
                all.put(key, Setting.refused("port " + port + " of " + device + " has no network device"));
            }
            return all;
        }
        String net = "/sys/class/net/" + netdev;
        all.put("mtu", read(net + "/mtu"));
        all.put("trust", read(net + "/qos/trust"));
        all.put("ecn.np", priorities(net + "/ecn/roce_np/enable/"));
        all.put("ecn.rp", priorities(net + "/ecn/roce_rp/enable/"));
        dcb(netdev, all);
        return all;
    }

    private Setting driver(String of) {
        Path link = path(of + "/device/driver");
        try {
            return Setting.of(link.toRealPath().getFileName().toString());
        } catch (IOException e) {
            // rxe alone names its network device there; it is of no card
            return Files.exists(path(of + "/parent")) ? Setting.of("rdma_rxe") : Setting.refused("no " + of
                    + "/device/driver");
        }
    }

    private Setting priorities(String folder) {
        List<String> on = new ArrayList<>();
        for (int i = 0; i < PRIORITIES; i++) {
            Setting one = read(folder + i);
            if (one.refusal() != null) {
                return one;
            }
            if (one.value().equals("1")) {
                on.add(Integer.toString(i));
            }
        }
        return Setting.of(on.isEmpty() ? "none" : String.join(",", on));
    }

    private void dcb(String netdev, SortedMap<String, Setting> to) {
        ask(List.of("dcb", "-N", "pfc", "show", "dev", netdev), text -> to.put("pfc", Dcb.pfc(text)),
                why -> to.put("pfc", why));
        ask(List.of("dcb", "-N", "app", "show", "dev", netdev), text -> Dcb.classes(text, to),
                why -> Dcb.noClasses(why, to));
        ask(List.of("dcb", "-N", "ets", "show", "dev", netdev), text -> Dcb.queues(text, to),
                why -> Dcb.noQueues(why, to));
    }

    private void ask(List<String> words, Consumer<String> then, Consumer<Setting> orElse) {
        if (tool == null) {
            orElse.accept(Setting.refused("dcb cannot be asked about a copy of a host"));
            return;
        }
        try {
            then.accept(tool.run(words));
        } catch (IOException e) {
            orElse.accept(Setting.refused(e.getMessage()));
        }
    }
}
