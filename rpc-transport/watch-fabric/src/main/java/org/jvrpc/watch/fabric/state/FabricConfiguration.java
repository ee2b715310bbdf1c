package org.jvrpc.watch.fabric.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Setting;

/**
 * What switches and QPs of a simulated fabric are set to, by the keys of desired configurations. Read when asked, as a
 * monitor asks a switch. A DSCP from 0 to 7 is a service level; its lane is its class and the class's queue.
 */
public final class FabricConfiguration implements ConfigurationSource {

    private static final int PRIORITIES = 8;
    /** Keys of files, each with what {@code SwitchSettings.describe} calls it. */
    private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("alpha", "alpha"),
            Map.entry("fixed", "fixedBytes"), Map.entry("buffer", "totalBytes"), Map.entry("reserved", "reservedBytes"),
            Map.entry("headroom", "headroomBytes"), Map.entry("hysteresis", "hysteresisBytes"),
            Map.entry("pfc", "lossless"), Map.entry("ecn", "ecn"), Map.entry("ecn.kmin", "ecn.kminBytes"),
            Map.entry("ecn.kmax", "ecn.kmaxBytes"), Map.entry("ecn.pmax", "ecn.pmax"),
            Map.entry("watchdog", "watchdogNs"), Map.entry("recovery", "recoveryNs"),
            Map.entry("mac-timeout", "macTimeoutNs"), Map.entry("arp-timeout", "arpTimeoutNs"),
            Map.entry("drops-incomplete", "dropsIncomplete"), Map.entry("same-hash", "sameHash"),
            Map.entry("scheduling.lanes", "scheduling.lanes"), Map.entry("scheduling.ports", "scheduling.ports"));

    private final String subject;
    private final Switch device;

    private FabricConfiguration(String subject, Switch device) {
        this.subject = subject;
        this.device = device;
    }

    /** Returns all switches of a topology, by its names. */
    public static List<ConfigurationSource> switches(Topology made) {
        List<ConfigurationSource> all = new ArrayList<>();
        for (Switch device : made.switches()) {
            all.add(new FabricConfiguration(made.name(device), device));
        }
        return all;
    }

    /** Returns a QP, as it was made, by a name for it. */
    public static ConfigurationSource qp(String subject, EndpointSettings settings) {
        return new QpOf(subject, settings);
    }

    @Override
    public Kind kind() {
        return Kind.SWITCH;
    }

    @Override
    public String subject() {
        return subject;
    }

    @Override
    public SortedMap<String, Setting> read() {
        SortedMap<String, Setting> all = new TreeMap<>();
        SortedMap<String, String> told = device.settings().describe();
        NAMES.forEach((key, name) -> {
            String value = told.get(name);
            String unit = name.endsWith("Ns") ? "ns" : "";
            all.put(key, Setting.of(value == null ? "none" : value + unit)); // no values of ECN where it is off
        });
        long sum = 0;
        for (int i = 0; i < PRIORITIES; i++) {
            sum += Long.parseLong(told.get("weightBytes." + i));
        }
        boolean shared = told.get("scheduling.lanes").equals("deficit_round_robin");
        for (int i = 0; i < PRIORITIES; i++) {
            all.put("dscp." + i + ".class", Setting.of(told.get("lane." + i)));
            all.put("class." + i + ".queue", Setting.of(Integer.toString(i)));
            all.put("queue." + i + ".share", shared ? Setting.of(told.get("weightBytes." + i) + "/" + sum)
                    : Setting.refused("queues have shares under deficit_round_robin, not under "
                            + told.get("scheduling.lanes")));
        }
        return all;
    }

    private record QpOf(String subject, EndpointSettings settings) implements ConfigurationSource {

        @Override
        public Kind kind() {
            return Kind.QP;
        }

        @Override
        public SortedMap<String, Setting> read() {
            RcAttributes rc = settings.attributes();
            SortedMap<String, Setting> all = new TreeMap<>();
            all.put("mtu", Setting.of(Integer.toString(rc.mtu())));
            all.put("timeout", Setting.of(rc.ackTimeoutNs() + "ns"));
            all.put("retries", Setting.of(Integer.toString(rc.retryCount())));
            all.put("rnr-retries", Setting.of(Integer.toString(rc.rnrRetry())));
            all.put("min-rnr-timer", Setting.of(rc.minRnrTimerNs() + "ns"));
            all.put("reads", Setting.of(Integer.toString(rc.maxRdAtomic())));
            all.put("window", Setting.of(Integer.toString(rc.window())));
            all.put("ack-every", Setting.of(Integer.toString(rc.ackEvery())));
            all.put("service-level", Setting.of(Integer.toString(settings.serviceLevel())));
            all.put("sends", Setting.of(Integer.toString(settings.works())));
            all.put("dcqcn", Setting.of(settings.dcqcnName()));
            return all;
        }
    }
}
