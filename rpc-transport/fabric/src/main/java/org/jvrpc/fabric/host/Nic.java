package org.jvrpc.fabric.host;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.cost.HostSide;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Device;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.FrameQueue;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.roce.cm.CmSettings;
import org.jvrpc.roce.wire.Cnp;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;

/**
 * A host's NIC with one port. It gives its QPs turns as fast as the link takes packets; what it receives goes through a
 * pipeline, which a missing translation holds up. When too much waits for the pipeline, it pauses the switch.
 */
public final class Nic implements Device, EventTarget {

    private static final int PIPELINE = 0;
    private static final int ANNOUNCE = 1;
    private static final int WATCHDOG = 2;
    /** QPs 0 and 1 are for management. */
    private static final int FIRST_QPN = 2;
    private static final int HOST_SIDE = 7;

    private final Network network;
    private final NicSettings settings;
    private final int mac;
    private final Chance chance;
    private final List<RcEndpoint> endpoints = new ArrayList<>();
    private final List<DatagramEndpoint> datagrams = new ArrayList<>();
    private final HostSide side;
    private final Loopback loopback;
    private final HostMemory memory;
    private final MttCache translations;
    private final NicCounters counters = new NicCounters();
    private ManagementPort management;
    private final Packet packet = new Packet();
    private Port port;
    private int nextIdentification;

    private final TurnList turns = new TurnList();
    private final FrameQueue control = new FrameQueue();

    private final FrameQueue waiting = new FrameQueue();
    private long waitingBytes;
    private boolean working;
    private long costNs;
    private boolean stuck;
    private boolean watched;
    private boolean mute;
    private boolean dead;
    private boolean announces;
    private long announceNs;

    /**
     * Makes the NIC of a host.
     *
     * @param memoryBytes registered; below 2^31 with payloads
     */
    public Nic(Network network, NicSettings settings, long memoryBytes) {
        this.network = network;
        this.settings = settings;
        mac = network.nextMac();
        chance = network.chance(mac);
        memory = new HostMemory(this, memoryBytes, network.hasPayloads());
        translations = settings.mttEntries == 0 ? null : new MttCache(settings.mttEntries, settings.pageBytes);
        nextIdentification = (int) chance.bits();
        side = settings.costs == null ? null : new HostSide(settings.costs, network.chance(mac).fork(HOST_SIDE));
        loopback = settings.loopbackNs < 0 ? null : new Loopback(this, settings.loopbackNs);
    }

    /** Makes its port. */
    public Port addPort(long bitsPerSecond, long propagationNs) {
        port = network.port(this, 0, bitsPerSecond, propagationNs).pauses(settings.quanta, settings.reactionNs);
        return port;
    }

    /** Makes a QP. */
    public RcEndpoint endpoint(EndpointSettings endpointSettings, Application application) {
        return endpoint(endpointSettings, application, null);
    }

    /** Makes a QP with memory of its own; null: the host's. */
    public RcEndpoint endpoint(EndpointSettings endpointSettings, Application application, EndpointMemory own) {
        RcEndpoint endpoint = new RcEndpoint(this, FIRST_QPN + endpoints.size(), endpointSettings, application, own);
        endpoints.add(endpoint);
        return endpoint;
    }

    /**
     * Makes a QP of datagrams.
     *
     * @param qkey that all have who send to each other
     * @param mtu the longest payload, in bytes, up to the network's
     */
    public DatagramEndpoint datagrams(int qkey, int mtu, DatagramApplication application) {
        DatagramEndpoint endpoint = new DatagramEndpoint(this, DatagramEndpoint.FIRST_QPN + datagrams.size(), qkey, mtu,
                application);
        datagrams.add(endpoint);
        return endpoint;
    }

    /** Returns its QP 1, made when it is asked for first; then settings do not matter any more. */
    public ManagementPort management(CmSettings cmSettings) {
        if (management == null) {
            management = new ManagementPort(this, cmSettings, chance.fork(ManagementPort.QPN));
        }
        return management;
    }

