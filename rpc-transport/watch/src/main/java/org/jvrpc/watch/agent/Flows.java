package org.jvrpc.watch.agent;

/**
 * Which flows a target is probed by. Where there are more than a target gets, it has some of its own, a fifth of which
 * is another after a while, so that in time each path is met. Any thread.
 */
final class Flows {

    private static final int PHASES = 5;

    private final int self;
    private final int total;
    private final int perTarget;
    private final long changeNs;

    Flows(int self, int total, int perTarget, long changeNs) {
        this.self = self;
        this.total = total;
        this.perTarget = Math.min(total, perTarget);
        this.changeNs = changeNs;
    }

    /** Returns how many a target has. */
    int perTarget() {
        return perTarget;
    }

    /** Returns the flow in a slot, 0 to {@link #perTarget()}-1. */
    int flow(int target, int slot, long nowNs) {
        if (total == perTarget) {
            return slot;
        }
        long generation = (Math.floorDiv(nowNs, changeNs) + slot % PHASES) / PHASES;
        return (int) Long.remainderUnsigned(mix(mix(mix((long) self << 32 | target & 0xffffffffL) + slot)
                + generation), total);
    }

    /** Source: the finalizer of SplitMix64. */
    static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
