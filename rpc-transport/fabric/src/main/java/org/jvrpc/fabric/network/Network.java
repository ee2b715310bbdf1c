package org.jvrpc.fabric.network;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;

/**
 * All devices and links, with their time, chance and frames. Hosts and switches have numbers from 0 on, in the order in
 * which they are added; those of hosts are their addresses. One thread.
 */
public final class Network {

    /** Sees each frame when its first bit leaves. */
    public interface Tap {

        /** A frame leaves a port. */
        void sent(long nowNs, Port from, Frame frame);
    }

    /** Room for headers: BTH, the longest behind it, and what of a payload shows a bit that fell over. */
    private static final int HEADERS = 64;

    private final EventQueue events = new EventQueue();
    private final long seed;
    private final boolean payloads;
    private final int mtu;
    private final int packetBytes;
    private final List<Port> ports = new ArrayList<>();
    private Tap tap;
    private Frame free;
    private long framesOut;
    private long hops;
    private long hash;
    private int devices;

    /**
     * Makes an empty network.
     *
     * @param payloads frames bear the bytes of messages; else only their headers, and a frame has 64 bytes
     * @param mtu of RoCE, in bytes, at most; with payloads only
     */
    public Network(long seed, boolean payloads, int mtu) {
        this.seed = seed;
        this.payloads = payloads;
        this.mtu = mtu;
        packetBytes = payloads ? mtu + HEADERS : HEADERS;
    }

    public EventQueue events() {
        return events;
    }

    public long nowNs() {
        return events.nowNs();
    }

    public long seed() {
        return seed;
    }

    /** Returns chance for one more device. */
    public Chance chance(long number) {
        return new Chance(seed).fork(~number);
    }

    public boolean hasPayloads() {
        return payloads;
    }

    /** Returns the longest payload, in bytes. */
    public int mtu() {
        return mtu;
    }

    /** Returns the address for one more device. */
    public int nextMac() {
        return devices++;
    }

    /** Has all frames seen. */
    public void tap(Tap newTap) {
        tap = newTap;
    }

    /** Makes a port that is joined to nothing. */
    public Port port(Device device, int index, long bitsPerSecond, long propagationNs) {
        Port port = new Port(this, device, index, ports.size(), bitsPerSecond, propagationNs);
        ports.add(port);
        return port;
    }

    /** Joins two ports by a cable. */
    public static void join(Port a, Port b) {
        a.join(b);
        b.join(a);
    }

    /** Returns all ports, in the order in which they were made. */
    public List<Port> ports() {
        return ports;
    }

    /** Returns a frame to be filled in. */
    public Frame frame() {
        framesOut++;
        Frame frame = free;
        if (frame == null) {
            return new Frame(packetBytes);
        }
        free = frame.next;
        frame.next = null;
        frame.damaged = false;
        frame.copies = null;
        frame.lane = 0;
        return frame;
    }

    /** Takes a frame back. */
    public void release(Frame frame) {
        framesOut--;
        frame.next = free;
        free = frame;
    }

    /** Returns how many frames are under way or kept. */
    public long framesOut() {
        return framesOut;
    }

    void trace(Port port, Frame frame) {
        hops++;
        long word = events.nowNs() << 20 ^ (long) port.number() << 8 ^ frame.kind.ordinal();
        long what = (long) frame.source << 48 ^ (long) frame.destination << 32 ^ (long) frame.bytes << 16
                ^ frame.identification ^ (long) frame.trafficClass << 56 ^ frame.enabled;
        hash = Chance.mix(hash ^ word) + what;
        if (frame.kind == Frame.Kind.PACKET) {
            hash = Chance.mix(hash) ^ frame.packet.getLong(0) ^ frame.packet.getInt(8) ^ (long) frame.icrc << 32;
        }
        if (tap != null) {
            tap.sent(events.nowNs(), port, frame);
        }
    }

    /** Returns a number that all frames made: when each left where, with its headers and its ICRC. */
    public long traceHash() {
        return hash;
    }

    /** Returns how often a frame was sent over a link. */
    public long hops() {
        return hops;
    }
}
