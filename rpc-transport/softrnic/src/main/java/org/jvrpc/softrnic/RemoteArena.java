package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.verbs.VerbsException;

/** A peer's arena as one connection sees it; slabs are mapped when first used. One thread at a time. */
final class RemoteArena {

    private final Path folder;
    private final Map<Integer, Slab> slabs = new HashMap<>();
    private Slab last;

    RemoteArena(Path folder) {
        this.folder = folder;
    }

    /**
     * Returns the slab that holds {@code bytes} from an address on, or null when the peer has none such: the address
     * comes from the wire and may be anything.
     */
    Slab find(long address, long bytes) {
        Slab slab = last;
        if (slab != null && slab.contains(address, bytes)) {
            return slab;
        }
        slab = slabs.get(Slab.segmentOf(address));
        if (slab == null) {
            slab = map(Slab.segmentOf(address));
        }
        if (slab == null || !slab.contains(address, bytes)) {
            return null;
        }
        last = slab;
        return slab;
    }

    private Slab map(int segment) {
        Path file = folder.resolve(Integer.toString(segment));
        if (segment < 0 || !Files.exists(file)) {
            return null;
        }
        forgetDeleted();
        try {
            Slab slab = Slab.open(file, segment);
            slabs.put(segment, slab);
            return slab;
        } catch (IOException | OutOfMemoryError e) {
            return null;
        }
    }

    /** Lets go of slabs that the peer deleted, before another is mapped. */
    private void forgetDeleted() {
        slabs.entrySet().removeIf(entry -> {
            boolean gone = !Files.exists(folder.resolve(entry.getKey().toString()));
            if (gone) {
                Arena.dropped(entry.getValue().length());
            }
            return gone;
        });
        last = null;
    }

    /** As {@link #find}, for what must be there. */
    Slab require(long address, long bytes, String what) {
        Slab slab = find(address, bytes);
        if (slab == null) {
            throw new VerbsException("modify_qp", "peer's " + what + " cannot be reached: folder=" + folder
                    + " address=0x" + Long.toHexString(address) + " bytes=" + bytes);
        }
        return slab;
    }

    /** Lets go of every mapping. */
    void close() {
        slabs.values().forEach(slab -> Arena.dropped(slab.length()));
        slabs.clear();
        last = null;
    }
}
