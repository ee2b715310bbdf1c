package org.jvrpc.api;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.auth.CallCredentials;

/**
 * Names and values that travel beside the arguments of a call. Names are lower-case and may repeat. Mutable, for
 * one thread.
 */
public final class Metadata {

    /** The longest name or value on the wire, in bytes of UTF-8. */
    public static final int MAX_ENTRY_BYTES = 1024;

    /** The ending of names of binary values. */
    public static final String BINARY_SUFFIX = "-bin";
    /** The longest binary value, in bytes: it travels as text, by the alphabet of base64. */
    public static final int MAX_BINARY_BYTES = MAX_ENTRY_BYTES / 4 * 3;

    private final List<String> entries = new ArrayList<>();

    /** Adds a value under a name. */
    public Metadata put(String name, String value) {
        entries.add(Objects.requireNonNull(name, "name").toLowerCase(Locale.ROOT));
        entries.add(Objects.requireNonNull(value, () -> "value of metadata name=" + name));
        return this;
    }

    /**
     * Adds bytes under a name, as text in base64.
     *
     * @param name ends with {@value #BINARY_SUFFIX}
     * @param value up to {@value #MAX_BINARY_BYTES} bytes
     */
    public Metadata putBinary(String name, byte[] value) {
        checkBinary(name);
        if (value.length > MAX_BINARY_BYTES) {
            throw new IllegalArgumentException("binary metadata is too long: name=" + name + " bytes=" + value.length
                    + " limit=" + MAX_BINARY_BYTES);
        }
        return put(name, Base64.getEncoder().encodeToString(value));
    }

    private static void checkBinary(String name) {
        if (!name.toLowerCase(Locale.ROOT).endsWith(BINARY_SUFFIX)) {
            throw new IllegalArgumentException("names of binary values end with " + BINARY_SUFFIX + ", name=" + name);
        }
    }

    /**
     * Returns the bytes of the last value under a name that ends with {@value #BINARY_SUFFIX}, or null.
     *
     * @throws RpcException INVALID_ARGUMENT when the peer's value is no base64
     */
    public byte @Nullable [] getBinary(String name) {
        checkBinary(name);
        String text = get(name);
        try {
            return text == null ? null : Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new RpcException(Status.INVALID_ARGUMENT, "binary metadata is no base64: name=" + name, e);
        }
    }

    /** Returns the last value under a name, or null. */
    public @Nullable String get(String name) {
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
