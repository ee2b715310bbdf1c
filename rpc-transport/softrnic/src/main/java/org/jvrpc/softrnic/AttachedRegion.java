package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** Memory of another process's device, for this process's CPU. Any thread. */
final class AttachedRegion implements MemoryRegion {

    private final SoftDevice device;
    private final ExportedRegion exported;
    /** Null once closed, so that the mapping can go. */
    private volatile Slab slab;

    private AttachedRegion(SoftDevice device, ExportedRegion exported, Slab slab) {
        this.device = device;
        this.exported = exported;
        this.slab = slab;
    }

    /**
     * Maps the slab that holds the region.
     *
     * @param parent where the devices of this user meet
     */
    static AttachedRegion open(SoftDevice device, Path parent, ExportedRegion exported) {
        Path folder = parent.resolve(exported.device());
        int segment = Slab.segmentOf(exported.address());
        Path file = folder.resolve(Integer.toString(segment));
        if (SoftDevice.ofName(exported.device()) == null
                && (ShmDirectory.sweepDevice(folder) || !Files.exists(folder))) {
            throw new VerbsException("attach", "the owner of the region is gone: no device folder=" + folder);
        }
        if (!Files.exists(file)) {
            throw new VerbsException("attach", "the region is closed by its owner: no file=" + file);
        }
        Slab slab;
        try {
            slab = Slab.open(file, segment);
        } catch (IOException | OutOfMemoryError e) {
            throw new VerbsException("attach", "cannot map file=" + file + ": " + e, e);
        }
        if (!slab.contains(exported.address(), exported.length())) {
            Arena.dropped(slab.length());
            throw new VerbsException("attach", "the owner's memory ends before the region does: file=" + file
                    + " bytes=" + slab.length() + " address=0x" + Long.toHexString(exported.address())
                    + " length=" + exported.length());
        }
        return new AttachedRegion(device, exported, slab);
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
            Arena.dropped(slab.length());
            slab = null;
        }
        device.forget(this);
    }

    @Override
    public String toString() {
        return "attached memory of device=" + exported.device() + " address=0x"
                + Long.toHexString(exported.address()) + " length=" + exported.length();
    }
}
