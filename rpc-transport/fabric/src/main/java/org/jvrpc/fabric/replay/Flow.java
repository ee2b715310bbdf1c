package org.jvrpc.fabric.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;

/**
 * The packets between two QPs. A packet names the QP that it is for, not the one that it is from; which two belong
 * together is told by responses, whose PSNs are those of requests in the other direction.
 */
public final class Flow {

    /** All that goes from an address to a QP at another. */
    private record Half(String from, String to, int qpn) {
    }

    /** The PSNs that requests of one direction had until now. */
    private static final class Range {
        private int first = -1;
        private int end;

        private void add(CapturedPacket packet) {
            if (first < 0) {
                first = packet.psn();
                end = first;
            }
            int behind = packet.endPsn(LEAST_MTU);
            end = Psn.difference(behind, end) > 0 ? behind : end;
        }

        private boolean holds(int psn) {
            return first >= 0 && Psn.difference(psn, first) >= 0 && Psn.difference(psn, end) <= 0;
        }
    }

    private static final int LEAST_MTU = 256;
    private static final int MOST_MTU = 4096;

    private final String[] addresses = new String[2];
    private final int[] qpns = {-1, -1};
    private final List<CapturedPacket> packets = new ArrayList<>();
    private int mtu;

    private Flow(Half toB, Half toA) {
        Half any = toB != null ? toB : toA;
        addresses[0] = toB != null ? toB.from : any.to;
        addresses[1] = toB != null ? toB.to : any.from;
        qpns[1] = toB != null ? toB.qpn : -1;
        qpns[0] = toA != null ? toA.qpn : -1;
    }

    /** Finds the flows of a capture, in the order of their first packets. */
    public static List<Flow> in(Capture capture) {
        Map<Half, List<CapturedPacket>> halves = new LinkedHashMap<>();
        for (CapturedPacket packet : capture.packets()) {
            halves.computeIfAbsent(new Half(packet.from(), packet.to(), packet.qpn()), half -> new ArrayList<>())
                    .add(packet);
        }
        Map<Half, Half> pairs = pairs(capture, halves);
        Map<Half, Flow> flows = new LinkedHashMap<>();
        for (Half half : halves.keySet()) {
            if (!flows.containsKey(half)) {
                Half other = pairs.get(half);
                Flow flow = new Flow(half, other);
                flows.put(half, flow);
                if (other != null) {
                    flows.put(other, flow);
                }
            }
        }
        for (CapturedPacket packet : capture.packets()) {
            flows.get(new Half(packet.from(), packet.to(), packet.qpn())).packets.add(packet);
        }
        List<Flow> all = flows.values().stream().distinct().toList();
        all.forEach(Flow::findMtu);
        return all;
    }

    /** Pairs halves by responses whose PSNs those of requests are; those with most of them first. */
    private static Map<Half, Half> pairs(Capture capture, Map<Half, List<CapturedPacket>> halves) {
        Map<String, List<Half>> byWay = new LinkedHashMap<>();
        for (Half half : halves.keySet()) {
            byWay.computeIfAbsent(half.from + " " + half.to, way -> new ArrayList<>()).add(half);
        }
        Map<Half, Range> ranges = new LinkedHashMap<>();
        Map<List<Half>, Integer> votes = new LinkedHashMap<>();
        for (CapturedPacket packet : capture.packets()) {
            Half half = new Half(packet.from(), packet.to(), packet.qpn());
            if (!packet.isResponse()) {
                ranges.computeIfAbsent(half, key -> new Range()).add(packet);
                continue;
            }
            for (Half other : byWay.getOrDefault(packet.to() + " " + packet.from(), List.of())) {
                if (ranges.containsKey(other) && ranges.get(other).holds(packet.psn())) {
                    boolean inOrder = half.toString().compareTo(other.toString()) < 0;
                    votes.merge(inOrder ? List.of(half, other) : List.of(other, half), 1, Integer::sum);
                }
            }
        }
        Map<Half, Half> pairs = new LinkedHashMap<>();
        votes.entrySet().stream().sorted(Comparator.comparing(Map.Entry<List<Half>, Integer>::getValue).reversed())
                .forEach(vote -> {
                    Half a = vote.getKey().get(0);
                    Half b = vote.getKey().get(1);
                    if (!pairs.containsKey(a) && !pairs.containsKey(b)) {
                        pairs.put(a, b);
                        pairs.put(b, a);
                    }
                });
        return pairs;
    }

    /** Packets that others of their message follow are full. */
    private void findMtu() {
        int longest = 0;
        for (CapturedPacket packet : packets) {
            if (!Opcode.ends(packet.opcode())) {
                mtu = packet.length();
            }
            longest = Math.max(longest, packet.length());
        }
        boolean possible = Integer.bitCount(mtu) == 1 && mtu >= LEAST_MTU && mtu <= MOST_MTU && longest <= mtu;
        mtu = possible ? mtu : MOST_MTU;
    }

    List<CapturedPacket> all() {
        return packets;
    }

    /** Returns how many packets there are. */
    public int packets() {
        return packets.size();
    }

    /** Returns the MTU that its packets tell; 4096 when none is full. */
    public int mtu() {
        return mtu;
    }

    /** Returns the side that a packet comes from, 0 or 1. */
    int side(CapturedPacket packet) {
        return packet.from().equals(addresses[0]) && (packet.qpn() == qpns[1] || !addresses[0].equals(addresses[1]))
                ? 0 : 1;
    }

    /** Returns true when a frame of the capture is one of its packets. */
    public boolean holds(int number) {
        return packets.stream().anyMatch(packet -> packet.number() == number);
    }

    CapturedPacket packet(int number) {
        return packets.stream().filter(packet -> packet.number() == number).findFirst().orElseThrow();
    }

    String side(int side) {
        return addresses[side] + " QP " + (qpns[side] < 0 ? "?" : Integer.toString(qpns[side]));
    }

    @Override
    public String toString() {
        return side(0) + " <-> " + side(1);
    }
}
