package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.verbs.VerbsException;

/** Arenas of peers that have another layout, or none. */
class RemoteArenaTest {

    @TempDir
    private Path folder;

    /** A folder as a device of another version would leave it. */
    private Path foreign(byte[] firstSlab) throws IOException {
        Path device = Files.createDirectory(folder.resolve("d-4194305-ab"));
        Files.createFile(device.resolve("lock"));
        Files.write(device.resolve("0"), firstSlab);
        return device;
    }

    @Test
    void anArenaOfAnotherLayoutIsRefusedByItsVersion() throws IOException {
        byte[] slab = new byte[1 << 20];
        Path device = foreign(slab);
        RemoteArena arena = new RemoteArena(DeviceFolder.use("modify_qp", device));
        VerbsException refusal = assertThrows(VerbsException.class, () -> new SharedKeys(arena, 1));
        arena.close();
        assertTrue(refusal.getMessage().contains("layout version=0, this side knows version="
                + ArenaHeader.VERSION), refusal.getMessage());
    }

    @Test
    void anArenaThatIsTooShortIsRefused() throws IOException {
        ByteBuffer slab = ByteBuffer.allocateDirect((int) ArenaHeader.BYTES - 1).order(ByteOrder.LITTLE_ENDIAN);
        ArenaHeader.write(slab, ArenaHeader.VERSION);
        byte[] bytes = new byte[slab.capacity()];
        slab.get(0, bytes);
        RemoteArena arena = new RemoteArena(DeviceFolder.use("modify_qp", foreign(bytes)));
        VerbsException refusal = assertThrows(VerbsException.class, () -> new SharedKeys(arena, 1));
        arena.close();
        assertTrue(refusal.getMessage().contains("too short"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("bytes=4095"), refusal.getMessage());
    }
}
