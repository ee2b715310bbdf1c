package org.jvrpc.softrnic.memory;

import java.util.Map;
import java.util.TreeMap;

/** Which parts of a slab of the arena are free. Under the arena's monitor. */
final class Room {

    private final Slab slab;
    /** Free ranges by where they begin, none next to another. */
    private final TreeMap<Long, Long> free = new TreeMap<>();
    /** From here on nothing was ever used: it is zero. */
    private long untouched;
    /** Pieces that their users have, and those that wait in quarantine. */
    private int inUse;
    private int waiting;
    private boolean shared;
    private boolean condemned;

    Room(Slab slab) {
        this.slab = slab;
        this.untouched = slab.base();
        free.put(slab.base(), slab.length());
    }

    Slab slab() {
        return slab;
    }

    /** Returns true when pieces are taken from here that leave room for others. */
    boolean isShared() {
        return shared && !condemned;
    }

    /** Returns true when there is no piece, so that any may be taken. */
    boolean isEmpty() {
        return isUnused() && !condemned;
    }

    boolean isUnused() {
        return inUse == 0 && waiting == 0;
    }

    /** Returns true when a piece was not given back by its user. */
    boolean isInUse() {
        return inUse > 0;
    }

    boolean isCondemned() {
        return condemned;
    }

    /** Has nothing taken from here any more. */
    void condemn() {
        condemned = true;
    }

    boolean fits(long bytes) {
        for (long length : free.values()) {
            if (length >= bytes) {
                return true;
            }
        }
        return false;
    }

    /** Takes the first range that fits, with zeros; returns its address. */
    long take(long bytes, boolean share) {
        shared = share;
        for (Map.Entry<Long, Long> range : free.entrySet()) {
            if (range.getValue() >= bytes) {
                long address = range.getKey();
                long rest = range.getValue() - bytes;
                free.remove(address);
                if (rest > 0) {
                    free.put(address + bytes, rest);
                }
                slab.zero(address, Math.min(untouched, address + bytes) - address);
                untouched = Math.max(untouched, address + bytes);
                inUse++;
                return address;
            }
        }
        throw new IllegalStateException("no room for bytes=" + bytes + " of " + slab.length());
    }

    /** A user gave a piece back. */
    void retire() {
        inUse--;
        waiting++;
    }

    /** A piece that was given back may be taken again. */
    void give(long address, long bytes) {
        waiting--;
        long start = address;
        long length = bytes;
        Map.Entry<Long, Long> before = free.lowerEntry(address);
        if (before != null && before.getKey() + before.getValue() == address) {
            start = before.getKey();
            length += before.getValue();
        }
        Long after = free.remove(address + bytes);
        free.put(start, after == null ? length : length + after);
    }
}
