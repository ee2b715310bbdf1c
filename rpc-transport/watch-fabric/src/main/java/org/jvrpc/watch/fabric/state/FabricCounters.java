package org.jvrpc.watch.fabric.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.NicCounters;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.network.SwitchCounters;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.counters.CounterNames;

/**
 * What hosts and switches of a simulated fabric count, under the names of Linux. A host is H3 with port 1; a switch is
 * T0, L1 or S2 with ports from 1 on, in the order of its cables. Port 0 has what is counted for all of a switch.
 *
 * <pre>
 * port of a host or switch
 *   tx_packets_phy rx_packets_phy tx_bytes_phy            frames and bytes
 *   tx_pause_ctrl_phy rx_pause_ctrl_phy                   pause frames of all priorities
 *   tx_prioN_packets                                      frames of a lane
 *   rx_prioN_pause rx_prioN_pause_duration rx_prioN_pause_transition   this port rested
 *   tx_prioN_pause tx_prioN_pause_duration                             this port had the other end rest
 * host
 *   rx_discards_phy                receive pipeline full     rx_icrc_encapsulated     wrong ICRC
 *   rx_steer_missed_packets        for another device        tx_pause_storm_error_events   the NIC's watchdog
 *   np_cnp_sent rp_cnp_handled     CNPs                      unknown_qp_pkts          for no QP (a name of ours)
 *   sent_pkts packet_seq_err ...   sums of its QPs, see CounterNames
 * switch, port 0
 *   rx_packets                     all                       rx_steer_missed_packets  for another device
 *   rx_discards_phy                lossless, no headroom     tc_no_buffer_discard     lossy, no room (mlxsw)
 *   ecn_marked                     (mlxsw)                   tx_pause_storm_error_events   its watchdog
 *   of ours: unknown_host_drops incomplete_arp_drops flooded_pkts pause_storm_drops
 * </pre>
 *
 * Counters of QPs that are not joined yet are not there. The thread of the fabric.
 */
public final class FabricCounters implements CounterSource {

    /** All priorities. */
    public static final int ALL = (1 << Pause.PRIORITIES) - 1;

    private static final int HOST_PORT = 1;
    private static final long NS_A_US = 1_000;

    private final List<Nic> hosts;
    private final List<Switch> switches;
    private final Topology topology;
    private final int priorities;

    private FabricCounters(Topology topology, List<Nic> hosts, List<Switch> switches, int priorities) {
        this.topology = topology;
        this.hosts = hosts;
        this.switches = switches;
        this.priorities = priorities;
    }

    /** Makes a source of all hosts and switches. @param priorities whose counters are wanted, as bits */
    public static FabricCounters of(Topology topology, int priorities) {
        return new FabricCounters(topology, topology.hosts(), topology.switches(), priorities);
    }

    /** Makes a source of one host, as its agent has it. */
    public static FabricCounters ofHost(Topology topology, int host, int priorities) {
        return new FabricCounters(topology, List.of(topology.host(host)), List.of(), priorities);
    }

    /** Makes a source of one switch. */
    public static FabricCounters ofSwitch(Topology topology, Switch device, int priorities) {
        return new FabricCounters(topology, List.of(), List.of(device), priorities);
    }

    @Override
    public String origin() {
        return "fabric";
    }

    @Override
    public int bits(String name) {
        return Long.SIZE;
    }

    @Override
    public List<Reading> read() {
        List<Reading> readings = new ArrayList<>();
        for (Nic host : hosts) {
            add(readings, host);
        }
        for (Switch device : switches) {
            add(readings, device);
        }
        return readings;
    }

    private void add(List<Reading> to, Nic host) {
        String name = topology.name(host);
        ports(to, name, HOST_PORT, host.port());
        NicCounters counters = host.counters();
        add(to, name, HOST_PORT, "rx_discards_phy", counters.overflows());
        add(to, name, HOST_PORT, "rx_icrc_encapsulated", counters.damaged());
        add(to, name, HOST_PORT, "rx_steer_missed_packets", counters.foreign());
        add(to, name, HOST_PORT, "unknown_qp_pkts", counters.unknownQps());
        add(to, name, HOST_PORT, "tx_pause_storm_error_events", counters.watchdogTrips());
        add(to, name, HOST_PORT, "np_cnp_sent", counters.cnpsSent());
        add(to, name, HOST_PORT, "rp_cnp_handled", counters.cnpsReceived());
        RcCounters sum = new RcCounters();
        for (RcEndpoint endpoint : host.endpoints()) {
            if (endpoint.isConnected()) {
                sum.add(endpoint.counters());
            }
        }
        for (Map.Entry<String, Long> counter : sum.named().entrySet()) {
            add(to, name, HOST_PORT, CounterNames.canonical(counter.getKey()), counter.getValue());
        }
    }

    private void add(List<Reading> to, Switch device) {
        String name = topology.name(device);
        SwitchCounters counters = device.counters();
        add(to, name, 0, "rx_packets", counters.received());
        add(to, name, 0, "rx_steer_missed_packets", counters.misdirected());
        add(to, name, 0, "rx_discards_phy", counters.headroomDrops());
        add(to, name, 0, "tc_no_buffer_discard", counters.lossyDrops());
        add(to, name, 0, "unknown_host_drops", counters.unknownHosts());
        add(to, name, 0, "incomplete_arp_drops", counters.incompleteDrops());
        add(to, name, 0, "flooded_pkts", counters.flooded());
        add(to, name, 0, "pause_storm_drops", counters.watchdogDrops());
        add(to, name, 0, "tx_pause_storm_error_events", counters.watchdogTrips());
        add(to, name, 0, "ecn_marked", counters.marked());
        for (int port = 0; port < device.ports(); port++) {
            ports(to, name, port + 1, device.port(port));
        }
    }

    private void ports(List<Reading> to, String device, int number, Port port) {
        add(to, device, number, "tx_packets_phy", port.sentFrames());
        add(to, device, number, "rx_packets_phy", port.receivedFrames());
        add(to, device, number, "tx_bytes_phy", port.sentBytes());
        add(to, device, number, "tx_pause_ctrl_phy", port.sentPauses());
        add(to, device, number, "rx_pause_ctrl_phy", port.receivedPauses());
        for (int i = 0; i < Pause.PRIORITIES; i++) {
            if ((priorities >> i & 1) != 0) {
                add(to, device, number, "tx_prio" + i + "_packets", port.sentFrames(i));
                add(to, device, number, CounterNames.receivedPauses(i), port.receivedPauses(i));
                add(to, device, number, CounterNames.pausedDuration(i), port.pausedNs(i) / NS_A_US);
                add(to, device, number, CounterNames.pauseTransitions(i), port.pauseTransitions(i));
                add(to, device, number, CounterNames.sentPauses(i), port.sentPauses(i));
                add(to, device, number, CounterNames.pausingDuration(i), port.pausingNs(i) / NS_A_US);
            }
        }
    }

    private static void add(List<Reading> to, String device, int port, String name, long value) {
        Unit unit = CounterNames.unit(name);
        to.add(Reading.of(device, port, name, value, unit));
    }

    @Override
    public void close() {
        // the fabric is its maker's
    }
}
