package org.jvrpc.watch.fabric.rperf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.PairPort;
import org.jvrpc.watch.StampSource;

/**
 * Pairs between two hosts of the fabric. NICs need {@code NicSettings.loopbackNs} of 0 or more; else there is no
 * loopback. Times are those at which the host sees completions, as by software.
 */
public final class SimulatedPairs implements PairPort {

    private static final int MOST_QPS = 256;
    private static final long BIT_NS = 8_000_000_000L;

    private final Network network;
    private final Nic local;
    private final boolean loops;
    private final int mtu;
    private final int slots;
    private final List<Lane> lanes = new ArrayList<>();
    private final ArrayDeque<Done> done = new ArrayDeque<>();
    private int turn;
    private Runnable whenDone = () -> { };

    private record Done(int slot, boolean loopback, WcStatus status, long atNs) {
    }

    /** Told of what goes over the wire. */
    interface Witness {

        /** The NIC is given a message: the next of this QP that leaves. */
        void fetched(RcEndpoint endpoint, int slot);

        /** The NIC has its acknowledgement. */
        void acknowledged(RcEndpoint endpoint, int slot, long nicNs);
    }

    private Witness witness;

    /** Messages of one QP, in order. */
    private final class Queue implements Application {

        private final boolean loopback;
        private final ArrayDeque<long[]> posted = new ArrayDeque<>();
        private RcEndpoint endpoint;

        Queue(boolean loopback) {
            this.loopback = loopback;
        }

        void post(int slot, int bytes) {
            posted.add(new long[] {slot, bytes});
            endpoint.posted();
        }

        @Override
        public boolean fetch(SendWork work) {
            long[] next = posted.poll();
            if (next == null) {
                return false;
            }
            work.set(SendWork.Operation.SEND, next[1], next[0]).flags(false, false);
            if (witness != null && !loopback) {
                witness.fetched(endpoint, (int) next[0]);
            }
            return true;
        }

        @Override
        public void completedInNic(SendWork work, long nicNs) {
            if (witness != null && !loopback) {
                witness.acknowledged(endpoint, (int) work.cookie(), nicNs);
            }
        }

        @Override
        public void completed(SendWork work, WcStatus status, long nowNs) {
            done.add(new Done((int) work.cookie(), loopback, status, nowNs));
            whenDone.run();
        }
    }

    /** A QP to the peer, and one to the host itself. */
    private static final class Lane {
        private Queue wire;
        private Queue loop;
    }

    private SimulatedPairs(Nic local, boolean loops, int mtu, int slots) {
        this.mtu = mtu;
        this.local = local;
        this.loops = loops;
        this.slots = slots;
        network = local.network();
    }

    /**
     * Connects hosts.
     *
     * @param settings of all QPs: their service level, port and congestion control
     * @param qps 1 to 256, with source ports from that of {@code settings} on
     * @param slots pairs that may be under way
     * @param loopback whether its NIC has one
     */
    public static SimulatedPairs between(Topology made, int from, int to, EndpointSettings settings, int qps, int slots,
            boolean loopback) {
        if (qps < 1 || qps > MOST_QPS) {
            throw new IllegalArgumentException("qps must be 1 to " + MOST_QPS + ", qps=" + qps);
        }
        Nic local = made.host(from);
        SimulatedPairs pairs = new SimulatedPairs(local, loopback, settings.attributes().mtu(), slots);
        for (int i = 0; i < qps; i++) {
            Lane lane = new Lane();
            EndpointSettings own = settings.withPort(settings.sourcePort() + i);
            lane.wire = pairs.connect(made.host(to), own, false);
            lane.loop = loopback ? pairs.connect(local, own, true) : null;
            pairs.lanes.add(lane);
        }
        return pairs;
    }

    private Queue connect(Nic peer, EndpointSettings settings, boolean loopback) {
        Queue queue = new Queue(loopback);
        EndpointSettings enough = new EndpointSettings(settings.attributes(), Math.max(slots, settings.works()),
                settings.serviceLevel(), settings.sourcePort(), settings.dcqcn());
        queue.endpoint = local.endpoint(enough, queue);
        RcEndpoint.connect(queue.endpoint, peer.endpoint(settings, new Application() { }));
        return queue;
    }

    /** Has it told of each completion as it comes. */
    void whenDone(Runnable told) {
        whenDone = told;
    }

    void witness(Witness told) {
        witness = told;
    }

    Nic local() {
        return local;
    }

    Network network() {
        return network;
    }

    @Override
    public int slots() {
        return slots;
    }

    @Override
    public boolean hasLoopback() {
        return loops;
    }

    @Override
    public String noLoopback() {
        return loops ? null : "its NIC has none";
    }

    /** This NIC's loopback is as fast as its link. */
    @Override
    public double loopbackBitsNs(int bytes) {
        int last = (bytes - 1) % mtu + 1;
        return bitsNs(last + (-last & 3)) + bitsNs(Aeth.BYTES);
    }

    private double bitsNs(int behindBth) {
        int bytes = Math.max(Frame.LEAST_BYTES, Frame.HEADER_BYTES + Bth.BYTES + behindBth + Frame.TRAILER_BYTES);
        return bytes * BIT_NS / local.port().bitsPerSecond(); // whole ones, as all of the fabric's
    }

    @Override
    public StampSource stamps() {
        return StampSource.SOFTWARE;
    }

    @Override
    public long nowNs() {
        return network.nowNs();
    }

    @Override
    public boolean post(int slot, int bytes, boolean loopbackFirst) {
        Lane lane = lanes.get(turn);
        turn = (turn + 1) % lanes.size();
        if (loops && loopbackFirst) {
            lane.loop.post(slot, bytes);
        }
        lane.wire.post(slot, bytes);
        if (loops && !loopbackFirst) {
            lane.loop.post(slot, bytes);
        }
        return true;
    }

    @Override
    public int poll(Completions to) {
        int count = 0;
        for (Done next = done.poll(); next != null; next = done.poll()) {
            count++;
            if (next.loopback) {
                to.loopback(next.slot, next.status, next.atNs);
            } else {
                to.wire(next.slot, next.status, next.atNs);
            }
        }
        return count;
    }

    /** Nothing to close: the fabric goes as a whole. */
    @Override
    public void close() {
        done.clear();
    }
}
