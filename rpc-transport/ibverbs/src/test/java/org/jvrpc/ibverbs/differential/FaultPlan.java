package org.jvrpc.ibverbs.differential;

import java.util.Map;

/**
 * What becomes of packets: of named ones, or of all by a seed. Equal plans say the same of equal names.
 *
 * @param named packets with fates of their own
 * @param chance by the seed, that a packet does not just arrive
 */
record FaultPlan(Map<PacketName, Fate> named, long seed, double chance) {

    /** What is sent again more often arrives: nothing is given up. */
    private static final int TIMES = 2;
    private static final double UNIT = 0x1p-53;

    static FaultPlan none() {
        return new FaultPlan(Map.of(), 0, 0);
    }

    static FaultPlan one(PacketName name, Fate fate) {
        return new FaultPlan(Map.of(name, fate), 0, 0);
    }

    static FaultPlan bySeed(long seed, double chance) {
        return new FaultPlan(Map.of(), seed, chance);
    }

    boolean isBySeed() {
        return chance > 0;
    }

    Fate fate(PacketName name) {
        Fate fate = named.get(name);
        if (fate != null) {
            return fate;
        }
        long bits = bits(name);
        if (name.time() > TIMES || (bits >>> 11) * UNIT >= chance) {
            return Fate.ARRIVES;
        }
        return Fate.values()[1 + (int) ((bits & 0x7ff) % (Fate.values().length - 1))];
    }

    /** Returns bits that chance chose for a packet. */
    long bits(PacketName name) {
        long z = seed + 0x9e3779b97f4a7c15L * ((name.kind().ordinal() * 1024L + name.psn()) * 1024 + name.time());
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    @Override
    public String toString() {
        return isBySeed() ? "seed=" + seed : named.isEmpty() ? "none" : named.toString();
    }
}
