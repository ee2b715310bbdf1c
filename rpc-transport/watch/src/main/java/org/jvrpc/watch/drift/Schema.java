package org.jvrpc.watch.drift;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All keys that a configuration may have, as they are written in files and told by sources; groups have a dot between
 * their name and the key's. Besides, of switches and hosts: {@code dscp.N.class} (0 to 63: the class, which is the
 * priority, of a DSCP), {@code class.N.queue} (the queue of a class), {@code queue.N.share} (of the bandwidth).
 */
public final class Schema {

    /** The names of DCQCN's parameters in mlx5's cc_params. Source: Linux, drivers/infiniband/hw/mlx5/cong.c. */
    public static final List<String> DCQCN = List.of("rp_clamp_tgt_rate", "rp_clamp_tgt_rate_ati", "rp_time_reset",
            "rp_byte_reset", "rp_threshold", "rp_ai_rate", "rp_max_rate", "rp_hai_rate", "rp_min_dec_fac",
            "rp_min_rate", "rp_rate_to_set_on_first_cnp", "rp_dce_tcp_g", "rp_dce_tcp_rtt",
            "rp_rate_reduce_monitor_period", "rp_initial_alpha_value", "rp_gd", "np_min_time_between_cnps",
            "np_cnp_dscp", "np_cnp_prio_mode", "np_cnp_prio");

    static final int DSCP_MOST = 63;
    static final int PRIORITY_MOST = 7;

    private static final long ANY = Long.MAX_VALUE;
    private static final long BYTE = 255;

    /** A key's values; numbers are in a range. */
    record Key(Form form, long least, long most) {

        /** Returns the normal value; throws IllegalArgumentException when it is none, or out of range. */
        String normal(String value) {
            String normal = form.normal(value);
            boolean number = form == Form.INTEGER || form == Form.BYTES || form == Form.DURATION;
            if (number && !normal.equals(Form.NONE)) {
                long found = Long.parseLong(normal);
                if (found < least || found > most) {
                    throw new IllegalArgumentException("'" + value.strip() + "' is out of range, " + least
                            + (most == ANY ? " and more" : " to " + most));
                }
            }
            return normal;
        }
    }

    private static final Key CLASS = new Key(Form.INTEGER, 0, PRIORITY_MOST);
    private static final Key SHARE = new Key(Form.RATIO, 0, ANY);
    private static final SortedMap<String, Key> SWITCHES = switches();
    private static final SortedMap<String, Key> HOSTS = hosts();
    private static final SortedMap<String, Key> QPS = qps();

    private Schema() {
    }

    private static SortedMap<String, Key> switches() {
        SortedMap<String, Key> keys = new TreeMap<>();
        put(keys, Form.RATIO, ANY, "alpha", "ecn.pmax");
        put(keys, Form.BYTES, ANY, "fixed", "buffer", "reserved", "headroom", "hysteresis", "ecn.kmin", "ecn.kmax");
        put(keys, Form.BYTES, BYTE << BYTE_BITS, "mtu");
        put(keys, Form.DURATION, ANY, "watchdog", "recovery", "mac-timeout", "arp-timeout");
        put(keys, Form.SWITCH, ANY, "ecn", "drops-incomplete", "same-hash");
        put(keys, Form.PRIORITIES, ANY, "pfc");
        put(keys, Form.TEXT, ANY, "scheduling.lanes", "scheduling.ports", "firmware");
        return keys;
    }

    private static final int BYTE_BITS = 8;

    private static SortedMap<String, Key> hosts() {
        SortedMap<String, Key> keys = new TreeMap<>();
        put(keys, Form.TEXT, ANY, "driver", "driver-version", "firmware", "trust", "roce.mode");
        put(keys, Form.BYTES, BYTE << BYTE_BITS, "mtu");
        put(keys, Form.PRIORITIES, ANY, "pfc", "ecn.np", "ecn.rp");
        put(keys, Form.INTEGER, BYTE, "roce.tos");
        for (String name : DCQCN) {
            put(keys, Form.INTEGER, ANY, "dcqcn." + name);
        }
        return keys;
    }

    private static SortedMap<String, Key> qps() {
        SortedMap<String, Key> keys = new TreeMap<>();
        put(keys, Form.BYTES, 1 << 12, "mtu");
        put(keys, Form.BYTES, ANY, "inline");
        put(keys, Form.DURATION, ANY, "timeout", "min-rnr-timer");
        put(keys, Form.INTEGER, PRIORITY_MOST, "retries", "rnr-retries", "service-level");
        put(keys, Form.INTEGER, ANY, "reads", "window", "ack-every", "sends", "receives", "send-sges", "receive-sges");
        put(keys, Form.TEXT, ANY, "dcqcn");
        return keys;
    }

    private static void put(Map<String, Key> keys, Form form, long most, String... names) {
        for (String name : names) {
            keys.put(name, new Key(form, 0, most));
        }
    }

    /** Returns the keys that are the same for all of a kind. */
    static SortedMap<String, Key> keys(ConfigurationSource.Kind kind) {
        return switch (kind) {
            case SWITCH -> SWITCHES;
            case HOST -> HOSTS;
            case QP -> QPS;
        };
    }

    /** Returns what a key's values are, the keys with numbers in them as well; null when there is no such key. */
    static Key key(ConfigurationSource.Kind kind, String name) {
        Key key = keys(kind).get(name);
        if (key != null || kind == ConfigurationSource.Kind.QP) {
            return key;
        }
        return name.matches("dscp\\.[0-9]{1,2}\\.class|class\\.[0-7]\\.queue") ? CLASS
                : name.matches("queue\\.[0-7]\\.share") ? SHARE : null;
    }
}
