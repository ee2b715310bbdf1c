package org.jvrpc.router;

import org.jvrpc.softrnic.memory.Slab;

/** What is known of the memory behind tenants' slabs; asked when some is not there. Does not wait. Any thread. */
@FunctionalInterface
public interface Backing {

    /** Tells whether a slab's file is as long as what is mapped: not when its tenant has cut it. */
    boolean isWhole(Slab slab);

    /**
     * Tells whether a slab's file may have more memory: not when its tenant has a file system of its own, which is
     * full. Who gives memory of a file back without cutting it and fills the file system is found by that.
     */
    default boolean hasRoom(Slab slab) {
        return true;
    }
}
