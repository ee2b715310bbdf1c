package org.jvrpc.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jvrpc.api.auth.CallCredentials;

/**
 * Names and values that travel beside the arguments of a call. Names are lower-case and may repeat. Mutable, for
 * one thread.
 */
public final class Metadata {

    /** The longest name or value on the wire, in bytes of UTF-8. */
    public static final int MAX_ENTRY_BYTES = 1024;

    private final List<String> entries = new ArrayList<>();

    /** Adds a value under a name. */
    public Metadata put(String name, String value) {
        entries.add(Objects.requireNonNull(name, "name").toLowerCase(Locale.ROOT));
        entries.add(Objects.requireNonNull(value, () -> "value of metadata name=" + name));
        return this;
    }

    /** Returns the last value under a name, or null. */
    public String get(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        for (int i = entries.size() - 2; i >= 0; i -= 2) {
            if (entries.get(i).equals(key)) {
                return entries.get(i + 1);
            }
        }
        return null;
    }

    /** Shows every name and value in the order they were put. */
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < entries.size(); i += 2) {
            action.accept(entries.get(i), entries.get(i + 1));
        }
    }

    /** Returns the number of entries. */
    public int size() {
        return entries.size() / 2;
    }

    /** Returns true when nothing was put. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Puts every entry of another. */
    public Metadata putAll(Metadata other) {
        entries.addAll(other.entries);
        return this;
    }

    /** Returns names and values, without what a caller shows to be known. */
    @Override
    public String toString() {
        List<String> shown = new ArrayList<>(entries);
        for (int i = 0; i < shown.size(); i += 2) {
            if (shown.get(i).equals(CallCredentials.NAME)) {
                shown.set(i + 1, "(not shown)");
            }
        }
        return shown.toString();
    }
}
