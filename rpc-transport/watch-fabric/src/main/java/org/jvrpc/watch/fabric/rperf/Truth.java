package org.jvrpc.watch.fabric.rperf;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;

/**
 * What nobody can see in a real network: how long each message was in it, from when the first bit of its last packet
 * leaves the NIC until the NIC has the acknowledgement.
 */
final class Truth implements Network.Tap, SimulatedPairs.Witness {

    /** Messages of a QP in the order in which they leave. */
    private static final class Flow {
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        private final Map<Integer, Long> leftNs = new HashMap<>();
        private int lastPsn = -1;
    }

    private static final double BIT_NS = 8e9;

    private final Port port;
    private final long fromNs;
    private final Packet packet = new Packet();
    private final Map<Integer, Flow> byPsnOwner = new HashMap<>();
    private final Map<RcEndpoint, Flow> flows = new HashMap<>();
    private long[] tripsNs = new long[1024];
    private int trips;
    private int sendBytes;
    private int ackBytes;

    /** @param fromNs messages that leave before do not count */
    Truth(SimulatedPairs pairs, long fromNs) {
        port = pairs.local().port();
        this.fromNs = fromNs;
        pairs.witness(this);
        pairs.network().tap(this);
    }

    @Override
    public void fetched(RcEndpoint endpoint, int slot) {
        flows.computeIfAbsent(endpoint, e -> byPsnOwner.computeIfAbsent(e.peerQpn(), qpn -> new Flow()))
                .waiting.add(slot);
    }

    @Override
    public void sent(long nowNs, Port from, Frame frame) {
        if (frame.kind() != Frame.Kind.PACKET
                || packet.parse(frame.packet(), 0, frame.packetBytes()) != Packet.Verdict.OK) {
            return;
        }
        if (packet.opcode() == Opcode.ACKNOWLEDGE) {
            ackBytes = frame.bytes();
        }
        if (from != port || !Opcode.isSend(packet.opcode()) || !Opcode.ends(packet.opcode())) {
            return;
        }
        sendBytes = frame.bytes();
        Flow flow = byPsnOwner.get(packet.qpn());
        if (flow == null || flow.waiting.isEmpty() || packet.psn() == flow.lastPsn) {
            return;
        }
        flow.lastPsn = packet.psn();
        flow.leftNs.put(flow.waiting.remove(), nowNs);
    }

    @Override
    public void acknowledged(RcEndpoint endpoint, int slot, long nicNs) {
        Long leftNs = flows.get(endpoint).leftNs.remove(slot);
        if (leftNs == null || leftNs < fromNs) {
            return;
        }
        if (trips == tripsNs.length) {
            tripsNs = Arrays.copyOf(tripsNs, 2 * trips);
        }
        tripsNs[trips++] = nicNs - leftNs;
    }

    /** Returns how long the bits of a last packet and of its acknowledgement take at the NIC's port. */
    double portNs() {
        return (sendBytes + ackBytes) * BIT_NS / port.bitsPerSecond();
    }

    int count() {
        return trips;
    }

    double meanNs() {
        return Arrays.stream(tripsNs, 0, trips).average().orElse(0);
    }

    long percentileNs(double percent) {
        long[] sorted = Arrays.copyOf(tripsNs, trips);
        Arrays.sort(sorted);
        return trips == 0 ? 0 : sorted[(int) Math.max(0, Math.ceil(trips * percent / 100) - 1)];
    }
}
