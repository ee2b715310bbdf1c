package org.jvrpc.fabric.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Device;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.fabric.network.PauseGraph;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.topology.Topology;

/**
 * Looks at a run at equal intervals: what stands in queues, who pauses whom, how much QPs have under way, and at which
 * rates. It is an event among others and changes none of them. Of large networks it looks at the first ports and QPs,
 * and says so.
 */
public final class Recorder implements Watcher, EventTarget {

    /** Ports and QPs that are looked at. */
    public static final int MOST_PORTS = 512;
    public static final int MOST_FLOWS = 256;

    private static final int ALL = (1 << Pause.PRIORITIES) - 1;
    private static final double GIGA = 1e9;
    private static final int PERCENT = 100;

    private final int samples;
    private final Function<Device, String> names;
    private Topology topology;
    private List<Port> ports = List.of();
    private List<RcEndpoint> flows = List.of();
    private List<Device> devices = List.of();
    private int portsLeftOut;
    private int flowsLeftOut;
    private long periodNs;
    private int taken;
    private long[] timesNs;
    private double[][] stored;
    private double[][] queued;
    private double[][] rates;
    private double[][] paused;
    private int[][] pausing;
    private double[][] windows;
    private double[][] allowed;
    private long[] sentBytes;
    private long[] pausedNs;
    private final List<String> cycles = new ArrayList<>();

    /**
     * Makes a recorder for one run.
     *
     * @param samples of the run
     * @param names of hosts and switches; null for those that {@link Topology#name} gives
     */
    public Recorder(int samples, Function<Device, String> names) {
        this.samples = samples;
        this.names = names;
    }

    @Override
    public void begins(Topology made, long durationNs) {
        if (topology != null) {
            throw new IllegalStateException("records already, devices=" + devices.size());
        }
        topology = made;
        devices = new ArrayList<>(made.hosts());
        devices.addAll(made.switches());
        List<Port> all = made.network().ports();
        ports = all.subList(0, Math.min(MOST_PORTS, all.size()));
        portsLeftOut = all.size() - ports.size();
        make();
        periodNs = Math.max(1, durationNs / samples);
        for (int i = 0; i < ports.size(); i++) {
            sentBytes[i] = ports.get(i).sentBytes();
            pausedNs[i] = pausedNs(ports.get(i));
        }
        schedule();
    }

    private void make() {
        timesNs = new long[samples];
        stored = new double[devices.size()][samples];
        queued = new double[ports.size()][samples];
        rates = new double[ports.size()][samples];
        paused = new double[ports.size()][samples];
        pausing = new int[ports.size()][samples];
        sentBytes = new long[ports.size()];
        pausedNs = new long[ports.size()];
    }

    /** Finds those that are connected by now. */
    private void findFlows() {
        List<RcEndpoint> endpoints = new ArrayList<>();
        topology.hosts().forEach(host -> endpoints.addAll(host.endpoints()));
        endpoints.removeIf(endpoint -> !endpoint.isConnected());
        flows = endpoints.subList(0, Math.min(MOST_FLOWS, endpoints.size()));
        flowsLeftOut = endpoints.size() - flows.size();
        windows = new double[flows.size()][samples];
        allowed = new double[flows.size()][samples];
    }

    private void schedule() {
        topology.network().events().schedule(topology.network().nowNs() + periodNs, this, 0, null, 0);
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (taken == 0) {
            findFlows();
        }
        timesNs[taken] = topology.network().nowNs();
        for (int i = 0; i < devices.size(); i++) {
            stored[i][taken] = devices.get(i) instanceof Switch device ? device.heldBytes()
                    : ((Nic) devices.get(i)).waitingBytes();
        }
        for (int i = 0; i < ports.size(); i++) {
            look(i, ports.get(i));
        }
        for (int i = 0; i < flows.size(); i++) {
            windows[i][taken] = flows.get(i).packetsUnderWay();
            allowed[i][taken] = flows.get(i).bitsPerSecond() / GIGA;
        }
        cycles.add(cycle());
        if (++taken < samples) {
            schedule();
        }
    }

