package org.jvrpc.watch.agent.verbs;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.FlowKind;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.StampSource;

/**
 * Probes by UD QPs. All receive at one QP; what makes a flow is where a probe is sent from:
 *
 * <ul>
 *   <li>a card takes the UDP source port from the flow label: one QP, an address handle for each flow and peer
 *   <li>rdma_rxe takes it from the number of the QP: a QP for each flow
 *   <li>a software RNIC has one for each of its sockets: a device for each flow
 * </ul>
 *
 * The time of a send is that right before the post, as the peer may have it when the post returns; the time of a
 * receive is that at which it was seen. So the network's part is rather too long than too short, and never negative.
 * A service level is that of {@link ServiceClass#ofLevel}, with its DSCP, by an address handle for each that is used;
 * on {@code shm://} it means nothing. One thread.
 */
public final class VerbsProbes implements ProbeTransport {

    /** Of all agents' QPs. */
    static final int QKEY = 0x4a505157;

    private static final int MOST_FLOWS = 64;
    private static final int LEVELS = ServiceClass.MOST_SELECTOR + 1;
    private static final int MOST_BYTES = 4096;
    private static final int MOST_ARRIVALS = 64;
    /** Sends whose end was seen and not told yet. */
    private static final int STASH = 4 * Lane.DEPTH;
    /** How long the completion of a send is looked for after the post: what follows it need not wait for a wake. */
    private static final long COMPLETION_NS = 50_000;
    /** A handle that was refused is not asked for again before that. */
    private static final long AGAIN_NS = 5_000_000_000L;

    private final List<Device> devices;
    private final FlowKind kind;
    private final int flows;
    private final int maxBytes;
    private final List<Lane> lanes = new ArrayList<>();
    private final Arrivals arrivals;
    private final List<Way> ways = new ArrayList<>();
    /** Places among them that nobody has. */
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final Map<ByteBuffer, Integer> known = new HashMap<>();
    /** Nobody's any more, but sends may still name their handles. */
    private final List<Way> left = new ArrayList<>();
    private final long[] cookies = new long[STASH];
    private final WcStatus[] statuses = new WcStatus[STASH];
    private final long[] times = new long[STASH];
    private int stashed;
    private boolean closed;

    /** To a peer, by each flow and service level. */
    private static final class Way {
        private final ByteBuffer key;
        private final WayBytes to;
        private final Destination[] destinations;
        private int users;
        private long refusedNs;
        private boolean refused;

        private Way(byte[] address, int flows) {
            this.key = ByteBuffer.wrap(address);
            this.to = WayBytes.decode(address);
            this.destinations = new Destination[flows * LEVELS];
        }

        private void close() {
            for (Destination each : destinations) {
                if (each != null) {
                    each.handle().close();
                }
            }
        }
    }

    private VerbsProbes(List<Device> devices, String address, int wanted) {
        this.devices = devices;
        Device device = devices.get(0);
        ProtectionDomain pd = device.allocatePd();
        maxBytes = Math.min(MOST_BYTES, device.maxDatagramBytes());
        arrivals = new Arrivals(device, pd, maxBytes);
        FlowKind found = kind(address, pd);
        flows = found == FlowKind.NONE ? 1 : wanted;
        kind = flows == 1 ? FlowKind.NONE : found;
        lanes.add(new Lane(device, pd, maxBytes));
        for (int i = 1; i < flows && kind != FlowKind.FLOW_LABEL; i++) {
            if (kind == FlowKind.DEVICE) {
                devices.add(Devices.open(address));
                lanes.add(new Lane(devices.get(i), devices.get(i).allocatePd(), maxBytes));
            } else {
                lanes.add(new Lane(device, pd, maxBytes));
            }
        }
    }

    private FlowKind kind(String address, ProtectionDomain pd) {
        if (address.startsWith("roce:")) {
            return address.contains("udp=") ? FlowKind.NONE : FlowKind.DEVICE; // all packets have that port
        }
        if (!address.startsWith("rdma:")) {
            return FlowKind.NONE;
        }
        try {
            pd.createAh(arrivals.endpoint(), 1).close();
            return FlowKind.FLOW_LABEL;
        } catch (VerbsException e) { // which is how a device says so
            return FlowKind.QP;
        }
    }

    /**
     * Opens the device of an address.
     *
     * @param flows how many to each peer, 1 to {@value #MOST_FLOWS}; fewer where the device has no more
     * @throws VerbsException when the device cannot be had, or has no datagrams
     * @throws IllegalArgumentException for an address that is none
     */
    public static VerbsProbes open(String address, int flows) {
        if (flows < 1 || flows > MOST_FLOWS) {
            throw new IllegalArgumentException("flows must be 1 to " + MOST_FLOWS + ", flows=" + flows);
        }
        List<Device> devices = new ArrayList<>();
        devices.add(Devices.open(address));
        try {
            return new VerbsProbes(devices, address, flows);
        } catch (RuntimeException | Error e) {
            devices.forEach(Device::close);
            throw e;
        }
    }

