package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A peer's arena as one connection sees it; slabs are mapped when first used. Any thread. */
final class RemoteArena implements AddressSpace {

    private final Path folder;
    /** By segment. */
    private volatile Slab[] slabs = new Slab[4];
    /** Found last; any thread may see an older one. */
    private Slab last;

    RemoteArena(Path folder) {
        this.folder = folder;
    }

    @Override
    public Slab find(long address, long bytes) {
        Slab slab = last;
        if (slab != null && slab.contains(address, bytes)) {
            return slab;
        }
        int segment = Slab.segmentOf(address);
        Slab[] known = slabs;
        slab = segment >= 0 && segment < known.length ? known[segment] : null;
        if (slab == null) {
            slab = map(segment);
        }
        if (slab == null || !slab.contains(address, bytes)) {
            return null;
        }
        last = slab;
        return slab;
    }

    private synchronized Slab map(int segment) {
        Path file = folder.resolve(Integer.toString(segment));
        if (segment < 0 || !Files.exists(file)) {
            return null;
        }
        forgetDeleted();
        try {
            Slab slab = Slab.open(file, segment);
            Slab[] copy = Arrays.copyOf(slabs, Math.max(slabs.length, segment + 1));
            copy[segment] = slab;
            slabs = copy;
            return slab;
        } catch (IOException | OutOfMemoryError e) {
            return null;
        }
    }

    /** Lets go of slabs that the peer deleted, before another is mapped. */
    private void forgetDeleted() {
        Slab[] copy = slabs.clone();
        for (int segment = 0; segment < copy.length; segment++) {
            if (copy[segment] != null && !Files.exists(folder.resolve(Integer.toString(segment)))) {
                Arena.dropped(copy[segment].length());
                copy[segment] = null;
            }
        }
        slabs = copy;
        last = null;
    }

    @Override
    public String place() {
        return folder.toString();
    }

    @Override
    public synchronized void close() {
        for (Slab slab : slabs) {
            if (slab != null) {
                Arena.dropped(slab.length());
            }
        }
        slabs = new Slab[0];
        last = null;
    }
}
