package org.jvrpc.softrnic.roce;

/** Closes with a device what was made by it. Any thread. */
public interface Keeper {

    /** Has something closed with the device. @throws org.jvrpc.verbs.VerbsException when that is closed already */
    <C extends AutoCloseable> C keep(C child);

    /** Ends {@link #keep}. */
    void forget(AutoCloseable child);
}
