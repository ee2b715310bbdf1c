package org.jvrpc.ibverbs.generic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.WorkLayouts.Sge;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.verbs.Access;

/**
 * The SGEs of the receives of a queue that are outstanding, by place: rxe says of a receive that failed neither whether
 * it was too short nor whether its memory was not to be touched. One thread posts, one polls.
 */
final class PostedSges {

    private final ByteBuffer copies;
    private final int[] counts;
    private final int maxSge;

    /**
     * @param places a power of two
     * @param maxSge SGEs of a receive at most
     */
    PostedSges(int places, int maxSge) {
        this.counts = new int[places];
        this.maxSge = maxSge;
        this.copies = ByteBuffer.allocate(places * maxSge * Sge.BYTES).order(ByteOrder.nativeOrder());
    }

    private int at(int place) {
        return (place & counts.length - 1) * maxSge * Sge.BYTES;
    }

    /** Notes the SGEs of a WR, before it is published with its place. */
    void note(int place, Chain chain, int wr) {
        counts[place & counts.length - 1] = chain.sgeCount(wr);
        chain.copySges(wr, copies, at(place));
    }

    /** Returns true when all SGEs at a place are memory that the device may write. */
    boolean mayScatter(int place, LkeyTable keys) {
        return keys.mayTouch(copies, at(place), counts[place & counts.length - 1], Access.LOCAL_WRITE);
    }
}
