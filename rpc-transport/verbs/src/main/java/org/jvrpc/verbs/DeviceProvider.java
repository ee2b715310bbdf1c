package org.jvrpc.verbs;

import java.util.List;

/** Opens devices for addresses of one scheme. Found by {@link java.util.ServiceLoader}. */
public interface DeviceProvider {

    /** Returns the scheme, for instance {@code shm}. */
    String scheme();

    /** Opens a device of its own for the caller. @throws VerbsException when this host cannot */
    Device open();

    /**
     * Opens a device of its own for the caller: the one that an address names, where there are several.
     *
     * @param address of this scheme
     * @throws VerbsException when this host cannot, or the address makes no sense
     */
    default Device open(String address) {
        return open();
    }

    /**
     * Returns the devices of this scheme that the host has. Never throws for a missing library, right or device: an
     * entry's state tells what is missing.
     */
    default List<DeviceInfo> list() {
        return List.of();
    }
}
