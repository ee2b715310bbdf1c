package org.jvrpc.fabric.host;

import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.network.Pause;
import org.jvrpc.roce.congestion.Ecn;

/** How a NIC works. What is set after a NIC was made does not reach it. */
public final class NicSettings {

    int lossless = 1 << 3;
    final int[] lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    int cnpServiceLevel = Ecn.CNP_PRIORITY;
    int receiveBytes = 256 << 10;
    int xoffBytes = 128 << 10;
    int xonBytes = 96 << 10;
    long packetNs;
    int mttEntries;
    int pageBytes = 4096;
    long missNs;
    boolean checksIcrc = true;
    int quanta = Pause.MOST_QUANTA;
    long reactionNs;
    long watchdogNs;
    HostCosts costs;
    long loopbackNs = -1;

    /** Sets the priorities that it pauses when it is behind, as bits. */
    public NicSettings lossless(int value) {
        lossless = value;
        return this;
    }

    /** Sets the lane of a service level. */
    public NicSettings lane(int serviceLevel, int lane) {
        lanes[serviceLevel] = lane;
        return this;
    }

    /** Sets the service level of CNPs. */
    public NicSettings cnpServiceLevel(int value) {
        cnpServiceLevel = value;
        return this;
    }

    /** Sets the memory for what was received and not worked on, when it pauses, and when it ends the pause. */
    public NicSettings receive(int bytes, int newXoffBytes, int newXonBytes) {
        receiveBytes = bytes;
        xoffBytes = newXoffBytes;
        xonBytes = newXonBytes;
        return this;
    }

    /** Sets what the receive pipeline takes for a packet, without translations. */
    public NicSettings packetNs(long value) {
        packetNs = value;
        return this;
    }

    /**
     * Sets the cache of translations, and what a miss costs the receive pipeline.
     *
     * @param entries a power of two, at least 8; 0: all translations are there
     * @param newPageBytes a power of two
     */
    public NicSettings translations(int entries, int newPageBytes, long newMissNs) {
        mttEntries = entries;
        pageBytes = newPageBytes;
        missNs = newMissNs;
        return this;
    }

    /** Sets how long its pauses are, and how long it takes to obey one. */
    public NicSettings pauses(int newQuanta, long newReactionNs) {
        quanta = newQuanta;
        reactionNs = newReactionNs;
        return this;
    }

    /** Has it look at ICRCs, as it should: a fault for tests of tests. */
    public NicSettings checksIcrc(boolean value) {
        checksIcrc = value;
        return this;
    }

    /** Sets after which time of a standing receive pipeline it sends no pauses any more; 0: never. */
    public NicSettings watchdogNs(long value) {
        watchdogNs = value;
        return this;
    }

    /** Sets what the host adds to the NIC's time; null: nothing, as when it was made. */
    public NicSettings costs(HostCosts value) {
        costs = value;
        return this;
    }

    /**
     * Has packets for this NIC itself stay in it.
     *
     * @param value how long they are under way, in nanoseconds, without their bits; below 0: they go to the switch
     */
    public NicSettings loopbackNs(long value) {
        loopbackNs = value;
        return this;
    }
}
