package org.jvrpc.watch;

/**
 * A counter as it was read. One that cannot be read is named, and is not 0.
 *
 * @param device as the system calls it
 * @param port from 1; 0: of the whole device
 * @param name as Linux calls it
 * @param value without meaning when there is a refusal
 * @param refusal why it cannot be read; null when it was
 */
public record Reading(String device, int port, String name, long value, Unit unit, String refusal) {

    /** Returns one that was read. */
    public static Reading of(String device, int port, String name, long value, Unit unit) {
        return new Reading(device, port, name, value, unit, null);
    }

    /** Returns one that cannot be read. */
    public static Reading refused(String device, int port, String name, String why) {
        return new Reading(device, port, name, 0, Unit.COUNT, why);
    }

    public boolean isReadable() {
        return refusal == null;
    }
}
