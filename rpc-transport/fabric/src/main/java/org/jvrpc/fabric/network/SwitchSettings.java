package org.jvrpc.fabric.network;

import java.util.Arrays;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.roce.congestion.EcnMarking;

/** How a switch works. A switch copies what it is given: what is set later does not reach it. */
public final class SwitchSettings {

    private static final long SECOND_NS = 1_000_000_000;
    /** What {@link Switch#apply} changes, as it is called in {@link #describe}; of ECN and lanes, all keys. */
    private static final String LIVE = "alpha|fixedBytes|hysteresisBytes|lane\\..*|ecn.*";

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

    /** Sets the lane of a service level; both are 0 to 7. */
    public SwitchSettings lane(int serviceLevel, int lane) {
        if (serviceLevel < 0 || serviceLevel >= lanes.length || lane < 0 || lane >= Pause.PRIORITIES) {
            throw new IllegalArgumentException("serviceLevel=" + serviceLevel + " lane=" + lane);
        }
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

    /** Returns the same, which others may change. */
    public SwitchSettings copy() {
        SwitchSettings copy = new SwitchSettings();
        System.arraycopy(lanes, 0, copy.lanes, 0, lanes.length);
        System.arraycopy(weights, 0, copy.weights, 0, weights.length);
        return copy.buffer(buffer).lossless(lossless).scheduling(amongLanes, amongPorts).marking(marking)
                .pauses(quanta, reactionNs).timeouts(macTimeoutNs, arpTimeoutNs).dropsIncomplete(dropsIncomplete)
                .watchdog(watchdogNs, recoveryNs).sameHash(sameHash);
    }

    /**
     * Returns all of it by name, as text: numbers in decimal, units at the end of names, {@code lossless} as a list of
     * lanes ({@code 3,5}, or {@code none}). {@code lane.3} is the lane of service level 3. The values of ECN are there
     * when {@code ecn} is {@code on}.
     */
    public SortedMap<String, String> describe() {
        SortedMap<String, String> all = new TreeMap<>();
        all.put("alpha", Double.toString(buffer.alpha()));
        all.put("fixedBytes", Long.toString(buffer.fixedBytes()));
        all.put("totalBytes", Long.toString(buffer.totalBytes()));
        all.put("reservedBytes", Integer.toString(buffer.reservedBytes()));
        all.put("headroomBytes", Integer.toString(buffer.headroomBytes()));
        all.put("hysteresisBytes", Integer.toString(buffer.hysteresisBytes()));
        all.put("lossless", bits(lossless));
        for (int i = 0; i < Pause.PRIORITIES; i++) {
            all.put("lane." + i, Integer.toString(lanes[i]));
            all.put("weightBytes." + i, Integer.toString(weights[i]));
        }
        all.put("scheduling.lanes", amongLanes.name().toLowerCase(Locale.ROOT));
        all.put("scheduling.ports", amongPorts.name().toLowerCase(Locale.ROOT));
        all.put("ecn", marking == null ? "off" : "on");
        if (marking != null) {
            all.put("ecn.kminBytes", Long.toString(marking.kminBytes()));
            all.put("ecn.kmaxBytes", Long.toString(marking.kmaxBytes()));
            all.put("ecn.pmax", Double.toString(marking.pmax()));
        }
        all.put("pauseQuanta", Integer.toString(quanta));
        all.put("pauseReactionNs", Long.toString(reactionNs));
        all.put("macTimeoutNs", Long.toString(macTimeoutNs));
        all.put("arpTimeoutNs", Long.toString(arpTimeoutNs));
        all.put("dropsIncomplete", Boolean.toString(dropsIncomplete));
        all.put("watchdogNs", Long.toString(watchdogNs));
        all.put("recoveryNs", Long.toString(recoveryNs));
        all.put("sameHash", Boolean.toString(sameHash));
        return all;
    }

    private static String bits(int set) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < Pause.PRIORITIES; i++) {
            if ((set >> i & 1) != 0) {
                list.append(list.length() == 0 ? "" : ",").append(i);
            }
        }
        return list.length() == 0 ? "none" : list.toString();
    }

    /**
     * Checks that these can take the place of others while a switch runs.
     *
     * @throws IllegalArgumentException names what cannot, and both values
     */
    void checkLive(SwitchSettings before) {
        SortedMap<String, String> has = before.describe();
        describe().forEach((key, wanted) -> {
            if (!key.matches(LIVE) && !wanted.equals(has.get(key))) {
                throw new IllegalArgumentException(
                        "fixed when the switch was made: " + key + " has=" + has.get(key) + " wanted=" + wanted);
            }
        });
    }
}
