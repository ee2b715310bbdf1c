package org.jvrpc.runtime.sim.device;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Arrays for the memory of simulated processes, all zeros. A world uses none of them twice; when it is over, the next
 * world of the same thread does, which has those bytes alone to write zeros to that anybody had a look at.
 */
final class SparePages {

    /** Of arrays that are kept: regions that bodies are cut from. Others are short. */
    private static final int BYTES = 1 << 20;
    private static final int MOST_KEPT = 64;
    private static final ThreadLocal<Deque<byte[]>> SPARE = ThreadLocal.withInitial(ArrayDeque::new);

    private final Deque<byte[]> spare;
    private final List<SimMemory> used = new ArrayList<>();

    /** Made by the thread that runs the world, which is not a simulated one. */
    SparePages() {
        this.spare = SPARE.get();
    }

    byte[] take(int length) {
        byte[] array = length == BYTES ? spare.poll() : null;
        return array == null ? new byte[length] : array;
    }

    /** Gives the array of a region back when the world is over. */
    void keep(SimMemory region, int length) {
        if (length == BYTES) {
            used.add(region);
        }
    }

    /** The world is over. */
    void close() {
        for (SimMemory region : used) {
            byte[] array = region.array();
            Arrays.fill(array, region.firstUsed(), region.endUsed(), (byte) 0);
            if (spare.size() < MOST_KEPT) {
                spare.add(array);
            }
        }
        used.clear();
    }
}
