package org.jvrpc.verbs;

/** Opens devices for addresses of one scheme. Found by {@link java.util.ServiceLoader}. */
public interface DeviceProvider {

    /** Returns the scheme, for instance {@code shm}. */
    String scheme();

    /** Opens a device of its own for the caller. @throws VerbsException when this host cannot */
    Device open();
}
