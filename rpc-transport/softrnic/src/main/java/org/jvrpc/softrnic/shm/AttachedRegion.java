package org.jvrpc.softrnic.shm;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** Memory of another process's device, for this process's CPU. Any thread. */
public final class AttachedRegion implements MemoryRegion {

    private final ShmNode node;
    private final ExportedRegion exported;
    private final DeviceFolder folder;
    /** Null once closed, so that the mapping can go. */
    private volatile Slab slab;

    private AttachedRegion(ShmNode node, ExportedRegion exported, DeviceFolder folder, Slab slab) {
        this.node = node;
        this.folder = folder;
        this.exported = exported;
        this.slab = slab;
    }

    /**
     * Maps the slab that holds the region.
     *
     * @param node closes it with the device
     */
    public static AttachedRegion open(ShmNode node, ExportedRegion exported) {
        Path path = node.folder().resolveSibling(exported.device());
        ShmDirectory.sweepDevice(path);
        if (DeviceFolder.isDead(path)) {
            throw new VerbsException("attach", "the owner of the region is gone: device folder=" + path);
        }
        DeviceFolder folder = DeviceFolder.use("attach", path);
        try {
            return new AttachedRegion(node, exported, folder, find(folder, exported));
        } catch (VerbsException e) {
            folder.release();
            throw e;
        }
    }

    private static Slab find(DeviceFolder folder, ExportedRegion exported) {
        Slab slab = folder.find(exported.address(), 0);
        if (slab == null) {
            throw new VerbsException("attach", "the region is closed by its owner, or its slab cannot be mapped: file="
                    + folder.path().resolve(Integer.toString(Slab.segmentOf(exported.address()))));
        }
        if (!slab.contains(exported.address(), exported.length())) {
            throw new VerbsException("attach", "the owner's memory ends before the region does: folder="
                    + folder.path() + " bytes=" + slab.length() + " address=0x"
                    + Long.toHexString(exported.address()) + " length=" + exported.length());
        }
        return slab;
    }

    @Override
    public long address() {
        return exported.address();
    }

    @Override
    public long length() {
        return exported.length();
    }

    @Override
    public int lkey() {
        throw noKeys();
    }

    @Override
    public int rkey() {
        throw noKeys();
    }

    private VerbsException noKeys() {
        return new VerbsException("attach", "attached memory has no keys here, they are its owner's: device="
                + exported.device());
    }

    @Override
    public int access() {
        return exported.access();
    }

    @Override
    public ByteBuffer buffer(long offset, int bytes) {
        Slab mapped = slab;
        if (mapped == null) {
            throw new VerbsException("attach", "attached memory is closed, device=" + exported.device());
        }
        return mapped.view(exported.address(), exported.length(), offset, bytes);
    }

    @Override
    public byte[] export() {
        return exported.encode();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (slab == null) {
                return;
            }
            slab = null;
        }
        folder.release();
        node.forget(this);
    }

    @Override
    public String toString() {
        return "attached memory of device=" + exported.device() + " address=0x"
                + Long.toHexString(exported.address()) + " length=" + exported.length();
    }
}
