package org.jvrpc.watch.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The keys of a mesh, the first of which is written by. A file of them has a line each, {@code id:hex}; empty lines and
 * those that begin with # do not count. To change the key: add the new one as second everywhere, then make it the first
 * everywhere, then take the old one out. Immutable; any thread.
 */
public final class ProbeKeys {

    /** Bytes of the shortest key. */
    public static final int LEAST_BYTES = 16;
    /** Bytes of the longest key. */
    public static final int MOST_BYTES = 64;
    /** The most keys at a time. */
    public static final int MOST = 2;

    private static final int MOST_FILE_BYTES = 4096;

    private record Key(int id, byte[] bytes) { }

    private final List<Key> keys;

    private ProbeKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Makes one of a single key. @param id 0 to 65,535 */
    public static ProbeKeys of(int id, byte[] key) {
        return new ProbeKeys(List.of(checked(id, key.clone(), "key")));
    }

    /** Returns these keys and another one, which is taken but not written by. */
    public ProbeKeys and(int id, byte[] key) {
        List<Key> more = new ArrayList<>(keys);
        more.add(checked(id, key.clone(), "key"));
        return checked(more, "keys");
    }

    /** Reads a file. @throws IOException when it cannot be read or is no such file: says which line */
    public static ProbeKeys read(Path file) throws IOException {
        if (Files.size(file) > MOST_FILE_BYTES) {
            throw new IOException(file + " is no file of keys: it has " + Files.size(file) + " bytes, at most "
                    + MOST_FILE_BYTES + " are read");
        }
        List<Key> keys = new ArrayList<>();
        String[] lines = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\\R", -1);
        try {
            for (int i = 0; i < lines.length; i++) {
                String line = lines[i].strip();
                if (!line.isEmpty() && line.charAt(0) != '#') {
                    keys.add(parse(line, file + ", line " + (i + 1)));
                }
            }
            return checked(keys, file.toString());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Key parse(String line, String where) {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(where + ": a key is id:hex, for instance 1:" + "00".repeat(2) + "...");
        }
        int id;
        byte[] bytes;
        try {
            id = Integer.parseInt(line.substring(0, colon).strip());
            bytes = HexFormat.of().parseHex(line.substring(colon + 1).strip());
        } catch (IllegalArgumentException e) { // its message may have the key
            throw new IllegalArgumentException(where + ": a key is id:hex, and this is not");
        }
        return checked(id, bytes, where);
    }

    private static Key checked(int id, byte[] bytes, String where) {
        if (id < 0 || id > 0xffff) {
            throw new IllegalArgumentException(where + ": id must be 0 to 65535, id=" + id);
        }
        if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException(where + ": a key has " + LEAST_BYTES + " to " + MOST_BYTES
                    + " bytes, key " + id + " has " + bytes.length);
        }
        return new Key(id, bytes);
    }

    private static ProbeKeys checked(List<Key> keys, String where) {
        if (keys.isEmpty() || keys.size() > MOST) {
            throw new IllegalArgumentException(where + ": one or " + MOST + " keys are wanted, there are "
                    + keys.size());
        }
        if (keys.stream().map(Key::id).distinct().count() < keys.size()) {
            throw new IllegalArgumentException(where + ": two keys have id=" + keys.get(0).id());
        }
        return new ProbeKeys(keys);
    }

    int count() {
        return keys.size();
    }

    byte[] key(int index) {
        return keys.get(index).bytes();
    }

    int id(int index) {
        return keys.get(index).id();
    }

    /** Returns the index of a key, or -1. */
    int find(int id) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).id() == id) {
                return i;
            }
        }
        return -1;
    }
}
