package org.jvrpc.watch.drift;

/**
 * A setting as it was found. One that cannot be read is named, and is no value.
 *
 * @param value as the system tells it; {@code none} where there is none; without meaning when there is a refusal
 * @param refusal why it cannot be read; null when it was
 */
public record Setting(String value, String refusal) {

    /** Returns one that was read. */
    public static Setting of(String value) {
        return new Setting(value, null);
    }

    /** Returns one that cannot be read. */
    public static Setting refused(String why) {
        return new Setting(null, why);
    }
}
