package org.jvrpc.fabric.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.EndpointSettings;
import org.jvrpc.fabric.host.HostMemory;
import org.jvrpc.fabric.host.NicSettings;
import org.jvrpc.fabric.host.RcEndpoint;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * The messages of a flow, posted when the capture had their first packets, between two simulated hosts at one switch:
 * once as they are, and once with one packet lost, the first of that PSN and opcode from that side. Lossless links of
 * 40 Gb/s, so that what differs is the loss's doing.
 */
public final class WhatIf {

    /** A side, with the messages that it sends. */
    private static final class Side implements Application, EventTarget {

        private final Network network;
        private final List<Message> messages;
        private final long[] postsNs;
        private final long[] endsNs;
        private final List<WcStatus> failures = new ArrayList<>();
        private RcEndpoint endpoint;
        private int fetched;
        private int ended;

        Side(Network network, List<Message> messages, long captureNs) {
            this.network = network;
            this.messages = messages;
            postsNs = new long[messages.size()];
            endsNs = new long[messages.size()];
            for (int i = 0; i < postsNs.length; i++) {
                postsNs[i] = network.nowNs() + Math.max(0, messages.get(i).first().timeNs() - captureNs);
            }
        }

        private void begin(RcEndpoint own) {
            endpoint = own;
            for (long postNs : postsNs) {
                network.events().schedule(postNs, this, 0, null, 0);
            }
        }

        @Override
        public void happen(int kind, Object subject, long argument) {
            endpoint.posted();
        }

        @Override
        public boolean fetch(SendWork work) {
            if (fetched == postsNs.length || network.nowNs() < postsNs[fetched]) {
                return false;
            }
            Message message = messages.get(fetched);
            work.set(message.operation(), message.length(), fetched++).flags(false, false).word(0)
                    .remote(0, HostMemory.RKEY).operands(0, 0);
            return true;
        }

        @Override
        public void completed(SendWork work, WcStatus status, long nowNs) {
            endsNs[(int) work.cookie()] = nowNs;
            if (status == WcStatus.SUCCESS) {
                ended++;
            } else {
                failures.add(status);
            }
        }
    }

    private static final int MOST_LINES = 10;
    private static final double NS_PER_US = 1000;
    private static final int WORKS = 128;
    private static final int MOST_READS = 16;

    private final Flow flow;
    private final CapturedPacket lost;
    private final Message.Script[] scripts;
    private final Side[] sides = new Side[2];
    private final RcEndpoint[] endpoints = new RcEndpoint[2];
    private boolean found;

    private WhatIf(Flow flow, CapturedPacket lost) {
        this.flow = flow;
        this.lost = lost;
        scripts = new Message.Script[] {Message.script(flow, 0), Message.script(flow, 1)};
    }

    /**
     * Returns what would have been different.
     *
     * @param number of the frame that is lost, one of the flow's
     * @param ackTimeoutNs of both sides
     */
    public static List<String> lost(Flow flow, int number, long ackTimeoutNs) {
        CapturedPacket packet = flow.packet(number);
        WhatIf whole = new WhatIf(flow, null);
        whole.run(ackTimeoutNs);
        WhatIf holed = new WhatIf(flow, packet);
        holed.run(ackTimeoutNs);
        List<String> lines = new ArrayList<>();
        lines.add("Simulated, frame " + number + " lost: " + packet.words() + " from "
                + flow.side(flow.side(packet)));
        if (!holed.found) {
            lines.add("  no such packet is sent in the simulation: one acknowledgement may serve for several");
        }
        for (int side = 0; side < 2; side++) {
            lines.add("  " + flow.side(side) + " nothing lost: " + whole.words(side));
            lines.add("  " + flow.side(side) + " with the loss: " + holed.words(side));
        }
        compare(whole, holed, lines);
        return lines;
    }

    private void run(long ackTimeoutNs) {
        long longest = 1;
        int packets = 1;
        for (Message.Script script : scripts) {
            for (Message message : script.messages()) {
                longest = Math.max(longest, message.length());
                packets = Math.max(packets, message.packets());
            }
        }
        Network network = new Network(1, false, flow.mtu());
        Topology star = Topology.star(network, Links.defaults(), new SwitchSettings(), new NicSettings(), longest, 2);
        RcAttributes attributes = RcAttributes.defaults().withMtu(flow.mtu()).withRetries(7, 7, ackTimeoutNs)
                .withReads(MOST_READS, MOST_READS).withWindow(Math.max(WORKS, packets), WORKS / 2);
        long captureNs = flow.all().get(0).timeNs();
        for (int side = 0; side < 2; side++) {
            sides[side] = new Side(network, scripts[side].messages(), captureNs);
            endpoints[side] = star.host(side).endpoint(
                    new EndpointSettings(attributes, WORKS, 3, 0xc000, null), sides[side]);
        }
        if (lost != null) {
            star.host(flow.side(lost)).port().faults().loses((frame, number) -> isLost(frame));
        }
        RcEndpoint.connect(endpoints[0], endpoints[1], Math.max(0, scripts[0].firstPsn()),
                Math.max(0, scripts[1].firstPsn()));
        sides[0].begin(endpoints[0]);
        sides[1].begin(endpoints[1]);
        network.events().runUntil(Long.MAX_VALUE / 2);
    }

    private boolean isLost(Frame frame) {
        if (found || frame.kind() != Frame.Kind.PACKET || Bth.opcode(frame.packet(), 0) != lost.opcode()) {
            return false;
        }
        int ahead = Psn.difference(Bth.psn(frame.packet(), 0), lost.psn());
        found = ahead == 0 || ahead > 0 && lost.opcode() == Opcode.ACKNOWLEDGE;
        return found;
    }

    private String words(int side) {
        RcCounters counters = endpoints[side].counters();
        return "completed=" + sides[side].ended + " of " + sides[side].messages.size() + " sent="
                + counters.sentPackets() + " again=" + counters.resentPackets() + " timeouts=" + counters.timeouts()
                + " NAKs=" + counters.receivedSequenceNaks() + " implied=" + counters.impliedNaks() + " duplicates="
                + counters.duplicateRequests() + (sides[side].failures.isEmpty() ? ""
                        : " failed=" + sides[side].failures.get(0));
    }

    private static void compare(WhatIf whole, WhatIf holed, List<String> lines) {
        int later = 0;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < whole.sides[side].endsNs.length; i++) {
                long ns = holed.sides[side].endsNs[i] - whole.sides[side].endsNs[i];
                if (ns != 0 && later++ < MOST_LINES) {
                    Message message = whole.sides[side].messages.get(i);
                    lines.add(String.format(Locale.ROOT, "  %s of %d bytes, frame %d, ends %.1f us %s",
                            message.operation(), message.length(), message.first().number(), Math.abs(ns) / NS_PER_US,
                            ns > 0 ? "later" : "earlier"));
                }
            }
        }
        if (later > MOST_LINES) {
            lines.add("  and " + (later - MOST_LINES) + " more");
        }
        if (later == 0) {
            lines.add("  no message ends at another time");
        }
    }
}
