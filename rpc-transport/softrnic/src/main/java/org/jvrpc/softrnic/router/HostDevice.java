package org.jvrpc.softrnic.router;

import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jvrpc.softrnic.memory.Arena;

/** The device of this process that a host attaches. Any thread. */
public interface HostDevice {

    /** Returns its folder in the tenant's; its name is the device's. */
    Path folder();

    Arena arena();

    /** Monotonic, in nanoseconds. */
    LongSupplier clock();

    /** Has something closed with the device. @throws org.jvrpc.verbs.VerbsException when that is closed already */
    <C extends AutoCloseable> C keep(C child);

    /** Ends {@link #keep}. */
    void forget(AutoCloseable child);
}
