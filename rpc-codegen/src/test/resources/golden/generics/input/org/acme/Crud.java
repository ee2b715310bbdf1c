package org.acme;

import java.util.List;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcMethod;

/** Reads and writes entities of any type. */
public interface Crud<K, T> {

    @Nullable
    T get(K key);

    @RpcMethod(deadline = "250us")
    void put(K key, T value);

    List<T> all();

    Page<T> page(int number);

    /** Stays local. */
    default T require(K key) {
        T found = get(key);
        if (found == null) {
            throw new IllegalArgumentException("no entity of key=" + key);
        }
        return found;
    }
}
