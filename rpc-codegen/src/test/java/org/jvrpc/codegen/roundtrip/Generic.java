package org.jvrpc.codegen.roundtrip;

import java.util.List;

/** Inherited with its type arguments applied. */
public interface Generic<K, V> {

    @Nullable V get(K key);

    List<V> all(List<K> keys, V first);

    /** Stays local. */
    default String describe(K key) {
        return "local " + key;
    }
}
