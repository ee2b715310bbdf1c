package org.jvrpc.verbs;

/**
 * What a host has, or could have.
 *
 * @param name of the device, for people and for addresses that name one
 * @param scheme of addresses that open it, for instance {@code shm}
 * @param state {@link #READY}, or why it cannot be used and what helps, in one line
 */
public record DeviceInfo(String name, String scheme, String state) {

    /** The state of a device that can be opened. */
    public static final String READY = "ready";

    /** Returns true when the device can be opened. */
    public boolean isReady() {
        return READY.equals(state);
    }
}
