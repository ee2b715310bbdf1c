package org.jvrpc.offload.wr;

import org.jvrpc.mlx5.Wqe;

/** Does nothing, in as many blocks as wanted. */
public final class NopRequest extends WorkRequest {

    private final int segments;
    private final boolean pad;

    /** @param pad true when it fills up a ring */
    NopRequest(int segments, boolean pad) {
        if (segments < 1 || segments > Wqe.MAX_SEGMENTS) {
            throw new IllegalArgumentException("segments must be 1 to " + Wqe.MAX_SEGMENTS + ", segments=" + segments);
        }
        this.segments = segments;
        this.pad = pad;
    }

    /** Returns whether it only fills up the ring of a recycled program. */
    public boolean isPad() {
        return pad;
    }

    @Override
    public int opcode() {
        return Wqe.NOP;
    }

    @Override
    public Kind kind() {
        return Kind.OTHER;
    }

    @Override
    public int segments() {
        return segments;
    }

    @Override
    void encode(long[] words) {
        // there is nothing after the ctrl segment
    }

    @Override
    public String operands() {
        return segments == 1 ? "" : "ds=" + segments;
    }
}
