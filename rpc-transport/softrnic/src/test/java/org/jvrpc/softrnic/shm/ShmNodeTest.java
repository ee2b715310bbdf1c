package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.Home;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.VerbsException;

/** A device as others on its host find it: by its folder, which may be deleted under it, until it leaves. */
class ShmNodeTest {

    private final AtomicInteger woken = new AtomicInteger();
    private ShmNode node;

    @BeforeEach
    void open() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        node = ShmNode.open(System::nanoTime, woken::incrementAndGet);
    }

    @AfterEach
    void close() {
        node.leave();
        node.end();
    }

    private static void deleteAll(Path folder) {
        for (var file : folder.toFile().listFiles()) {
            assertTrue(file.delete());
        }
        assertTrue(folder.toFile().delete());
    }

    @Test
    void aDeviceIsNamedAfterItsProcessAndHasAFolderOfThatName() {
        assertTrue(node.name().startsWith("d-" + ProcessHandle.current().pid() + "-"), node.name());
        assertEquals(node.folder(), SharedMemoryFolder.path().resolve(node.name()));
        assertTrue(ShmDirectory.isDeviceName(node.name()));
        assertEquals(node.folder().resolveSibling("d-1-a"), node.folderOf("d-1-a"));
        for (String none : List.of("../x", "d-9223372036854775808-1")) {
            String refusal = assertThrows(VerbsException.class, () -> node.folderOf(none)).getMessage();
            assertTrue(refusal.contains("endpoint names no device, name=" + none), refusal);
        }
    }

    @Test
    void devicesOfThisProcessAreKnownWhileTheyLiveAndWokenWithoutASocket() {
        assertTrue(ShmNode.isLocal(node.name()));
        node.wakerOf(node.name()).run();
        assertEquals(1, woken.get());
        assertNull(node.wakerOf("d-1-a"));
        assertNull(ShmNode.portOf("d-1-a", 1));
        assertNull(ShmNode.chainsOf("d-1-a", 1));
        assertFalse(ShmNode.isLocal("d-1-a"));
        node.leave();
        assertTrue(ShmNode.isLocal(node.name()), "what it keeps is being closed");
        node.end();
        assertFalse(ShmNode.isLocal(node.name()));
        assertFalse(Files.exists(node.folder()), "left behind");
    }

    @Test
    void whatIsMadeWhileItsDeviceIsClosedIsClosedToo() {
        AtomicInteger closed = new AtomicInteger();
        node.keep(() -> {
            VerbsException e = assertThrows(VerbsException.class, () -> node.keep(closed::incrementAndGet));
            assertTrue(e.getMessage().contains("device is closed, name=" + node.name()), e::getMessage);
            assertEquals(1, closed.get());
            assertFalse(node.tryKeep(closed::incrementAndGet));
            throw new IllegalStateException("which is logged");
        });
        AtomicInteger kept = new AtomicInteger();
        assertTrue(node.tryKeep(kept::incrementAndGet));
        assertTrue(node.leave());
        assertEquals(1, closed.get());
        assertEquals(1, kept.get());
    }

    @Test
    void aGroupOfChainsIsFoundByItsAddressWhileItIsKnown() {
        Arena.Block block = node.arena().allocate(GroupContext.BYTES);
        long address = block.address();
        GroupContext.write(block.slab().window(address), Slab.index(address), 1);
        ChainGroup group = new ChainGroup(node, node.arena(), node.name(), address);
        assertNull(ShmNode.chainsOf(node.name(), address));
        node.add(group);
        assertSame(group, ShmNode.chainsOf(node.name(), address));
        assertNull(ShmNode.chainsOf(node.name(), address + GroupContext.BYTES));
        node.remove(group);
        assertNull(ShmNode.chainsOf(node.name(), address));
    }

    @Test
    void memoryOfADeviceIsFoundByItsNameAndAddressUntilTheSpaceIsClosed() {
        Arena.Block block = node.arena().allocate(4096);
        AddressSpace space = node.arenaOf(node.name());
        assertEquals(node.folder().toString(), space.place());
        Slab slab = space.find(block.address(), 4096);
        assertSame(block.slab(), slab, "the owner's, not mapped again");
        assertEquals(slab, space.find(block.address() + 4095, 1));
        assertNull(space.find(Slab.baseOf(100), 1));
        assertEquals(slab, space.find(block.address(), 1), "found before, and found still");
        space.close();
        space.close();
        AddressSpace next = node.arenaOf(node.name());
        node.leave();
        node.end();
        assertTrue(Files.exists(node.folder()), "somebody has its memory");
        next.close();
        assertFalse(Files.exists(node.folder()), "left by the last");
    }

    /** Returns the file of memory that is in use, and whose name somebody else may know. */
    private Path inUse() {
        Path slab = node.folder().resolve(Integer.toString(Slab.segmentOf(node.arena().allocate(4096).address())));
        assertTrue(Files.exists(slab));
        return slab;
    }

    @Test
    void memoryInUseLosesItsNameWhenTheDeviceLeavesItsFolder() throws IOException {
        AddressSpace first = node.arenaOf(node.name());
        Path old = node.folder();
        Path before = inUse();
        Files.delete(old.resolve("lock"));
        node.settleAgain();
        assertFalse(Files.exists(before), "left behind by the move");
        AddressSpace second = node.arenaOf(node.name());
        Path after = inUse();
        assertTrue(node.leave());
        assertFalse(Files.exists(after), "left behind at the end");
        assertTrue(Files.exists(old) && Files.exists(node.folder()), "somebody is in them");
        first.close();
        second.close();
        assertFalse(Files.exists(old), "left by the last");
    }

    @Test
    void aPlaceThatNoFolderCanBeMadeInIsSaid(@TempDir Path parent) {
        Path none = parent.resolve("none");
        String why = assertThrows(VerbsException.class, () -> Home.make(none, 0)).getMessage();
        assertTrue(why.contains("open_device") && why.contains(none.toString()), why);
    }

    @Test
    void theFirstSlabSaysWhichLayoutItHas() {
        Slab first = node.arena().find(Slab.baseOf(0), 1);
        ArenaHeader.check(first, node.folder());
    }

    @Test
    void aDeviceWhoseFolderIsDeletedMovesToAnotherAndNoAddressIsOfBoth() {
        Path old = node.folder();
        String name = node.name();
        long before = node.arena().allocate(4096).address();
        node.settleAgain();
        assertEquals(old, node.folder(), "it is there");
        deleteAll(old);
        node.settleAgain();
        assertNotEquals(old, node.folder());
        assertTrue(Files.exists(node.folder()));
        assertTrue(ShmNode.isLocal(node.name()));
        assertFalse(ShmNode.isLocal(name));
        assertFalse(Files.exists(old));
        long after = node.arena().allocate(4096).address();
        assertTrue(Slab.segmentOf(after) > Slab.segmentOf(before), before + " " + after);
        assertTrue(DeviceFolder.isDead(old));
    }

    @Test
    void whoOpensADeviceSweepsUpThoseOfTheDead() throws IOException {
        Path dead = Files.createDirectory(node.folder().resolveSibling("d-4194305-e0"));
        Files.createFile(dead.resolve("lock"));
        ShmNode next = ShmNode.open(System::nanoTime, () -> { });
        assertFalse(Files.exists(dead));
        next.leave();
        next.end();
    }

    @Test
    void aDeviceThatIsClosingMovesNowhere() {
        Path old = node.folder();
        assertFalse(node.isClosing());
        assertTrue(node.leave());
        assertTrue(node.isClosing());
        deleteAll(old);
        node.settleAgain();
        assertEquals(old, node.folder());
        assertFalse(Files.exists(old));
    }

    @Test
    void whatIsKeptIsClosedOnceWithTheDeviceTheYoungestFirstWhateverOneThrows() {
        List<String> closed = new ArrayList<>();
        AutoCloseable oldest = node.keep(() -> closed.add("oldest"));
        AutoCloseable forgotten = node.keep(() -> closed.add("forgotten"));
        node.keep(() -> {
            closed.add("bad");
            throw new IllegalStateException("the test's");
        });
        node.keep(() -> closed.add("youngest"));
        node.forget(forgotten);
        assertTrue(node.leave());
        assertEquals(List.of("youngest", "bad", "oldest"), closed);
        assertFalse(node.leave());
        assertEquals(3, closed.size());
        assertNotNull(oldest);
    }
}
