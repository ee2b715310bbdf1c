package org.jvrpc.fabric.network;

/**
 * The memory of a switch, as counters of ingress lanes. A lane is a port and a priority; what it holds counts first as
 * its own, then as shared, then as headroom, and leaves in the opposite order.
 */
final class SharedBuffer {

    private BufferSettings settings;
    private final int lossless;
    private final long sharedBytes;
    private final long[] held;
    private final long[] headroom;
    private long sharedHeld;
    private long mostHeld;
    private long allHeld;

    /** For ports whose lanes that are bits of {@code lossless} have headroom. */
    SharedBuffer(BufferSettings settings, int ports, int lossless) {
        this.settings = settings;
        this.lossless = lossless;
        int lanes = Integer.bitCount(lossless & 0xff);
        sharedBytes = settings.totalBytes() - (long) ports * lanes
                * (settings.headroomBytes() + settings.reservedBytes());
        if (sharedBytes <= 0) {
            throw new IllegalArgumentException("nothing is left to share, ports=" + ports + " " + settings);
        }
        held = new long[ports * Pause.PRIORITIES];
        headroom = new long[ports * Pause.PRIORITIES];
    }

    static int lane(int port, int priority) {
        return port * Pause.PRIORITIES + priority;
    }

    private boolean isLossless(int lane) {
        return (lossless >> (lane & Pause.PRIORITIES - 1) & 1) != 0;
    }

    /**
     * Changes the bound of lanes while frames are stored: alpha, the fixed bound, the hysteresis.
     *
     * @throws IllegalArgumentException when memory would have to be divided anew
     */
    void apply(BufferSettings wanted) {
        if (wanted.totalBytes() != settings.totalBytes() || wanted.reservedBytes() != settings.reservedBytes()
                || wanted.headroomBytes() != settings.headroomBytes()) {
            throw new IllegalArgumentException("memory is divided once, has=" + settings + " wanted=" + wanted);
        }
        settings = wanted;
    }

    /** Returns what a lane may hold of what is shared, as long as nothing changes. */
    long threshold() {
        return settings.fixedBytes() > 0 ? settings.fixedBytes()
                : (long) (settings.alpha() * (sharedBytes - sharedHeld));
    }

    /** Takes memory for a frame; false when there is none for it. */
    boolean take(int lane, int bytes) {
        long share = Math.max(0, held[lane] + bytes - settings.reservedBytes());
        if (headroom[lane] == 0 && share <= threshold()
                && sharedHeld + share - shared(lane) <= sharedBytes) {
            sharedHeld += share - shared(lane);
            held[lane] += bytes;
        } else if (isLossless(lane) && headroom[lane] + bytes <= settings.headroomBytes()) {
            headroom[lane] += bytes;
        } else {
            return false;
        }
        allHeld += bytes;
        mostHeld = Math.max(mostHeld, allHeld);
        return true;
    }

    private long shared(int lane) {
        return Math.max(0, held[lane] - settings.reservedBytes());
    }

    /** Gives the memory of a frame back. */
    void give(int lane, int bytes) {
        long ofHeadroom = Math.min(headroom[lane], bytes);
        headroom[lane] -= ofHeadroom;
        long before = shared(lane);
        held[lane] -= bytes - ofHeadroom;
        sharedHeld -= before - shared(lane);
        allHeld -= bytes;
    }

    /** Returns true when a lane is to pause the other end. */
    boolean isOver(int lane) {
        return headroom[lane] > 0 || shared(lane) > threshold();
    }

    /** Returns true when a lane that paused the other end may let it send again. */
    boolean isUnder(int lane) {
        return headroom[lane] == 0
                && (shared(lane) == 0 || shared(lane) + settings.hysteresisBytes() <= threshold());
    }

    /** Returns what a lane holds, with its headroom. */
    long held(int lane) {
        return held[lane] + headroom[lane];
    }

    long allHeld() {
        return allHeld;
    }

    long mostHeld() {
        return mostHeld;
    }
}
