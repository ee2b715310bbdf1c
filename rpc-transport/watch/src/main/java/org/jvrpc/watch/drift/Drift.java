package org.jvrpc.watch.drift;

import java.util.List;

/**
 * What a look found.
 *
 * @param same settings that are what they should be
 * @param notes what was wanted of nobody
 */
public record Drift(List<Difference> differences, List<Unreadable> unreadable, int same, List<String> notes) {

    /** A setting that is wanted and could not be read. */
    public record Unreadable(ConfigurationSource.Kind kind, String subject, String key, String why) {
    }
}
