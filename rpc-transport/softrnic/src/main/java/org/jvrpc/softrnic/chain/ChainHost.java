package org.jvrpc.softrnic.chain;

import java.util.function.LongSupplier;
import org.jvrpc.softrnic.memory.AddressSpace;

/** What whoever runs chains knows of the devices of its host. Any thread. */
public interface ChainHost {

    /** Returns the memory of a device. @throws org.jvrpc.verbs.VerbsException when there is none of the name */
    AddressSpace arenaOf(String device);

    /** Returns what wakes all who wait on a device of this process; null for a device of another process. */
    Runnable wakerOf(String device);

    /** Returns the clock: monotonic, in nanoseconds. */
    LongSupplier clock();
}
