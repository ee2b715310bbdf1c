package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.RemoteArena;
import org.jvrpc.verbs.Access;

/** A table of memory regions that grows while a peer has it mapped, from its files as another process would. */
final class RegionTableGrowthTest {

    private static final int PD = 3;
    private static final int MANY = 300;
    private static final int LENGTH = 128;

    @TempDir
    private Path parent;
    private Arena arena;
    private RegionTable table;
    private RemoteArena peer;
    private SharedKeys keys;

    @BeforeEach
    void begin() throws IOException {
        Path device = Files.createDirectory(parent.resolve("d-4194305-ab"));
        Files.createFile(device.resolve("lock"));
        arena = new Arena(device);
        Arena.Block first = arena.begin(ArenaHeader.BYTES, 0);
        ByteBuffer header = first.slab().window(first.address());
        ArenaHeader.write(header, ArenaHeader.VERSION);
        table = new RegionTable(header, arena::allocateTable);
        peer = new RemoteArena(DeviceFolder.use("test", device));
        keys = new SharedKeys(peer, PD);
    }

    @AfterEach
    void end() {
        peer.close();
    }

    private LocalRegion register() {
        Arena.Block block = arena.allocate(LENGTH);
        block.slab().window(block.address()).putLong(Slab.index(block.address()), block.address());
        LocalRegion region = new LocalRegion(
                table.claim(), PD, Access.REMOTE_READ, block.slab(), block.address(), LENGTH, true);
        table.publish(region);
        return region;
    }

    private long readByPeer(LocalRegion region) {
        SharedKeys.Region found = keys.region(region.key(), Access.REMOTE_READ);
        assertNotNull(found, "key=0x" + Integer.toHexString(region.key()));
        assertNotNull(keys.find(region.key(), region.address(), LENGTH, Access.REMOTE_READ));
        return found.window().getLong(Slab.index(region.address()));
    }

    @Test
    void thePeerFindsEachRegionWhicheverPageOfTheTableItIsIn() {
        for (int i = 0; i < MANY; i++) {
            LocalRegion region = register();
            assertEquals(region.address(), readByPeer(region));
        }
    }

    @Test
    void thePeerFindsARegionThatIsGoneNoMoreAndTheNextOfItsEntry() {
        List<LocalRegion> regions = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            regions.add(register());
        }
        LocalRegion last = regions.get(MANY - 1);
        assertEquals(last.address(), readByPeer(last));
        table.retract(last);
        assertNull(keys.region(last.key(), Access.REMOTE_READ));
        assertNull(keys.find(last.key(), last.address(), LENGTH, Access.REMOTE_READ));
        LocalRegion next;
        do {
            next = register();
        } while (next.key() >>> 8 != last.key() >>> 8);
        assertEquals(next.address(), readByPeer(next));
        assertNull(keys.region(last.key(), Access.REMOTE_READ), "the old key is dead");
    }

    @Test
    void aKeyOfAPageThatThereIsNotOpensNothing() {
        for (int index = 64; index < 1 << 24; index = 2 * index + 1) {
            assertNull(keys.region(index << 8 | 1, 0), "index=" + index);
            assertNull(keys.find(index << 8 | 1, Slab.baseOf(0), 8, 0), "index=" + index);
        }
        assertNull(keys.find(-1, Slab.baseOf(0), 8, 0));
    }
}
