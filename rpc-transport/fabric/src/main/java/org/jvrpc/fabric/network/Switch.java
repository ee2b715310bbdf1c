package org.jvrpc.fabric.network;

import org.jvrpc.fabric.event.Chance;
import org.jvrpc.roce.congestion.Ecn;

/**
 * A switch with shared memory and IP routing: frames are stored, counted at the lane they came in by, queued at the
 * port they leave by. Packets for its own subnet are sent to the port where its tables say the host is; where the entry
 * is incomplete, to all ports but the one they came in by, as Ethernet does.
 */
public final class Switch implements Device {

    private final Network network;
    private SwitchSettings settings;
    private final int mac;
    private final Port[] ports;
    private final Lane[][] lanes;
    private final Arbiter[] arbiters;
    private final Arbiter.Heads[] heads;
    private final int[] filled;
    private final SharedBuffer buffer;
    private final AddressTables tables;
    private final SwitchWatchdog watchdog;
    private final SwitchCounters counters = new SwitchCounters();
    private final Chance chance;
    private final long hashSeed;
    private int[][] routes = {};
    private int joined;
    private long order;

    /**
     * Makes a switch.
     *
     * @param given is copied: what is set there later does not reach it, {@link #apply} does
     * @param portCount 1 to 64 where ports have queues of their own in a lane, else any number
     */
    public Switch(Network network, SwitchSettings given, int portCount) {
        if (given.amongPorts != Scheduling.FIRST_COME && portCount > Long.SIZE) {
            throw new IllegalArgumentException("portCount=" + portCount + " most=" + Long.SIZE);
        }
        this.network = network;
        settings = given.copy();
        mac = network.nextMac();
        ports = new Port[portCount];
        lanes = new Lane[portCount][Pause.PRIORITIES];
        arbiters = new Arbiter[portCount];
        heads = new Arbiter.Heads[portCount];
        filled = new int[portCount];
        buffer = new SharedBuffer(settings.buffer, portCount, settings.lossless);
        tables = new AddressTables(settings.macTimeoutNs, settings.arpTimeoutNs);
        watchdog = settings.watchdogNs > 0 ? new SwitchWatchdog(this, network.events(), settings, portCount) : null;
        chance = network.chance(mac);
        hashSeed = settings.sameHash ? 0 : chance.bits();
    }

    /** Makes its next port. */
    public Port addPort(long bitsPerSecond, long propagationNs) {
        int index = joined++;
        Port port = network.port(this, index, bitsPerSecond, propagationNs)
                .pauses(settings.quanta, settings.reactionNs);
        ports[index] = port;
        arbiters[index] = new Arbiter(settings.amongLanes, settings.weights);
        heads[index] = queue -> lanes[index][queue].oldest();
        return port;
    }

    /** Sets the ports by which hosts are reached that are not in its subnet; null for those of its subnet. */
    public void route(int[][] newRoutes) {
        routes = newRoutes;
    }

    @Override
    public int mac() {
        return mac;
    }

    @Override
    public boolean isHost() {
        return false;
    }

    @Override
    public void receive(Port port, Frame frame) {
        counters.received++;
        boolean fromHost = port.peer().device().isHost();
        if (frame.kind == Frame.Kind.ANNOUNCEMENT) {
            if (fromHost) {
                tables.answered(frame.source, port.index(), network.nowNs());
            }
            network.release(frame);
            return;
        }
        if (frame.mac != mac) {
            counters.misdirected++;
            network.release(frame);
            return;
        }
        if (fromHost) {
            tables.heard(frame.source, port.index(), network.nowNs());
        }
        frame.ingress = port.index();
        frame.lane = settings.lanes[frame.serviceLevel];
        if (watchdog != null && isLossless(frame) && watchdog.isOff(port.index())) {
            counters.watchdogDrops++;
            network.release(frame);
            return;
        }
        forward(frame);
    }

    private boolean isLossless(Frame frame) {
        return (settings.lossless >> frame.lane & 1) != 0;
    }

    private void forward(Frame frame) {
        int[] paths = frame.destination < routes.length ? routes[frame.destination] : null;
        if (paths != null) {
            enqueue(frame, paths.length == 1 ? paths[0] : paths[Ecmp.choose(frame, hashSeed, paths.length)]);
            return;
        }
        int port = tables.port(frame.destination, network.nowNs());
        if (port >= 0) {
            enqueue(frame, port);
        } else if (port == AddressTables.NOBODY) {
            counters.unknownHosts++;
            network.release(frame);
        } else if (settings.dropsIncomplete && isLossless(frame)) {
            counters.incompleteDrops++;
            network.release(frame);
        } else {
            flood(frame);
        }
    }

    private boolean take(Frame frame) {
        int lane = SharedBuffer.lane(frame.ingress, frame.lane);
        boolean lossless = isLossless(frame);
        if (!buffer.take(lane, frame.bytes)) {
            if (lossless) {
                counters.headroomDrops++;
            } else {
                counters.lossyDrops++;
            }
            network.release(frame);
            return false;
        }
        if (lossless && buffer.isOver(lane)) {
            ports[frame.ingress].pause(frame.lane);
        }
        return true;
    }

    private void enqueue(Frame frame, int port) {
        if (watchdog != null && isLossless(frame) && watchdog.isOff(port)) {
            counters.watchdogDrops++;
            network.release(frame);
        } else if (take(frame)) {
            Device next = ports[port].peer().device();
            append(frame, port, next.mac());
        }
    }

