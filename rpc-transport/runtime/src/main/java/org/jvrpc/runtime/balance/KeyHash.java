package org.jvrpc.runtime.balance;

/** Hashes of 64 bits, the same in every process: clients agree which server has a key. Not for secrets. */
public final class KeyHash {

    /** Odd, and far from every pattern: steps by it visit all numbers evenly. */
    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private KeyHash() {
    }

    /** Returns the hash of a text. */
    public static long of(String text) {
        long hash = GOLDEN ^ text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash ^ text.charAt(i)) + GOLDEN;
        }
        return mix(hash);
    }

    /** Mixes all bits into all others, one to one. Source: the finalizer of SplitMix64, Stafford's variant 13. */
    public static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