    // ---- what sends

    /** A QP may have something to send. */
    void list(Talker talker) {
        if (talker.listed || dead) {
            return;
        }
        if (talker.isLooped()) {
            loopback.list(talker);
            return;
        }
        turns.add(talker);
        port.kick();
    }

    @Override
    public Frame next(Port asking, int ready) {
        if (!control.isEmpty() && (ready >> settings.lanes[settings.cnpServiceLevel] & 1) != 0) {
            return control.poll();
        }
        return turns.next(ready, network.nowNs());
    }

    @Override
    public void left(Port from, Frame frame) {
    }

    @Override
    public void paused(Port at) {
    }

    /** Tells the peer of a QP that its packets were marked. */
    void sendCnp(RcEndpoint endpoint) {
        Frame frame = network.frame();
        counters.cnpsSent++;
        sendControl(endpoint.envelope(), frame, Cnp.write(frame.packet(), 0, endpoint.peerQpn()));
    }

    /** Sends a packet before those of QPs. */
    void sendControl(Envelope envelope, Frame frame, int length) {
        envelope.seal(frame, length, settings.cnpServiceLevel, settings.cnpServiceLevel << 2);
        control.add(frame);
        port.kick();
    }

    /** Says that it is there, now and again after each period. */
    public void announce(long periodNs) {
        announceNs = periodNs;
        if (!announces) {
            announces = true;
            network.events().schedule(network.nowNs(), this, ANNOUNCE, null, 0);
        }
    }

    private void announce() {
        announces = !dead && announceNs > 0;
        if (dead) {
            return;
        }
        Frame frame = network.frame();
        frame.announce(mac);
        frame.setLane(settings.lanes[settings.cnpServiceLevel]);
        control.add(frame);
        port.kick();
        if (announces) {
            network.events().schedule(network.nowNs() + announceNs, this, ANNOUNCE, null, 0);
        }
    }

    // ---- what is received

    @Override
    public void receive(Port at, Frame frame) {
        if (dead || frame.mac() != mac) {
            counters.foreign++;
            network.release(frame);
            return;
        }
        take(frame);
    }

    /** Takes a packet that is for it, also from itself. */
    void take(Frame frame) {
        if (dead) {
            network.release(frame);
            return;
        }
        counters.received++;
        if (waitingBytes + frame.bytes() > settings.receiveBytes) {
            counters.overflows++;
            network.release(frame);
            return;
        }
        if (!working && !stuck && settings.packetNs == 0) {
            deliver(frame);
            return;
        }
        waitingBytes += frame.bytes();
        waiting.add(frame);
        if (waitingBytes > settings.xoffBytes && !mute) {
            pause(true);
        }
        work();
    }

    /** Has the QP take a packet at once. When the pipeline is held up by it, it stays until that is over. */
    private void deliver(Frame frame) {
        costNs = 0;
        dispatch(frame);
        if (costNs == 0) {
            network.release(frame);
        } else {
            waitingBytes += frame.bytes();
            hold(frame);
        }
    }

    private void hold(Frame frame) {
        working = true;
        network.events().schedule(network.nowNs() + costNs, this, PIPELINE, frame, 0);
    }

    private void work() {
        while (!working && !stuck && !waiting.isEmpty()) {
            Frame frame = waiting.poll();
            costNs = settings.packetNs;
            dispatch(frame);
            if (costNs > 0) {
                hold(frame);
            } else {
                done(frame);
            }
        }
    }

    private void done(Frame frame) {
        waitingBytes -= frame.bytes();
        network.release(frame);
        if (waitingBytes <= settings.xonBytes && !stuck) {
            pause(false);
        }
    }

