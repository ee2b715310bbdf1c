package org.jvrpc.watch.agent;

import java.util.Arrays;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.probe.ReplayWindow;

/** Another agent: as one that is probed, and as one that probes. One thread. */
final class Peer {

    /** Answers at once after a quiet time. */
    private static final double BURST = 32;

    final AgentInfo info;
    /** Of the transport; below 0 when the address is none, or the registry has it no more. */
    int handle;
    /** Of its probes. */
    final ReplayWindow window = new ReplayWindow();

    private final double answersPerSecond;
    private double answers = BURST;
    private long answeredNs;
    /** By number, as many as were sent, up to a bound. */
    private Probe[] recent = new Probe[4];
    private final int most;
    private final long before;
    private long sequence;
    /** A probe that says where an earlier one was lost is under way, or about to be. */
    boolean followed;

    /**
     * Makes one.
     *
     * @param before all its sequence numbers are higher
     * @param recent how many probes are remembered, a power of two
     */
    Peer(AgentInfo info, int handle, double answersPerSecond, long before, int recent) {
        this.info = info;
        this.handle = handle;
        this.answersPerSecond = answersPerSecond;
        this.before = before;
        this.sequence = before;
        this.most = recent;
    }

    boolean isUsable() {
        return handle >= 0;
    }

    /** Tells whether this is the agent of a newer entry. */
    boolean is(AgentInfo other) {
        return info.incarnation() == other.incarnation() && info.version() == other.version()
                && Arrays.equals(info.address(), other.address()) && info.rack().equals(other.rack())
                && info.pod().equals(other.pod()) && info.name().equals(other.name());
    }

    /** Tells whether it may be answered once more now. */
    boolean mayAnswer(long nowNs) {
        answers = Math.min(BURST, answers + Math.max(0, nowNs - answeredNs) * answersPerSecond / 1e9);
        answeredNs = nowNs;
        if (answers < 1) {
            return false;
        }
        answers--;
        return true;
    }

    /** Tells whether a number is one of its probes, not of an agent's that was there before it. */
    boolean has(long number) {
        return number > before && number <= sequence;
    }

    long nextSequence() {
        return ++sequence;
    }

    long sequence() {
        return sequence;
    }

    void remember(Probe probe) {
        if (recent[(int) probe.sequence & recent.length - 1] != null && recent.length < most) {
            Probe[] before = recent;
            recent = new Probe[2 * before.length];
            for (Probe each : before) {
                if (each != null) {
                    recent[(int) each.sequence & recent.length - 1] = each;
                }
            }
        }
        recent[(int) probe.sequence & recent.length - 1] = probe;
    }

    /** Returns the probe with a number, or null. */
    Probe find(long number) {
        Probe probe = recent[(int) number & recent.length - 1];
        return probe != null && probe.sequence == number ? probe : null;
    }
}
