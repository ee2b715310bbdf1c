package org.jvrpc.fabric.host;

import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;

/** The way of packets from a NIC to itself, as fast as its link, which it does not share. */
final class Loopback implements EventTarget {

    private static final int TURN = 0;
    private static final int ARRIVED = 1;
    private static final long BIT_NS = 8_000_000_000L;

    private final Nic nic;
    private final Network network;
    private final long latencyNs;
    private long freeNs;

    Loopback(Nic nic, long latencyNs) {
        this.nic = nic;
        this.latencyNs = latencyNs;
        network = nic.network();
    }

    /** A QP that is connected to one of this NIC's may have something to send. */
    void list(Talker talker) {
        if (!talker.listed) {
            talker.listed = true;
            network.events().schedule(Math.max(freeNs, network.nowNs()), this, TURN, talker, 0);
        }
    }

    /** Carries a packet, which is its own now. */
    void carry(Frame frame) {
        freeNs = Math.max(freeNs, network.nowNs()) + frame.bytes() * BIT_NS / nic.port().bitsPerSecond();
        network.events().schedule(freeNs + latencyNs, this, ARRIVED, frame, 0);
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (kind == ARRIVED) {
            nic.take((Frame) subject);
            return;
        }
        Talker talker = (Talker) subject;
        talker.listed = false;
        Frame frame = nic.isDead() ? null : talker.turn(network.nowNs());
        if (frame != null) {
            carry(frame);
            list(talker);
        }
    }
}
