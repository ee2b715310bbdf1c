package org.jvrpc.router.engine.memory;

import java.util.function.Predicate;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;

/**
 * The memory of one tenant's device: segment 0 and those from {@link PrivateMemory#FIRST_SEGMENT} on are the router's,
 * the others the tenant's slabs. A tenant reaches none of the router's by an address: {@link #tenantSlab} finds its own
 * alone, and keys are made of nothing else. The worker's thread.
 */
public final class SplitSpace implements AddressSpace {

    private static final int FIRST_SIZE = 8;

    private final String name;
    private final PrivateMemory own;
    /** A hash table of twice as many places as slabs, by segment: the tenant chooses the numbers. */
    private Slab[] slabs = new Slab[FIRST_SIZE];
    private int count;

    /** @param name for messages */
    public SplitSpace(String name, PrivateMemory own) {
        this.name = name;
        this.own = own;
    }

    /** Adds a slab of the tenant's. @throws RefusedException when its segment is taken, or the router's */
    public void add(Slab slab) {
        int segment = Slab.segmentOf(slab.base());
        if (PrivateMemory.isPrivate(segment) || lookUp(segment) != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " segment=" + segment + " is taken");
        }
        count++;
        rebuild(2 * count > slabs.length ? 2 * slabs.length : slabs.length, -1, slab);
    }

    /** Takes a slab of the tenant's out; nothing is found there any more. Returns it, or null. */
    public Slab remove(int segment) {
        Slab slab = PrivateMemory.isPrivate(segment) ? null : lookUp(segment);
        if (slab != null) {
            count--;
            rebuild(slabs.length, segment, null);
        }
        return slab;
    }

    private void rebuild(int size, int without, Slab with) {
        Slab[] old = slabs;
        slabs = new Slab[size];
        for (Slab slab : old) {
            if (slab != null && Slab.segmentOf(slab.base()) != without) {
                put(slab);
            }
        }
        if (with != null) {
            put(with);
        }
    }

    private void put(Slab slab) {
        int at = place(Slab.segmentOf(slab.base()));
        while (slabs[at] != null) {
            at = at + 1 & slabs.length - 1;
        }
        slabs[at] = slab;
    }

    private int place(int segment) {
        return (segment * 0x9e3779b9 >>> 8) & slabs.length - 1;
    }

    private Slab lookUp(int segment) {
        int at = place(segment);
        for (int i = 0; i < slabs.length && slabs[at] != null; i++) {
            if (Slab.segmentOf(slabs[at].base()) == segment) {
                return slabs[at];
            }
            at = at + 1 & slabs.length - 1;
        }
        return null;
    }

    /** Returns the tenant's slab that holds so many bytes from an address on in one window; null when none does. */
    public Slab tenantSlab(long address, long bytes) {
        int segment = Slab.segmentOf(address);
        Slab slab = PrivateMemory.isPrivate(segment) ? null : lookUp(segment);
        return slab != null && slab.contains(address, bytes) ? slab : null;
    }

    /** Tells whether something is true of all slabs of the tenant's. */
    public boolean all(Predicate<Slab> what) {
        for (Slab slab : slabs) {
            if (slab != null && !what.test(slab)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Slab find(long address, long bytes) {
        int segment = Slab.segmentOf(address);
        Slab slab = PrivateMemory.isPrivate(segment) ? own.slab(segment) : lookUp(segment);
        return slab != null && slab.contains(address, bytes) ? slab : null;
    }

    @Override
    public String place() {
        return name;
    }

    @Override
    public void close() {
        slabs = new Slab[FIRST_SIZE];
        count = 0;
    }
}
