package org.jvrpc.watch.counters;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Unit;

/** Makes readings of text, which may be anything. */
final class Values {

    private static final int MOST_BYTES = 64;
    private static final int SHOWN = 40;

    private final boolean raw;

    /**
     * Begins.
     *
     * @param raw the driver's names and numbers, as they are; else the canonical ones
     */
    Values(boolean raw) {
        this.raw = raw;
    }

    String name(String driversName) {
        return raw ? driversName : CounterNames.canonical(driversName);
    }

    /** Reads the one number of a file. */
    Reading file(String device, int port, String driversName, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return text(device, port, driversName, new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Reading.refused(device, port, name(driversName), reason(e));
        }
    }

    /** Takes what should be a number. */
    Reading text(String device, int port, String driversName, String text) {
        String stripped = text.strip();
        try {
            return number(device, port, driversName, Long.parseUnsignedLong(stripped));
        } catch (NumberFormatException e) {
            return Reading.refused(device, port, name(driversName), stripped.isEmpty() ? "empty"
                    : "no number: " + shown(stripped));
        }
    }

    Reading number(String device, int port, String driversName, long value) {
        String name = CounterNames.canonical(driversName);
        int scale = CounterNames.scale(name);
        return raw ? Reading.of(device, port, driversName, value, scale > 1 ? Unit.COUNT : CounterNames.unit(name))
                : Reading.of(device, port, name, value * scale, CounterNames.unit(name));
    }

    /** Returns the beginning of a text, without what a terminal would obey. */
    static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}+", " ");
        return plain.length() <= SHOWN ? plain : plain.substring(0, SHOWN) + "...";
    }

    /** Returns why a file could not be read, in two words. */
    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof FileSystemException refused && refused.getReason() != null) {
            return refused.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : shown(e.getMessage());
    }
}
