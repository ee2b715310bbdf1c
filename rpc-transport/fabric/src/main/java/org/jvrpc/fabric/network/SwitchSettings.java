package org.jvrpc.fabric.network;

import java.util.Arrays;
import org.jvrpc.roce.congestion.EcnMarking;

/** How a switch works. Each network has its own; what is set after a switch was made does not reach it. */
public final class SwitchSettings {

    private static final long SECOND_NS = 1_000_000_000;

    BufferSettings buffer = BufferSettings.defaults();
    int lossless = 1 << 3;
    final int[] lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    Scheduling amongLanes = Scheduling.STRICT_PRIORITY;
    Scheduling amongPorts = Scheduling.FIRST_COME;
    final int[] weights = new int[Pause.PRIORITIES];
    EcnMarking marking;
    int quanta = Pause.MOST_QUANTA;
    long reactionNs;
    long macTimeoutNs = 300 * SECOND_NS;
    long arpTimeoutNs = 4 * 3600 * SECOND_NS;
    boolean dropsIncomplete;
    long watchdogNs;
    long recoveryNs;
    boolean sameHash;

    /** Sets all to what SIGCOMM'16 tells of, without marking and watchdog; priority 3 is lossless. */
    public SwitchSettings() {
        Arrays.fill(weights, 4096);
    }

    public SwitchSettings buffer(BufferSettings value) {
        buffer = value;
        return this;
    }

    public BufferSettings buffer() {
        return buffer;
    }

    /** Sets the lanes that are lossless, as bits. */
    public SwitchSettings lossless(int value) {
        lossless = value;
        return this;
    }

    /** Sets the lane of a service level. */
    public SwitchSettings lane(int serviceLevel, int lane) {
        lanes[serviceLevel] = lane;
        return this;
    }

    /** Sets who is next, of lanes at a port and of the ports that frames of a lane came in by. */
    public SwitchSettings scheduling(Scheduling newAmongLanes, Scheduling newAmongPorts) {
        amongLanes = newAmongLanes;
        amongPorts = newAmongPorts;
        return this;
    }

    /** Sets what a lane may send a round by deficit round robin, and each port within it. */
    public SwitchSettings weight(int lane, int bytes) {
        weights[lane] = bytes;
        return this;
    }

    /** Sets when packets that leave are marked; null: never. */
    public SwitchSettings marking(EcnMarking value) {
        marking = value;
        return this;
    }

    /** Sets how long its pauses are, and how long its ports take to obey one. */
    public SwitchSettings pauses(int newQuanta, long newReactionNs) {
        quanta = newQuanta;
        reactionNs = newReactionNs;
        return this;
    }

    /** Sets when tables forget. */
    public SwitchSettings timeouts(long macNs, long arpNs) {
        macTimeoutNs = macNs;
        arpTimeoutNs = arpNs;
        return this;
    }

    /** Drops lossless packets for hosts whose ARP entry is incomplete, instead of flooding them: SIGCOMM'16's cure. */
    public SwitchSettings dropsIncomplete(boolean value) {
        dropsIncomplete = value;
        return this;
    }

    /**
     * Sets the watchdog of ports that face hosts: after so long a time with frames, none sent, and paused for over 99 %
     * of it, the port is lossless no more, and is again after so long a time without pauses. 0: no watchdog.
     */
    public SwitchSettings watchdog(long newWatchdogNs, long newRecoveryNs) {
        watchdogNs = newWatchdogNs;
        recoveryNs = newRecoveryNs;
        return this;
    }

    /** Has all switches choose among equal paths by the same hash, which then are no choices of their own. */
    public SwitchSettings sameHash(boolean value) {
        sameHash = value;
        return this;
    }
}
