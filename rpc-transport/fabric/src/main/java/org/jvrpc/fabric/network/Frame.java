package org.jvrpc.fabric.network;

import java.nio.ByteBuffer;

/**
 * An Ethernet frame on its way: a RoCEv2 packet over IPv4, a pause, or an announcement of a host. Pooled: whoever takes
 * it off its way gives it back ({@link Network#release}). What is in it lies from the BTH on in {@link #packet}; in a
 * network without payloads, only headers do, and the lengths say what there would be.
 */
public final class Frame {

    /** What it is. */
    public enum Kind {
        /** A RoCEv2 packet. */
        PACKET,
        /** Priority-based flow control, for the other end of a link only. */
        PAUSE,
        /** A host says that it is there, as by ARP. */
        ANNOUNCEMENT
    }

    /** Everybody's address. */
    public static final int BROADCAST = -1;
    /** Ethernet, IPv4 and UDP in front of the BTH. */
    public static final int HEADER_BYTES = 14 + 20 + 8;
    /** ICRC and FCS. */
    public static final int TRAILER_BYTES = 4 + 4;
    /** Of pauses and announcements, and of all frames at least. */
    public static final int LEAST_BYTES = 64;
    /** Preamble and gap, which take time but are no part of the frame. */
    public static final int GAP_BYTES = 20;

    final ByteBuffer packet;
    final int[] quanta = new int[Pause.PRIORITIES];
    Kind kind;
    int source;
    int destination;
    int sourcePort;
    int identification;
    int trafficClass;
    int serviceLevel;
    int icrc;
    int bytes;
    int packetBytes;
    boolean damaged;

    /** Whom this hop is for. */
    int mac;
    /** Pause: priorities that {@link #quanta} speak of. */
    int enabled;
    boolean lost;
    /** In a switch: where it came in, its lane, when; how many copies of a flooded frame are still there. */
    int ingress;
    int lane;
    long order;
    int[] copies;
    Frame next;

    Frame(int packetBytes) {
        packet = ByteBuffer.allocate(packetBytes);
    }

    /**
     * Addresses a packet.
     *
     * @param newSource host, as {@code newDestination}
     * @param newIdentification of IPv4; the sender counts it up
     * @param newServiceLevel 0 to 7, which a DSCP stands for
     */
    public Frame address(int newSource, int newDestination, int newSourcePort, int newIdentification,
            int newServiceLevel, int newTrafficClass) {
        kind = Kind.PACKET;
        source = newSource;
        destination = newDestination;
        sourcePort = newSourcePort;
        identification = newIdentification & 0xffff;
        serviceLevel = newServiceLevel;
        trafficClass = newTrafficClass;
        return this;
    }

    /** Says that a host is there. */
    public void announce(int host) {
        address(host, BROADCAST, 0, 0, 0, 0);
        kind = Kind.ANNOUNCEMENT;
        mac = BROADCAST;
        packetBytes = 0;
        bytes = LEAST_BYTES;
    }

    /** Sets the length from the BTH to the pad, with what it follows for the whole frame. */
    public void length(int newPacketBytes) {
        packetBytes = newPacketBytes;
        bytes = Math.max(LEAST_BYTES, HEADER_BYTES + newPacketBytes + TRAILER_BYTES);
    }

    /** Queues it behind another, or asks what is behind it, for queues of NICs. */
    public void setNext(Frame frame) {
        next = frame;
    }

    public Frame next() {
        return next;
    }

    /** Sets the priority that it has on this link. */
    public void setLane(int newLane) {
        lane = newLane;
    }

    public void setMac(int newMac) {
        mac = newMac;
    }

    public void setIcrc(int newIcrc) {
        icrc = newIcrc;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the packet, big-endian, from the BTH at 0 on. */
    public ByteBuffer packet() {
        return packet;
    }

    /** Returns the length from the BTH to the pad. */
    public int packetBytes() {
        return packetBytes;
    }

    /** Returns the length from the Ethernet header to the FCS. */
    public int bytes() {
        return bytes;
    }

    public int source() {
        return source;
    }

    public int destination() {
        return destination;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int identification() {
        return identification;
    }

    public int trafficClass() {
        return trafficClass;
    }

    public int serviceLevel() {
        return serviceLevel;
    }

    public int icrc() {
        return icrc;
    }

    /** Returns the device that this hop is for, or {@link #BROADCAST}. */
    public int mac() {
        return mac;
    }

    /** Returns true when bits of it are wrong, which the ICRC tells where there are payloads. */
    public boolean isDamaged() {
        return damaged;
    }

    /** Returns the priorities that a pause speaks of, as bits. */
    public int enabled() {
        return enabled;
    }

    /** Returns how long a pause is for a priority that it speaks of. */
    public int quanta(int priority) {
        return quanta[priority];
    }

    /** Becomes another one's copy. */
    void copy(Frame from) {
        address(from.source, from.destination, from.sourcePort, from.identification, from.serviceLevel,
                from.trafficClass);
        kind = from.kind;
        icrc = from.icrc;
        bytes = from.bytes;
        packetBytes = from.packetBytes;
        damaged = from.damaged;
        packet.put(0, from.packet, 0, Math.min(packet.capacity(), packetBytes));
    }
}