    private void dispatch(Frame frame) {
        if (packet.parse(frame.packet(), 0, frame.packetBytes()) != Packet.Verdict.OK) {
            counters.damaged++;
            return;
        }
        if (packet.qpn() == ManagementPort.QPN && management != null) {
            management.receive(packet, frame, settings.checksIcrc, network.nowNs());
            return;
        }
        int datagram = packet.qpn() - DatagramEndpoint.FIRST_QPN;
        if (datagram >= 0 && datagram < datagrams.size()) {
            datagrams.get(datagram).receive(packet, frame, settings.checksIcrc);
            return;
        }
        int index = packet.qpn() - FIRST_QPN;
        RcEndpoint endpoint = index >= 0 && index < endpoints.size() ? endpoints.get(index) : null;
        if (endpoint == null || !endpoint.isConnected() || endpoint.envelope().peer() != frame.source()) {
            counters.unknownQps++;
        } else if (settings.checksIcrc && !endpoint.envelope().isSound(frame)) {
            counters.damaged++;
        } else {
            endpoint.receive(packet, frame, network.nowNs());
        }
    }

    /** Looks up the translations of memory for the packet that is worked on. */
    void translate(long address, int length) {
        if (translations != null) {
            costNs += translations.use(address, length) * settings.missNs;
        }
    }

    private void pause(boolean on) {
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            if ((settings.lossless >> priority & 1) != 0) {
                if (on) {
                    port.pause(priority);
                } else {
                    port.resume(priority);
                }
            }
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        switch (kind) {
            case PIPELINE -> {
                working = false;
                done((Frame) subject);
                work();
            }
            case ANNOUNCE -> announce();
            default -> watch();
        }
    }

    // ---- faults

    /** The receive pipeline stands for good, and the switch is paused for as long: SIGCOMM'16, 4.3. */
    public void breakPipeline() {
        stuck = true;
        pause(true);
        if (settings.watchdogNs > 0 && !watched) {
            watched = true;
            network.events().schedule(network.nowNs() + settings.watchdogNs, this, WATCHDOG, null, 0);
        }
    }

    private void watch() {
        watched = false;
        if (stuck && port.pausing() != 0) {
            counters.watchdogTrips++;
            mute = true;
            pause(false);
        }
    }

    /** The host dies: it neither sends nor takes anything, and its QPs end. */
    public void kill() {
        dead = true;
        pause(false);
        for (RcEndpoint endpoint : endpoints) {
            if (endpoint.isConnected()) {
                endpoint.fail();
            }
        }
        datagrams.forEach(DatagramEndpoint::fail);
        turns.clear();
        while (!control.isEmpty()) {
            network.release(control.poll());
        }
        while (!waiting.isEmpty()) {
            Frame frame = waiting.poll();
            waitingBytes -= frame.bytes();
            network.release(frame);
        }
    }

    /** The host is there again, with a NIC as new; its old QPs are gone. */
    public void restart() {
        dead = false;
        stuck = false;
        mute = false;
        announce(announceNs);
    }

    /** Returns the ways between the host and this; null when they take no time. */
    public HostSide hostSide() {
        return side;
    }

    Loopback loopback() {
        return loopback;
    }

    boolean isDead() {
        return dead;
    }

    // ---- what it is and has

    @Override
    public int mac() {
        return mac;
    }

    @Override
    public boolean isHost() {
        return true;
    }

    /** Returns its QPs, in the order of their numbers. */
    public List<RcEndpoint> endpoints() {
        return endpoints;
    }

    /** Returns its IPv4 address. */
    public byte[] address() {
        return Envelope.address(mac);
    }

    public Network network() {
        return network;
    }

    public Port port() {
        return port;
    }

    public HostMemory memory() {
        return memory;
    }

    public NicCounters counters() {
        return counters;
    }

    /** Returns how many translations were missing. */
    public long misses() {
        return translations == null ? 0 : translations.misses();
    }

    /** Returns what waits for the receive pipeline, in bytes. */
    public long waitingBytes() {
        return waitingBytes;
    }

    int lane(int serviceLevel) {
        return settings.lanes[serviceLevel];
    }

    int firstPsn() {
        return (int) chance.bits() & Psn.MASK;
    }

    int nextIdentification() {
        return nextIdentification++;
    }

    /** Returns the device at the other end of its link. */
    int nextHop() {
        return port.peer().device().mac();
    }
}
