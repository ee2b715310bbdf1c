package org.jvrpc.watch.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The bodies made last of one path: each is made once, whoever asks, and the others wait for it. The oldest go when
 * they are too many or too long together. Any thread.
 */
final class SharedBodies {

    private record Made(Body body, long atNs) { }

    private final int most;
    private final long mostBytes;
    private final long freshNs;
    private final LongSupplier nowNs;
    private final Map<Object, Made> made = new LinkedHashMap<>();
    private long bytes;

    /**
     * Nothing is made yet.
     *
     * @param most how many
     * @param mostBytes of them together; the newest is kept even when it is longer
     * @param freshNs how long one is good; Long.MAX_VALUE: for ever
     * @param nowNs monotonic
     */
    SharedBodies(int most, long mostBytes, long freshNs, LongSupplier nowNs) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.freshNs = freshNs;
        this.nowNs = nowNs;
    }

    /** Returns the body of a key, made now unless there is a fresh one. Null from the maker is returned, not kept. */
    synchronized Body get(Object key, Supplier<Body> maker) {
        Made old = made.get(key);
        if (old != null && nowNs.getAsLong() - old.atNs < freshNs) {
            return old.body;
        }
        remove(key);
        Body body = maker.get();
        if (body == null) {
            return null;
        }
        made.put(key, new Made(body, nowNs.getAsLong()));
        bytes += body.length();
        while (made.size() > 1 && (made.size() > most || bytes > mostBytes)) {
            remove(made.keySet().iterator().next());
        }
        return body;
    }

    private void remove(Object key) {
        Made gone = made.remove(key);
        if (gone != null) {
            bytes -= gone.body.length();
        }
    }
}
