package org.jvrpc.watch.drift;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was found at earlier looks: since when each setting of each subject has been what it is. Kept in a file, which
 * is always a whole one: a new one takes the place of the old. A line each, with tabs between: first seen,
 * something else seen until (-1: never), last seen, all in wall clock milliseconds; kind, subject, key, value. What was
 * not seen for longest is forgotten when a file has no room for more, and not by the clock, which may jump. One thread.
 */
public final class Sightings {

    private static final String HEAD = "jvrpc-drift-state 1";
    private static final String TAIL = "end";
    private static final int COLUMNS = 7;
    private static final int MOST_BYTES = 64 << 20;

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
    /** Those that this object was told of. */
    private final Set<Place> seenHere = new HashSet<>();

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
        if (!Files.exists(file)) {
            return made;
        }
        List<String> lines = text(file).lines().toList();
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

    private static String text(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": not a regular file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException(file + ": longer than " + MOST_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
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
        seenHere.add(place);
        return now;
    }

    /**
     * Writes a file of as many bytes at most as {@link #read} takes.
     *
     * @throws IOException when it cannot be written, or what was seen last is longer than that; the old one is there as
     *     it was then
     */
    public void write(Path file) throws IOException {
        write(file, MOST_BYTES);
    }

    void write(Path file, int mostBytes) throws IOException {
        String text = text(file, mostBytes);
        Path folder = file.toAbsolutePath().getParent();
        Path fresh = Files.createTempFile(folder, file.getFileName() + ".", ".new");
        try {
            Files.writeString(fresh, text, StandardCharsets.UTF_8);
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Returns what a file is to hold: as much as there is room for, of what was seen last. */
    private String text(Path file, int mostBytes) throws IOException {
        int left = mostBytes - HEAD.length() - TAIL.length() - 2;
        Map<Place, String> lines = new TreeMap<>();
        List<Map.Entry<Place, Seen>> latest = new ArrayList<>(all.entrySet());
        latest.sort(Comparator.comparing((Map.Entry<Place, Seen> entry) -> !seenHere.contains(entry.getKey()))
                .thenComparing(entry -> -entry.getValue().lastMs()));
        for (Map.Entry<Place, Seen> entry : latest) {
            String line = line(entry.getKey(), entry.getValue());
            left -= line.getBytes(StandardCharsets.UTF_8).length;
            if (left < 0 && seenHere.contains(entry.getKey())) {
                throw new IOException(file + ": what was found is longer than the " + mostBytes + " bytes of a state");
            }
            if (left < 0) {
                break;
            }
            lines.put(entry.getKey(), line);
        }
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        lines.values().forEach(text::append);
        return text.append(TAIL).append('\n').toString();
    }

    private static String line(Place place, Seen seen) {
        return seen.sinceMs() + "\t" + seen.otherMs() + "\t" + seen.lastMs() + "\t" + place.kind() + "\t"
                + quoted(place.subject()) + "\t" + quoted(place.key()) + "\t" + quoted(seen.value()) + "\n";
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
