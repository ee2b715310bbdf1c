package org.jvrpc.softrnic.shm.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.softrnic.datagram.DatagramTable;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.verbs.VerbsException;

/** Where a device is found by others: its folder, and the tables in its slab 0. Any thread. */
public record Home(DeviceFolder shared, Arena arena, RegionTable regions, DatagramTable datagrams) {

    /**
     * Makes a folder for a device of this process.
     *
     * @param firstSegment of slabs but slab 0; higher than those of a home before, so that no address is of both
     */
    public static Home make(Path parent, int firstSegment) {
        return make(parent, firstSegment, null);
    }

    /** As above, with the folder's mode of a place; null for the owner's alone. */
    public static Home make(Path parent, int firstSegment, Place place) {
        Path folder = parent.resolve("d-" + ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong()));
        DeviceFolder shared;
        try {
            shared = DeviceFolder.create(folder, place);
            if (place != null) {
                place.open(folder);
            }
        } catch (IOException e) {
            ShmDirectory.delete(folder);
            throw new VerbsException("open_device", "folder=" + folder + ": " + e, e);
        }
        try {
            Arena arena = place == null ? new Arena(folder) : new Arena(folder, Place.FILES, Place.FIRST_SLAB);
            Arena.Block table = arena.begin(ArenaHeader.BYTES, firstSegment);
            ByteBuffer header = table.slab().window(table.address());
            ArenaHeader.write(header, ArenaHeader.VERSION);
            shared.own(arena);
            return new Home(shared, arena, new RegionTable(header, arena::allocateTable),
                    new DatagramTable(arena, bytes -> arena.allocateTable(bytes).address()));
        } catch (RuntimeException e) {
            shared.disown();
            throw e;
        }
    }

    public Path folder() {
        return shared.path();
    }

    public String name() {
        return folder().getFileName().toString();
    }

    /** Returns true while others can find it. */
    public boolean exists() {
        return shared.exists();
    }

    /** Gives back what its users gave back, when the last of them is gone, and the names of the rest. */
    public void leave() {
        arena.end();
    }
}