    private void append(Frame frame, int port, int toMac) {
        frame.mac = toMac;
        frame.order = order++;
        Lane lane = lanes[port][frame.lane];
        if (lane == null) {
            lane = new Lane(settings.amongPorts, ports.length, settings.weights[frame.lane]);
            lanes[port][frame.lane] = lane;
        }
        lane.add(frame);
        filled[port] |= 1 << frame.lane;
        ports[port].kick();
        if (watchdog != null && ports[port].paused() != 0) {
            watchdog.look(port);
        }
    }

    /** Sends a frame to all ports but the one it came in by; it is stored once, and counted until all have sent it. */
    private void flood(Frame frame) {
        if (!take(frame)) {
            return;
        }
        counters.flooded++;
        int[] copies = {joined - 1};
        int ingress = frame.ingress;
        int lane = frame.lane;
        int last = ingress == joined - 1 ? joined - 2 : joined - 1;
        for (int port = 0; port <= last; port++) {
            if (port != ingress) {
                Frame copy = frame;
                if (port != last) {
                    copy = network.frame();
                    copy.copy(frame);
                    copy.ingress = ingress;
                    copy.lane = lane;
                }
                copy.copies = copies;
                append(copy, port, frame.destination);
            }
        }
    }

    @Override
    public Frame next(Port port, int ready) {
        int index = port.index();
        int some = filled[index] & ready;
        if (some == 0) {
            return null;
        }
        int chosen = arbiters[index].pick(some, heads[index]);
        Lane lane = lanes[index][chosen];
        long queued = lane.bytes();
        Frame frame = lane.poll();
        if (lane.isEmpty()) {
            filled[index] &= ~(1 << chosen);
        }
        if (settings.marking != null && Ecn.isCapable(frame.trafficClass)
                && settings.marking.marks(queued, (int) chance.bits())) {
            frame.trafficClass = Ecn.mark(frame.trafficClass);
            counters.marked++;
        }
        return frame;
    }

    @Override
    public void left(Port port, Frame frame) {
        if (frame.copies != null) {
            boolean others = --frame.copies[0] > 0;
            frame.copies = null;
            if (others) {
                return;
            }
        }
        giveBack(frame);
    }

    private void giveBack(Frame frame) {
        buffer.give(SharedBuffer.lane(frame.ingress, frame.lane), frame.bytes);
        resumeIfUnder(ports[frame.ingress], frame.lane);
    }

    private void resumeIfUnder(Port ingress, int priority) {
        if ((ingress.pausing() >> priority & 1) != 0
                && buffer.isUnder(SharedBuffer.lane(ingress.index(), priority))) {
            ingress.resume(priority);
        }
    }

    @Override
    public void paused(Port port) {
        if (watchdog != null && port.peer().device().isHost()) {
            watchdog.look(port.index());
        }
    }

    /** Throws the lossless frames away that wait at a port. */
    void dropLossless(int port) {
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            Lane lane = lanes[port][priority];
            while (lane != null && (settings.lossless >> priority & 1) != 0 && !lane.isEmpty()) {
                Frame frame = lane.poll();
                counters.watchdogDrops++;
                left(ports[port], frame);
                network.release(frame);
            }
        }
        filled[port] &= ~settings.lossless;
    }

    // ---- what is set

    /** Returns a copy of what it works by. */
    public SwitchSettings settings() {
        return settings.copy();
    }

    /**
     * Changes what it works by while it runs, as an operator or an update does: alpha, the fixed bound and the
     * hysteresis of its memory, the lanes of service levels, and marking. Frames that wait stay in their lanes. A lane
     * that is over its new bound pauses the other end when it takes the next frame; one that is now under it lets the
     * other end send at once, or as soon as it has given its headroom back.
     *
     * @throws IllegalArgumentException when something else differs, which is fixed for life; nothing is changed then
     */
    public void apply(SwitchSettings wanted) {
        SwitchSettings next = wanted.copy();
        next.checkLive(settings);
        boolean sameBounds = next.buffer.equals(settings.buffer);
        buffer.apply(next.buffer);
        settings = next;
        for (int port = 0; port < joined && !sameBounds; port++) {
            for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
                resumeIfUnder(ports[port], priority);
            }
        }
    }

    // ---- what others look at

    /**
     * Returns by which port packets of a flow leave it now, or -1 when there is no single one: it knows nobody of that
     * address, or would flood.
     *
     * @param source host, as {@code destination}
     * @param sourcePort of UDP, as it is in packets: 0xc000 to 0xffff
     */
    public int egress(int source, int destination, int sourcePort) {
        int[] paths = destination < routes.length ? routes[destination] : null;
        if (paths == null) {
            return Math.max(-1, tables.port(destination, network.nowNs()));
        }
        return paths[Ecmp.choose(source, destination, sourcePort, hashSeed, paths.length)];
    }

    public Port port(int index) {
        return ports[index];
    }

    public int ports() {
        return joined;
    }

    public SwitchCounters counters() {
        return counters;
    }

    /** Returns what waits at a port in a lane, in bytes. */
    public long queuedBytes(int port, int lane) {
        return lanes[port][lane] == null ? 0 : lanes[port][lane].bytes();
    }

    /** Returns true when a frame waits at a port that came in by another. */
    boolean holds(int port, int lane, int ingress) {
        return lanes[port][lane] != null && lanes[port][lane].holdsFrom(ingress);
    }

    /** Returns what is stored, in bytes. */
    public long heldBytes() {
        return buffer.allHeld();
    }

    /** Returns what is stored of a lane that a port takes in. */
    public long heldBytes(int port, int lane) {
        return buffer.held(SharedBuffer.lane(port, lane));
    }

    /** Returns the most that ever was stored at once. */
    public long mostHeldBytes() {
        return buffer.mostHeld();
    }

    /** Returns false while the watchdog has a port drop what is lossless. */
    public boolean isLossless(int port) {
        return watchdog == null || !watchdog.isOff(port);
    }
}
