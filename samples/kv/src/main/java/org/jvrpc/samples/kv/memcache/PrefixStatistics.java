package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What "stats detail" counts while it is on: gets, hits, sets and deletes by what stands before a key's first colon.
 * Keys without one are not counted, as in memcached. Of at most {@link #MOST} prefixes; later ones are not counted. Any
 * thread.
 */
final class PrefixStatistics {

    /** So many prefixes at most, since clients choose them. */
    static final int MOST = 4096;

    private static final int GETS = 0;
    private static final int HITS = 1;
    private static final int SETS = 2;
    private static final int DELETES = 3;

    private final Map<String, long[]> counts = new LinkedHashMap<>();
    private volatile boolean on;

    void turn(boolean newOn) {
        on = newOn;
    }

    boolean isOn() {
        return on;
    }

    synchronized void clear() {
        counts.clear();
    }

    void get(ByteBuffer bytes, int offset, int length, boolean hit) {
        if (on) {
            count(bytes, offset, length, GETS, hit);
        }
    }

    void set(ByteBuffer bytes, int offset, int length) {
        if (on) {
            count(bytes, offset, length, SETS, false);
        }
    }

    void delete(ByteBuffer bytes, int offset, int length) {
        if (on) {
            count(bytes, offset, length, DELETES, false);
        }
    }

    private synchronized void count(ByteBuffer bytes, int offset, int length, int what, boolean hit) {
        int end = 0;
        while (end < length && bytes.get(offset + end) != ':') {
            end++;
        }
        if (end == length) {
            return;
        }
        byte[] prefix = new byte[end];
        bytes.get(offset, prefix);
        String name = new String(prefix, StandardCharsets.ISO_8859_1);
        long[] known = counts.get(name);
        if (known == null) {
            if (counts.size() == MOST) {
                return;
            }
            known = new long[4];
            counts.put(name, known);
        }
        known[what]++;
        if (hit) {
            known[HITS]++;
        }
    }

    /** Returns the lines of "stats detail dump", END included. */
    synchronized byte[] dump() {
        StringBuilder text = new StringBuilder();
        counts.forEach((prefix, of) -> text.append("PREFIX ").append(prefix).append(" get ").append(of[GETS])
                .append(" hit ").append(of[HITS]).append(" set ").append(of[SETS]).append(" del ").append(of[DELETES])
                .append("\r\n"));
        return text.append("END\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