    private void look(int i, Port port) {
        queued[i][taken] = queued(port);
        rates[i][taken] = (port.sentBytes() - sentBytes[i]) * 8.0 / periodNs;
        paused[i][taken] = (double) PERCENT * (pausedNs(port) - pausedNs[i]) / periodNs;
        pausing[i][taken] = port.pausing();
        sentBytes[i] = port.sentBytes();
        pausedNs[i] = pausedNs(port);
    }

    private static long queued(Port port) {
        long bytes = 0;
        if (port.device() instanceof Switch device) {
            for (int lane = 0; lane < Pause.PRIORITIES; lane++) {
                bytes += device.queuedBytes(port.index(), lane);
            }
        }
        return bytes;
    }

    /** Returns how long the priority was paused that was paused longest. */
    private static long pausedNs(Port port) {
        long longest = 0;
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            longest = Math.max(longest, port.pausedNs(priority));
        }
        return longest;
    }

    private String cycle() {
        StringBuilder text = new StringBuilder();
        List<PauseGraph.Wait> cycle = new PauseGraph(topology.switches()).cycle();
        for (PauseGraph.Wait wait : cycle) {
            text.append(name(wait.device())).append(" → ");
        }
        return cycle.isEmpty() ? "" : text.append(name(cycle.get(0).device())).toString();
    }

    // ---- what was seen

    Topology topology() {
        return topology;
    }

    List<Device> devices() {
        return devices;
    }

    List<Port> ports() {
        return ports;
    }

    String name(Device device) {
        return names == null ? topology.name(device) : names.apply(device);
    }

    private String name(Port port) {
        return name(port.device()) + " → " + name(port.peer().device());
    }

    /** Returns when it looked. */
    public long[] timesNs() {
        return timesNs == null ? new long[0] : Arrays.copyOf(timesNs, taken);
    }

    /** Returns what each device stored, in bytes: switches all frames, NICs those that wait for their pipeline. */
    public List<Series> stored() {
        return series(devices.size(), i -> name(devices.get(i)), stored);
    }

    /** Returns what waited at each port to be sent, in bytes. */
    public List<Series> queued() {
        return series(ports.size(), i -> name(ports.get(i)), queued);
    }

    /** Returns what each port sent, in Gb/s. */
    public List<Series> rates() {
        return series(ports.size(), i -> name(ports.get(i)), rates);
    }

    /** Returns how much of each interval a port was paused, in percent. */
    public List<Series> paused() {
        return series(ports.size(), i -> name(ports.get(i)), paused);
    }

    /** Returns the packets that QPs had sent and that were not acknowledged. */
    public List<Series> windows() {
        return series(flows.size(), i -> name(flows.get(i)), windows);
    }

    /** Returns the rates that congestion control allowed QPs, in Gb/s. */
    public List<Series> allowed() {
        return series(flows.size(), i -> name(flows.get(i)), allowed);
    }

    private String name(RcEndpoint flow) {
        return name(flow.nic()) + " QP " + flow.qpn() + " → " + topology.hosts().stream()
                .filter(host -> host.mac() == flow.peerMac()).map(this::name).findFirst().orElse("?");
    }

    private List<Series> series(int count, Function<Integer, String> name, double[][] values) {
        List<Series> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Series(name.apply(i), Arrays.copyOf(values[i], taken)));
        }
        return all;
    }

    /** Returns true when a port paused its other end at a sample. */
    boolean pauses(int port, int sample) {
        return (pausing[port][sample] & ALL) != 0;
    }

    /** Returns how many ports paused their other ends at a sample. */
    public int pausing(int sample) {
        int count = 0;
        for (int port = 0; port < ports.size(); port++) {
            count += pauses(port, sample) ? 1 : 0;
        }
        return count;
    }

    /** Returns the switches of a cycle of pauses at each sample; empty where there was none. */
    public List<String> cycles() {
        return List.copyOf(cycles);
    }

    /** Says what was not looked at; empty when all was. */
    public String leftOut() {
        return portsLeftOut + flowsLeftOut == 0 ? ""
                : "Not shown: " + portsLeftOut + " of " + (ports.size() + portsLeftOut) + " ports, " + flowsLeftOut
                        + " of " + (flows.size() + flowsLeftOut) + " QPs.";
    }
}
