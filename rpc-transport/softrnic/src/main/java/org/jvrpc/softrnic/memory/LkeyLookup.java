package org.jvrpc.softrnic.memory;

/** Finds the memory of data segments. */
public interface LkeyLookup {

    /** Returns the slab that holds a piece of a region, or null when the key is dead or lacks bytes or rights. */
    Slab slab(int lkey, int pd, long address, long length, int access);
}
