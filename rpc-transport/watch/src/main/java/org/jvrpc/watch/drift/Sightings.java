package org.jvrpc.watch.drift;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was found at earlier looks: since when each setting of each subject has been what it is. Kept in a file, which
 * is always a whole one: a new one takes the place of the old. A line each, with tabs between: first seen,
 * something else seen until (-1: never), last seen, all in wall clock milliseconds; kind, subject, key, value. One
 * thread.
 */
public final class Sightings {

    private static final String HEAD = "jvrpc-drift-state 1";
    private static final String TAIL = "end";
    private static final int COLUMNS = 7;
    private static final long MOST_BYTES = 64L << 20;
    private static final long FORGET_MS = 90L * 24 * 3600 * 1000;

    /**
     * What was seen of a setting.
     *
     * @param sinceMs when it was first seen to be so
     * @param otherMs when it was last seen to be something else; -1: never
     */
    record Seen(String value, long sinceMs, long otherMs, long lastMs) {
    }

    /** Whose setting. */
    private record Place(ConfigurationSource.Kind kind, String subject, String key) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            int by = kind.compareTo(other.kind);
            by = by == 0 ? subject.compareTo(other.subject) : by;
            return by == 0 ? key.compareTo(other.key) : by;
        }
    }

    private final Map<Place, Seen> all = new TreeMap<>();

    /** Remembers nothing. */
    public Sightings() {
    }

    /**
     * Reads a file; one that is not there remembers nothing.
     *
     * @throws IOException when it cannot be read, or is no whole state: the message says where
     */
    public static Sightings read(Path file) throws IOException {
        Sightings made = new Sightings();
        List<String> lines;
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(file + ": longer than " + MOST_BYTES + " bytes");
            }
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return made;
        }
        int last = lines.size() - 1;
        if (last < 1 || !lines.get(0).equals(HEAD) || !lines.get(last).equals(TAIL)) {
            throw new IOException(file + ": no state of jvrpc drift, or not a whole one; first line should be '" + HEAD
                    + "', last '" + TAIL + "'");
        }
        for (int i = 1; i < last; i++) {
            try {
                made.take(lines.get(i));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + (i + 1) + ": no line of such a state: " + e.getMessage(), e);
            }
        }
        return made;
    }

    private void take(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length != COLUMNS) {
            throw new IllegalArgumentException("columns=" + parts.length);
        }
        all.put(new Place(ConfigurationSource.Kind.valueOf(parts[3]), plain(parts[4]), plain(parts[5])),
                new Seen(plain(parts[6]), Long.parseLong(parts[0]), Long.parseLong(parts[1]),
                        Long.parseLong(parts[2])));
    }

    /** A setting was found. Returns since when it has been so. A clock that went back moves no time back. */
    Seen see(ConfigurationSource.Kind kind, String subject, String key, String value, long nowMs) {
        Place place = new Place(kind, subject, key);
        Seen before = all.get(place);
        long lastMs = before == null ? nowMs : Math.max(nowMs, before.lastMs());
        Seen now = before == null ? new Seen(value, nowMs, -1, nowMs)
                : before.value().equals(value) ? new Seen(value, before.sinceMs(), before.otherMs(), lastMs)
                : new Seen(value, lastMs, before.lastMs(), lastMs);
        all.put(place, now);
        return now;
    }

    /**
     * Writes a file. What nobody saw for 90 days before is left out.
     *
     * @throws IOException when it cannot be written; the old one is there as it was then
     */
    public void write(Path file, long nowMs) throws IOException {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        all.forEach((place, seen) -> {
            if (seen.lastMs() >= nowMs - FORGET_MS) {
                text.append(seen.sinceMs()).append('\t').append(seen.otherMs()).append('\t').append(seen.lastMs())
                        .append('\t').append(place.kind()).append('\t').append(quoted(place.subject())).append('\t')
                        .append(quoted(place.key())).append('\t').append(quoted(seen.value())).append('\n');
            }
        });
        Path folder = file.toAbsolutePath().getParent();
        Path fresh = Files.createTempFile(folder, file.getFileName() + ".", ".new");
        try {
            Files.writeString(fresh, text.append(TAIL).append('\n'), StandardCharsets.UTF_8);
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                plain.append(next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next);
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
