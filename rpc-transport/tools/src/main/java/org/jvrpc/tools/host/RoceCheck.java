package org.jvrpc.tools.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is in the way of {@code roce://}: who has the standard UDP port, how long packets may be, how many a socket
 * holds, and firewalls. Source: the kernel's Documentation/networking/proc_net_tcp.rst,
 * Documentation/admin-guide/sysctl.
 */
public final class RoceCheck {

    private static final int STANDARD_PORT = 4791;
    private static final String PORT_IN_HEX = ":" + Integer.toHexString(STANDARD_PORT).toUpperCase(Locale.ROOT);
    private static final int LOCAL_ADDRESS = 1;
    /** Of an Ethernet frame's payload, for all headers and the ICRC; as rxe counts. */
    private static final int HEADERS = 80;
    private static final int LEAST_PAYLOAD = 256;
    private static final int MOST_PAYLOAD = 4096;
    private static final long WANTED_BUFFER = 4L << 20;
    private static final String NETWORK = "/sys/class/net";

    private RoceCheck() {
    }

    /** Looks. */
    public static List<Finding> check(Host host) {
        List<Finding> found = new ArrayList<>();
        found.add(port(host));
        for (String name : host.names(NETWORK)) {
            String state = host.read(NETWORK + "/" + name + "/operstate");
            if (name.equals("lo") || "up".equals(state) || "unknown".equals(state)) {
                found.add(mtu(name, host.read(NETWORK + "/" + name + "/mtu")));
            }
        }
        found.add(buffers(host));
        found.add(firewall(host));
        return found;
    }

    private static Finding port(Host host) {
        String check = "udp port " + STANDARD_PORT;
        if (!isTaken(host.read("/proc/net/udp")) && !isTaken(host.read("/proc/net/udp6"))) {
            return Finding.ok(Area.ROCE, check, "is free: roce://…?udp=" + STANDARD_PORT + " may take it");
        }
        String other = "roce://host:port takes a port of its own";
        return host.exists("/sys/module/rdma_rxe")
                ? Finding.note(Area.ROCE, check, "is the kernel's: rxe has it in this network name space", other
                        + "; for ?udp=" + STANDARD_PORT + " use a network name space of its own (ip netns),"
                        + " or as root: rdma link delete, rmmod rdma_rxe")
                : Finding.note(Area.ROCE, check, "is taken by another socket", other + "; who has it, as root:"
                        + " ss -ulnp sport = " + STANDARD_PORT);
    }

    private static boolean isTaken(String sockets) {
        return sockets != null && sockets.lines().map(line -> line.strip().split("\\s+"))
                .anyMatch(columns -> columns.length > LOCAL_ADDRESS && columns[LOCAL_ADDRESS].endsWith(PORT_IN_HEX));
    }

    private static Finding mtu(String name, String mtu) {
        String check = "roce on " + name;
        if (mtu == null || !mtu.matches("\\d{1,9}")) {
            return Finding.warn(Area.ROCE, check, "its MTU is unknown", "");
        }
        int room = Math.min(Integer.parseInt(mtu) - HEADERS, MOST_PAYLOAD);
        if (room < LEAST_PAYLOAD) {
            return Finding.fail(Area.ROCE, check, "MTU " + mtu + " is too small for packets of " + LEAST_PAYLOAD
                    + " bytes", "ip link set " + name + " mtu 1500");
        }
        int payload = Integer.highestOneBit(room);
        return new Finding(Area.ROCE, check, Mark.OK, "MTU " + mtu + ": packets of " + payload + " bytes",
                payload == MOST_PAYLOAD ? "" : "where the network carries it: ip link set " + name + " mtu 4200, for "
                        + MOST_PAYLOAD);
    }

    private static Finding buffers(Host host) {
        String most = host.read("/proc/sys/net/core/rmem_max");
        if (most == null || !most.matches("\\d{1,18}")) {
            return Finding.warn(Area.ROCE, "socket buffers", "their limit is unknown: net.core.rmem_max", "");
        }
        String text = "net.core.rmem_max=" + most;
        return Long.parseLong(most) >= WANTED_BUFFER ? Finding.ok(Area.ROCE, "socket buffers", text)
                : Finding.warn(Area.ROCE, "socket buffers", text + ": fewer packets are under way, more are lost",
                        "sysctl -w net.core.rmem_max=" + WANTED_BUFFER + " net.core.wmem_max=" + WANTED_BUFFER);
    }

    // Its rules are not to be had by files, and by root only.
    private static Finding firewall(Host host) {
        String tables = host.read("/proc/net/ip_tables_names");
        List<String> what = new ArrayList<>();
        if (tables != null && !tables.isEmpty()) {
            what.add("iptables (" + String.join(", ", tables.split("\\s+")) + ")");
        }
        if (host.exists("/sys/module/nf_tables")) {
            what.add("nf_tables");
        }
        if (what.isEmpty()) {
            return Finding.ok(Area.ROCE, "firewall", "none is loaded, as far as files tell");
        }
        return Finding.note(Area.ROCE, "firewall", String.join(" and ", what) + " may drop packets: UDP must pass both"
                + " ways, to the server's port and to the client's", "as root: nft list ruleset; iptables -S");
    }
}
