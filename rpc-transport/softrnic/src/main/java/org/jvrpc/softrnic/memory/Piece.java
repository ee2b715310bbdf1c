package org.jvrpc.softrnic.memory;

/** Memory that was allocated in a device's address space. */
public interface Piece {

    /** Returns the slab that holds it. */
    Slab slab();

    /** Returns where it begins. */
    long address();
}
