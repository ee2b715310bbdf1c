package org.jvrpc.tools.host;

import java.util.ArrayList;
import java.util.List;

/**
 * The RDMA devices as the kernel lists them: driver, ports, addresses. Source: the kernel's
 * Documentation/ABI/stable/sysfs-class-infiniband.
 */
public final class DeviceCheck {

    private static final String DEVICES = "/sys/class/infiniband";
    private static final String ZERO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final String UNREADABLE = "unknown";
    /** Headers of a RoCEv2 packet before the largest payload, with what rxe keeps in reserve. */
    private static final int HEADERS = 80;

    private DeviceCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        List<Finding> found = new ArrayList<>();
        for (String device : host.names(DEVICES)) {
            found.add(driver(host, device));
            for (String port : host.names(DEVICES + "/" + device + "/ports")) {
                found.addAll(port(host, device, port));
            }
        }
        if (found.isEmpty()) {
            found.add(Finding.fail(Area.RDMA, "devices", "this host has no RDMA device", howToMakeOne(host)));
        }
        return found;
    }

    private static String howToMakeOne(Host host) {
        if (!KernelCheck.isThere(host, "rdma_rxe")) {
            return KernelCheck.isThere(host, "ib_uverbs") ? KernelCheck.howToGetModules(host)
                    : "that of the line on the kernel";
        }
        String netdev = "ethX";
        for (String name : host.names("/sys/class/net")) {
            if (!name.equals("lo") && "up".equals(host.read("/sys/class/net/" + name + "/operstate"))) {
                netdev = name;
                break;
            }
        }
        return "one in software, as root: modprobe rdma_rxe; rdma link add rxe0 type rxe netdev " + netdev;
    }

    /** Returns rxe, siw, or the name of a card's driver without its ending. */
    static String driverOf(Host host, String device) {
        String path = DEVICES + "/" + device;
        String card = host.linkName(path + "/device/driver");
        if (card != null) {
            return card.replaceFirst("_(core|ib|re|pci)$", "");
        }
        if (host.exists(path + "/parent")) { // rxe alone names its network device there
            return "rxe";
        }
        String type = host.read(path + "/node_type");
        return type != null && type.contains("RNIC") ? "siw" : UNREADABLE;
    }

    private static Finding driver(Host host, String device) {
        String driver = driverOf(host, device);
        String how = switch (driver) {
            case "rxe" -> "user driver in Java; the doorbell is a system call";
            case "mlx5" -> "user driver in Java, no native call to post or poll";
            default -> "generic driver, each post and poll a call of libibverbs";
        };
        String firmware = host.read(DEVICES + "/" + device + "/fw_ver");
        return Finding.ok(Area.RDMA, device,
                "driver " + driver + ", " + how + (firmware == null || firmware.isEmpty() ? "" : ", fw " + firmware));
    }

    private static List<Finding> port(Host host, String device, String port) {
        String path = DEVICES + "/" + device + "/ports/" + port;
        String check = device + "/" + port;
        String state = afterColon(host.read(path + "/state"));
        String layer = host.read(path + "/link_layer");
        List<String> gids = gids(host, path);
        String netdev = netdev(host, device, path);
        String text = state + ", " + layer + ", " + afterColon(host.read(path + "/rate")) + mtu(host, netdev);
        List<Finding> found = new ArrayList<>();
        if ("ACTIVE".equals(state)) {
            found.add(Finding.ok(Area.RDMA, check, text));
        } else {
            found.add(Finding.fail(Area.RDMA, check, text, "InfiniBand".equals(layer)
                    ? "plug the cable in, and see that a subnet manager runs"
                    : "ip link set " + (netdev == null ? "X" : netdev) + " up"));
        }
        boolean routable = gids.stream().anyMatch(gid -> gid.contains("RoCE v2") && !gid.contains("fe80:"));
        if ("Ethernet".equals(layer) && !routable) {
            found.add(Finding.warn(Area.RDMA, check + " GIDs", "none of RoCE v2 but of link-local addresses: " + gids,
                    "give the network device an address: ip addr add 192.0.2.1/24 dev "
                            + (netdev == null ? "X" : netdev)));
        } else {
            found.add(Finding.ok(Area.RDMA, check + " GIDs", String.join("; ", gids)));
        }
        return found;
    }

    private static String afterColon(String text) {
        return text == null ? UNREADABLE : text.substring(text.indexOf(':') + 1).strip();
    }

    private static String netdev(Host host, String device, String port) {
        String parent = host.read(DEVICES + "/" + device + "/parent");
        if (parent != null && !parent.isEmpty()) {
            return parent;
        }
        for (String index : host.names(port + "/gid_attrs/ndevs")) {
            String name = host.read(port + "/gid_attrs/ndevs/" + index);
            if (name != null && !name.isEmpty()) {
                return name;
            }
        }
        List<String> ofCard = host.names(DEVICES + "/" + device + "/device/net");
        return ofCard.isEmpty() ? null : ofCard.get(0);
    }

    // The port's own MTU is told by ibv_query_port only; of RoCE, it follows from the network device's.
    private static String mtu(Host host, String netdev) {
        String found = netdev == null ? null : host.read("/sys/class/net/" + netdev + "/mtu");
        if (found == null || !found.matches("\\d{1,6}")) {
            return netdev == null ? "" : ", on " + netdev;
        }
        int room = Math.min(Integer.parseInt(found) - HEADERS, 4096);
        return ", on " + netdev + " with MTU " + found + ": path MTU "
                + (room < 256 ? "too small" : Integer.toString(Integer.highestOneBit(room)));
    }

    private static List<String> gids(Host host, String port) {
        List<String> found = new ArrayList<>();
        List<String> indices = new ArrayList<>(host.names(port + "/gids"));
        indices.removeIf(index -> !index.matches("\\d{1,4}"));
        indices.sort((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)));
        for (String index : indices) {
            String gid = host.read(port + "/gids/" + index);
            if (gid != null && !gid.isEmpty() && !gid.equals(ZERO_GID)) {
                String type = host.read(port + "/gid_attrs/types/" + index);
                String netdev = host.read(port + "/gid_attrs/ndevs/" + index);
                found.add(index + " " + address(gid) + (type == null ? "" : " " + type)
                        + (netdev == null ? "" : " " + netdev));
            }
        }
        return found;
    }

    private static String address(String gid) {
        if (!gid.matches("(0000:){5}ffff:[0-9a-f]{4}:[0-9a-f]{4}")) {
            return gid;
        }
        StringBuilder address = new StringBuilder();
        String digits = gid.substring(30).replace(":", "");
        for (int i = 0; i < digits.length(); i += 2) {
            address.append(i == 0 ? "" : ".").append(Integer.parseInt(digits.substring(i, i + 2), 16));
        }
        return address.toString();
    }
}
