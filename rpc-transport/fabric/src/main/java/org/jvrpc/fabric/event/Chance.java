package org.jvrpc.fabric.event;

/**
 * Seeded random numbers. What takes numbers of its own takes them from a {@link #fork}, so that one device more does
 * not change what befalls the others. Source: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
 */
public final class Chance {

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final double UNIT = 0x1p-53;

    private final long seed;
    private long state;

    public Chance(long seed) {
        this.seed = seed;
        state = seed;
    }

    /** Returns a well mixed number. */
    public static long mix(long number) {
        long mixed = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Returns another source, by this one's seed and a number; this one stays where it is. */
    public Chance fork(long number) {
        return new Chance(mix(seed + mix(number + STEP)));
    }

    /** Returns 64 random bits. */
    public long bits() {
        state += STEP;
        return mix(state);
    }

    /** Returns a number from 0 on. */
    public int below(int bound) {
        return (int) ((bits() >>> 32) * bound >>> 32);
    }

    /** Returns true with a probability. */
    public boolean test(double probability) {
        return probability > 0 && (bits() >>> 11) * UNIT < probability;
    }
}
