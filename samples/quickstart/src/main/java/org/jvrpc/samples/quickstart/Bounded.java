package org.jvrpc.samples.quickstart;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A map that forgets the entry that was not asked for the longest. Not for several threads at once. */
final class Bounded<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int limit;
    private final transient Consumer<V> forgotten;

    /** Makes an empty one of at most {@code limit} entries; {@code forgotten} is told what leaves. */
    Bounded(int limit, Consumer<V> forgotten) {
        super(16, 0.75f, true);
        this.limit = limit;
        this.forgotten = forgotten;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        if (size() <= limit) {
            return false;
        }
        forgotten.accept(eldest.getValue());
        return true;
    }
}
