package org.jvrpc.softrnic.router;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.router.wire.SubmitRing;

/**
 * Whether the router will look at a submit ring without a frame that says so: because it looks there by itself, or
 * because it has yet to hear the last one. So a queue that is filled while the router has no time costs one frame, and
 * not one a WQE. The poster's.
 */
final class Heed {

    private final ByteBuffer memory;
    private final int ring;
    /** The router's word when it was told last; odd before that. */
    private int toldAt = 1;

    /** @param ring offset of the submit ring in its memory */
    Heed(ByteBuffer memory, int ring) {
        this.memory = memory;
        this.ring = ring;
    }

    /** Returns false when the router is to be told, which the caller does then: it is taken as done. */
    boolean isCertain() {
        int heed = SubmitRing.heed(memory, ring);
        if (SubmitRing.isHot(heed) || heed == toldAt) {
            return true;
        }
        toldAt = heed;
        return false;
    }
}