    /** Returns the device that receives, for its counters. */
    public Device device() {
        return devices.get(0);
    }

    @Override
    public byte[] address() {
        return new WayBytes(arrivals.qpn(), maxBytes, arrivals.endpoint()).encode();
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }

    @Override
    public int flows() {
        return flows;
    }

    @Override
    public FlowKind flowKind() {
        return kind;
    }

    @Override
    public StampSource stamps() {
        return StampSource.SOFTWARE;
    }

    @Override
    public long sendNs() {
        return System.nanoTime();
    }

    @Override
    public int peer(byte[] address) {
        Integer handle = known.get(ByteBuffer.wrap(address));
        if (handle == null) {
            Way way = new Way(address.clone(), flows);
            if (free.isEmpty()) {
                free.add(ways.size());
                ways.add(null);
            }
            handle = free.poll();
            ways.set(handle, way);
            known.put(way.key, handle);
        }
        ways.get(handle).users++;
        return handle;
    }

    @Override
    public void forget(int peer) {
        Way way = ways.get(peer);
        if (--way.users == 0) {
            known.remove(way.key);
            ways.set(peer, null);
            free.add(peer);
            left.add(way);
        }
    }

    /** Returns how many peers there are, and how many of before still have their handles. */
    int ways() {
        return known.size() + left.size();
    }

    private void endLeft() {
        if (!left.isEmpty() && lanes.stream().allMatch(Lane::isIdle)) {
            left.forEach(Way::close);
            left.clear();
        }
    }

    @Override
    public boolean send(int peer, int flow, int serviceLevel, ByteBuffer payload, long cookie) {
        if (stashed == STASH) {
            return false;
        }
        Way way = ways.get(peer);
        if (payload.remaining() > Math.min(maxBytes, way.to.maxBytes())) {
            stash(cookie, WcStatus.LOC_LEN_ERR, System.nanoTime());
            return true;
        }
        Destination to = destination(way, flow, Math.min(serviceLevel, LEVELS - 1));
        if (to == null) {
            stash(cookie, WcStatus.GENERAL_ERR, System.nanoTime());
            return true;
        }
        Lane lane = lanes.get(flow % lanes.size());
        if (!lane.send(to, payload, cookie)) {
            collect(lane);
            return false;
        }
        for (long begunNs = System.nanoTime(); !collect(lane);) {
            if (System.nanoTime() - begunNs > COMPLETION_NS) {
                break; // poll finds it later
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /** Returns where a flow leads, or null when the device knows no way there. */
    private Destination destination(Way way, int flow, int level) {
        int slot = kind == FlowKind.QP ? 0 : flow; // QPs of a domain have handles in common
        int index = slot * LEVELS + level;
        if (way.destinations[index] != null) {
            return way.destinations[index];
        }
        long nowNs = System.nanoTime();
        if (way.refused && nowNs - way.refusedNs < AGAIN_NS) {
            return null;
        }
        ProtectionDomain pd = lanes.get(slot % lanes.size()).pd();
        try {
            way.destinations[index] = new Destination(pd.createAh(way.to.endpoint(),
                    kind == FlowKind.FLOW_LABEL ? label(flow) : 0, ServiceClass.ofLevel(level)), way.to.qpn(), QKEY);
            way.refused = false;
        } catch (VerbsException e) {
            way.refused = true;
            way.refusedNs = nowNs;
        }
        return way.destinations[index];
    }

    /** Cards fold the label to 14 bits of the port: these are far apart. */
    static int label(int flow) {
        return (flow + 1) * 0x9e5 & 0xfffff;
    }

    private void stash(long cookie, WcStatus status, long atNs) {
        cookies[stashed] = cookie;
        statuses[stashed] = status;
        times[stashed++] = atNs;
    }

    /** Keeps which sends are complete, to be told later. @return true when there was one */
    private boolean collect(Lane lane) {
        boolean any = false;
        while (stashed < STASH && lane.poll()) {
            stash(lane.cookie(), lane.wc().status(), lane.postedNs());
            any = true;
            if (!lane.wc().succeeded()) {
                lane.reset();
            }
        }
        return any;
    }

    private int tell(Events to) {
        int told = 0;
        while (told < stashed) {
            int i = told++;
            to.sent(cookies[i], statuses[i], times[i]); // which may send, and so add to the end
        }
        stashed = 0;
        return told;
    }

    @Override
    public int poll(Events to) {
        for (Lane lane : lanes) {
            collect(lane);
        }
        endLeft();
        int events = tell(to);
        for (int i = 0; i < MOST_ARRIVALS && arrivals.poll(); i++) {
            to.received(arrivals.payload(), System.nanoTime());
            arrivals.done();
            events += 1 + tell(to);
        }
        return events;
    }

    @Override
    public void await(long timeoutNs) {
        if (stashed == 0) {
            arrivals.await(timeoutNs);
        }
    }

    /** Ends its devices. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            devices.forEach(Device::close);
        }
    }
}
