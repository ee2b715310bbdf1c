package org.jvrpc.softrnic.roce.ring;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The QPs of a node by their numbers. A look-up takes no lock and makes no garbage, as each packet has one. Any thread.
 *
 * @param <T> what is found
 */
public final class QpnTable<T> {

    /** Of one bucket; never changed. */
    private record Entry<T>(int qpn, T value, Entry<T> next) {
    }

    private static final int LEAST = 16;

    private volatile AtomicReferenceArray<Entry<T>> buckets = new AtomicReferenceArray<>(LEAST);
    /** Guarded by this. */
    private int size;

    private static int bucket(int qpn, int count) {
        return qpn & count - 1; // numbers are drawn at random
    }

    /** Returns what has a number; null for none. */
    public T find(int qpn) {
        AtomicReferenceArray<Entry<T>> known = buckets;
        for (Entry<T> entry = known.get(bucket(qpn, known.length())); entry != null; entry = entry.next) {
            if (entry.qpn == qpn) {
                return entry.value;
            }
        }
        return null;
    }

    /** Adds one, in the place of what had the number. */
    public synchronized void put(int qpn, T value) {
        remove(qpn);
        if (size == buckets.length()) {
            grow();
        }
        push(buckets, qpn, value);
        size++;
    }

    private static <T> void push(AtomicReferenceArray<Entry<T>> to, int qpn, T value) {
        int bucket = bucket(qpn, to.length());
        to.set(bucket, new Entry<>(qpn, value, to.get(bucket)));
    }

    private void grow() {
        AtomicReferenceArray<Entry<T>> more = new AtomicReferenceArray<>(2 * buckets.length());
        for (int i = 0; i < buckets.length(); i++) {
            for (Entry<T> entry = buckets.get(i); entry != null; entry = entry.next) {
                push(more, entry.qpn, entry.value);
            }
        }
        buckets = more;
    }

    /** Removes what has a number; returns false where nobody has. */
    public synchronized boolean remove(int qpn) {
        int bucket = bucket(qpn, buckets.length());
        Entry<T> kept = null;
        boolean found = false;
        for (Entry<T> entry = buckets.get(bucket); entry != null; entry = entry.next) {
            if (entry.qpn == qpn) {
                found = true;
            } else {
                kept = new Entry<>(entry.qpn, entry.value, kept);
            }
        }
        if (found) {
            buckets.set(bucket, kept);
            size--;
        }
        return found;
    }

    /** Has each looked at that is there throughout. */
    public void forEach(Consumer<? super T> action) {
        AtomicReferenceArray<Entry<T>> known = buckets;
        for (int i = 0; i < known.length(); i++) {
            for (Entry<T> entry = known.get(i); entry != null; entry = entry.next) {
                action.accept(entry.value);
            }
        }
    }
}
