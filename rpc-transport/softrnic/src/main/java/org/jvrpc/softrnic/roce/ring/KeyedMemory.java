package org.jvrpc.softrnic.roce.ring;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.RemoteMemory;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.rc.LocalReceives;
import org.jvrpc.verbs.Access;

/**
 * The memory of a domain as peers reach it by rkeys. Each access looks its key up; an atomic has that of the look at
 * its rights, as a key that goes in between waits for the QP's lock. Under that lock.
 */
public final class KeyedMemory implements RemoteMemory {

    private final RegionTable regions;
    private final int pd;
    private final RemoteKeys keys;
    /** Of the last look at the right to atomics; used once. */
    private Slab allowed;

    public KeyedMemory(RegionTable regions, int pd, RemoteKeys keys) {
        this.regions = regions;
        this.pd = pd;
        this.keys = keys;
    }

    private Slab find(int rkey, long address, long length, int access) {
        return regions.slab(keys.key(rkey), pd, address, length, access);
    }

    @Override
    public boolean allows(int rkey, long address, long length, int access) {
        Slab slab = find(rkey, address, length, access);
        allowed = access == Access.REMOTE_ATOMIC ? slab : null;
        return slab != null;
    }

    @Override
    public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
        Slab slab = find(rkey, address, length, Access.REMOTE_WRITE);
        if (slab == null) {
            return false;
        }
        VarHandle.releaseFence();
        try {
            LocalReceives.copy(packet, at, slab, address, length);
            slab.told();
        } catch (InternalError e) {
            return false; // its owner has cut it
        }
        VarHandle.releaseFence(); // what is written later must not be seen earlier
        return true;
    }

    @Override
    public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
        Slab slab = find(rkey, address, length, Access.REMOTE_READ);
        if (slab == null) {
            return false;
        }
        VarHandle.acquireFence(); // what an earlier READ saw must not be newer
        try {
            copyOut(slab, address, packet, at, length);
            slab.told();
        } catch (InternalError e) {
            return false;
        }
        VarHandle.acquireFence();
        return true;
    }

    private static void copyOut(Slab slab, long address, ByteBuffer packet, int at, int length) {
        for (int done = 0; done < length;) {
            long from = address + done;
            int piece = (int) Math.min(length - done, Slab.untilWindowEnd(from));
            Copy.bytes(slab.window(from), Slab.index(from), packet, at + done, piece);
            done += piece;
        }
    }

    @Override
    public long compareAndSwap(int rkey, long address, long compare, long swap) {
        Slab slab = take();
        return slab.atomics().compareAndSwap(slab.window(address), Slab.index(address), compare, swap);
    }

    @Override
    public long fetchAndAdd(int rkey, long address, long add) {
        Slab slab = take();
        return slab.atomics().fetchAndAdd(slab.window(address), Slab.index(address), add);
    }

    private Slab take() {
        Slab slab = allowed;
        allowed = null;
        return slab;
    }

    @Override
    public boolean invalidate(int rkey) {
        return false; // regions here are not invalidated by peers
    }
}
