package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Deadline;

/** Processes with the same number, each in a name space of its own, that share the folder: as containers do. */
class ContainerTest {

    private static final String CONTAINER = "exec unshare --pid --fork --kill-child --mount-proc \"$@\"";

    @BeforeAll
    static void mayMakeNameSpaces() throws IOException, InterruptedException {
        int status = new ProcessBuilder("sh", "-c", "unshare --pid --fork --kill-child --mount-proc true")
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        assumeTrue(status == 0, "this user may not make PID name spaces: unshare ended with " + status);
    }

    private static Path deviceOf(ChildJvm child) {
        String name = child.expect("DEVICE");
        assertTrue(name.startsWith("d-1-"), "process 1 of its name space has device " + name);
        return SharedMemoryFolder.path().resolve(name);
    }

    @Test
    void theFirstProcessesOfTwoContainersNeitherSweepNorLeakEachOthersDevices() {
        try (ChildJvm first = PeerMain.startBy(CONTAINER, "device")) {
            Path one = deviceOf(first);
            try (ChildJvm second = PeerMain.startBy(CONTAINER, "device")) {
                Path two = deviceOf(second);
                assertTrue(Files.exists(one.resolve("lock")), "a living device was swept by its namesake");
                first.kill();
                try (ChildJvm third = PeerMain.startBy(CONTAINER, "sweep")) {
                    deviceOf(third);
                    third.expect("SWEEPING");
                    Deadline.until("the dead device to be swept by its namesake", () -> !Files.exists(one));
                    assertTrue(Files.exists(two.resolve("lock")), "a living device was swept");
                }
            }
        }
        Deadline.until("the devices of all that were killed to be swept", () -> {
            ShmUnderTest.open().close();
            return SharedMemoryFolder.path().toFile().list((folder, name) -> name.startsWith("d-1-")).length == 0;
        });
    }

    @Test
    void aRegionOfADeadProcessWithThisProcesssNumberIsNotAttached() throws IOException {
        String name = "d-" + ProcessHandle.current().pid() + "-ab";
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open()) {
            Path dead = Files.createDirectory(device.folder().resolveSibling(name));
            Files.createFile(dead.resolve("lock"));
            Files.write(dead.resolve("0"), new byte[1 << 20]);
            byte[] exported = new ExportedRegion(name, Slab.baseOf(0), 4096, 1).encode();
            VerbsException refusal = assertThrows(VerbsException.class, () -> device.attach(exported));
            assertTrue(refusal.getMessage().contains("the owner of the region is gone"), refusal.getMessage());
            assertFalse(Files.exists(dead), "left: " + dead);
        }
    }
}
