package org.jvrpc.runtime.session;

/**
 * The versions of a protocol that one side speaks, from the lowest to the highest. Two sides use the highest that both
 * speak, so that either may be renewed first.
 */
public record Versions(int lowest, int highest) {

    /** No version that both sides speak. */
    static final int NONE = -1;

    /** Returns the highest version that both sides speak, or {@link #NONE}. */
    int common(Versions other) {
        int version = Math.min(highest, other.highest);
        return version >= lowest && version >= other.lowest ? version : NONE;
    }

    @Override
    public String toString() {
        return lowest == highest ? Integer.toString(highest) : lowest + " to " + highest;
    }
}
