package org.jvrpc.watch.drift;

/**
 * A setting that is not what it should be.
 *
 * @param desired as people read it, as {@code found}
 * @param sinceMs when it was first seen to be what it is
 * @param notBeforeMs when it was last seen to be something else; -1: never, so that it may have been so for long
 * @param remedy what would be done about it
 */
public record Difference(ConfigurationSource.Kind kind, String subject, String key, String desired, String found,
        long sinceMs, long notBeforeMs, String remedy) {

    /** Returns true when {@link #sinceMs} is a bound alone: it was so when it was first looked at. */
    public boolean sinceIsBound() {
        return notBeforeMs < 0;
    }
}
