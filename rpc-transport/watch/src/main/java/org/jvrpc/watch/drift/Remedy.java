package org.jvrpc.watch.drift;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What would be done about a difference, as text for people. Nothing of it is done. */
final class Remedy {

    private static final int PRIORITIES = 8;
    private static final SortedMap<String, String> FILES = new TreeMap<>();

    static {
        FILES.put("roce.tos", "/sys/kernel/config/rdma_cm/%s/ports/%s/default_roce_tos");
        FILES.put("roce.mode", "/sys/kernel/config/rdma_cm/%s/ports/%s/default_roce_mode");
    }

    private Remedy() {
    }

    /** Says it. */
    static String of(ConfigurationSource.Kind kind, String subject, String key, String wanted,
            ConfigurationSource.Place place) {
        return switch (kind) {
            case SWITCH -> "set " + key + " of " + subject + " to " + wanted
                    + " (in the simulated fabric: Switch.apply)";
            case QP -> "make QPs of " + subject + " with " + key + " " + wanted + " and connect them anew";
            case HOST -> host(key, wanted, place);
        };
    }

    private static String host(String key, String wanted, ConfigurationSource.Place place) {
        String netdev = place.netdev();
        if (key.startsWith("dscp.")) {
            return "dcb app replace dev " + netdev + " dscp-prio " + number(key) + ":" + wanted;
        } else if (key.startsWith("class.")) {
            return "dcb ets set dev " + netdev + " prio-tc " + number(key) + ":" + wanted;
        } else if (key.startsWith("queue.")) {
            return "dcb ets set dev " + netdev + " tc-bw so that queue " + number(key) + " has " + wanted
                    + ", and all have 100% in sum";
        } else if (key.startsWith("dcqcn.")) {
            return "echo " + wanted + " > " + place.card() + key.substring(key.indexOf('.') + 1);
        } else if (FILES.containsKey(key)) {
            return "echo '" + wanted + "' > " + String.format(FILES.get(key), place.device(), place.port());
        }
        return switch (key) {
            case "mtu" -> "ip link set dev " + netdev + " mtu " + wanted;
            case "pfc" -> "dcb pfc set dev " + netdev + " prio-pfc " + onOff(wanted);
            case "trust" -> "mlnx_qos -i " + netdev + " --trust " + wanted;
            case "ecn.np", "ecn.rp" -> "echo 1 > /sys/class/net/" + netdev + "/ecn/roce_" + key.substring(4)
                    + "/enable/N for N of " + wanted + ", and 0 for all others";
            case "firmware" -> "install firmware " + wanted + " on " + place.device() + " and reset the card";
            default -> "install " + key + " " + wanted + " for " + place.device() + " and load it anew";
        };
    }

    private static String number(String key) {
        return key.split("\\.")[1];
    }

    private static String onOff(String priorities) {
        List<String> on = new ArrayList<>(List.of("all:off"));
        for (int i = 0; i < PRIORITIES; i++) {
            if (priorities.indexOf('0' + i) >= 0) {
                on.add(i + ":on");
            }
        }
        return String.join(" ", on);
    }
}
