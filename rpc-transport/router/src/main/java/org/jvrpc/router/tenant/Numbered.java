package org.jvrpc.router.tenant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;

/**
 * Objects of one kind of one device, by their numbers: a number that another device has means nothing here. Any thread.
 *
 * @param <T> what the objects are to the router
 */
public final class Numbered<T> {

    private final Quotas quotas;
    private final QuotaKind kind;
    private final Map<Integer, T> objects = new HashMap<>();

    Numbered(Quotas quotas, QuotaKind kind) {
        this.quotas = quotas;
        this.kind = kind;
    }

    /**
     * Adds an object, on its tenant's quota.
     *
     * @throws RefusedException QUOTA; BAD_FRAME: its number is taken
     */
    public synchronized void add(int number, T object) {
        if (objects.containsKey(number)) {
            throw new RefusedException(Refusal.BAD_FRAME, kind + " number=" + number + " is taken");
        }
        quotas.take(kind, 1);
        objects.put(number, object);
    }

    /** Returns an object. @throws RefusedException NOT_YOURS: this device has none of this number */
    public synchronized T get(int number) {
        T object = objects.get(number);
        if (object == null) {
            throw new RefusedException(Refusal.NOT_YOURS, kind + " number=" + number + ": this device has none");
        }
        return object;
    }

    /** As {@link #get}, but null for none. */
    public synchronized T find(int number) {
        return objects.get(number);
    }

    /** Removes an object. @return null: there was none */
    public synchronized T remove(int number) {
        T object = objects.remove(number);
        if (object != null) {
            quotas.give(kind, 1);
        }
        return object;
    }

    /** Returns all of them now. */
    public synchronized List<T> all() {
        return new ArrayList<>(objects.values());
    }

    /** Removes all. @return what there was */
    public synchronized List<T> clear() {
        List<T> all = all();
        objects.clear();
        quotas.give(kind, all.size());
        return all;
    }
}
