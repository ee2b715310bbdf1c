package org.jvrpc.tools.host;

/**
 * What one check found.
 *
 * @param area what it matters to
 * @param check its name
 * @param mark how it ended
 * @param text what is there, or the cause; one line
 * @param cure what helps, one line; empty when nothing need be done
 */
public record Finding(Area area, String check, Mark mark, String text, String cure) {

    /** As it should be. */
    public static Finding ok(Area area, String check, String text) {
        return new Finding(area, check, Mark.OK, text, "");
    }

    /** Good to know. */
    public static Finding note(Area area, String check, String text, String cure) {
        return new Finding(area, check, Mark.NOTE, text, cure);
    }

    /** A limit. */
    public static Finding warn(Area area, String check, String text, String cure) {
        return new Finding(area, check, Mark.WARN, text, cure);
    }

    /** Does not work. */
    public static Finding fail(Area area, String check, String text, String cure) {
        return new Finding(area, check, Mark.FAIL, text, cure);
    }

    /** Returns true when something does not work. */
    public boolean failed() {
        return mark == Mark.FAIL;
    }
}
