package org.jvrpc.api.schema;

import java.util.List;
import java.util.Locale;

/**
 * A change between two versions of a service.
 *
 * @param service its name on the wire
 * @param methods those concerned, as {@code find(long)}; empty where the service is as a whole
 * @param text what changed, as a sentence
 */
public record Finding(Effect effect, String service, List<String> methods, String text) {

    public Finding {
        methods = List.copyOf(methods);
    }

    /** The effect of a change on peers of the old version. */
    public enum Effect {
        /** Both versions understand each other as before. */
        COMPATIBLE("compatible"),
        /** Calls of clients of the old version fail at servers of the new one. */
        BREAKS_OLD_CLIENTS("breaks old clients"),
        /** Calls fail, whichever side is of the old version. */
        BREAKS_OLD_PEERS("breaks old clients and old servers");

        private final String words;

        Effect(String words) {
            this.words = words;
        }

        public boolean breaks() {
            return this != COMPATIBLE;
        }

        /** Returns what a sentence calls it. */
        public String words() {
            return words;
        }

        /** Returns what JSON calls it. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the finding in one line. */
    @Override
    public String toString() {
        return effect.words() + ": " + service + ": " + text
                + (methods.isEmpty() ? "" : " (" + String.join(", ", methods) + ")");
    }
}
