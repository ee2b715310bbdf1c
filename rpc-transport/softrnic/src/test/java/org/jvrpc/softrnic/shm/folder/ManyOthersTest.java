package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a process that makes device after device looks at those of others. */
class ManyOthersTest {

    @TempDir
    private Path temporary;
    private Path folder;
    private String property;
    private final List<FileChannel> locks = new ArrayList<>();
    private int made;

    @BeforeEach
    void chooseAFolder() {
        property = System.getProperty(ShmDirectory.PROPERTY);
        folder = temporary.resolve("devices");
        System.setProperty(ShmDirectory.PROPERTY, folder.toString());
        ShmDirectory.openAndSweep();
    }

    @AfterEach
    void giveTheFolderBack() throws IOException {
        if (property == null) {
            System.clearProperty(ShmDirectory.PROPERTY);
        } else {
            System.setProperty(ShmDirectory.PROPERTY, property);
        }
        for (FileChannel lock : locks) {
            lock.close();
        }
    }

    private Path dead() throws IOException {
        Path device = Files.createDirectory(folder.resolve("d-999999999-" + Integer.toHexString(++made)));
        Files.createFile(device.resolve("lock"));
        return device;
    }

    private void living(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            FileChannel lock = FileChannel.open(dead().resolve("lock"), StandardOpenOption.WRITE);
            lock.lock();
            locks.add(lock);
        }
    }

    /** Returns how many devices were made when one of a dead process was removed. */
    private int devicesUntilItIsGone(Path dead) {
        int devices = 0;
        while (Files.exists(dead)) {
            assertTrue(++devices <= 100, "it is never removed");
            ShmDirectory.openAndSweep();
        }
        return devices;
    }

    @Test
    void whereOthersHaveManyNotEachNewDeviceHasAllOfThemLookedAt() throws IOException {
        living(3 * ShmDirectory.OTHERS_A_DEVICE);
        ShmDirectory.openAndSweep();
        assertEquals(4, devicesUntilItIsGone(dead()), "three are made before others are looked at again");
    }

    @Test
    void whereOthersHaveFewTheNextDeviceHasADeadOneRemoved() throws IOException {
        living(ShmDirectory.OTHERS_A_DEVICE - 1);
        ShmDirectory.openAndSweep();
        assertEquals(1, devicesUntilItIsGone(dead()));
    }

    @Test
    void theFirstDeviceInAFolderHasTheDeadOnesRemovedHoweverManyThereAre() throws IOException {
        living(3 * ShmDirectory.OTHERS_A_DEVICE);
        ShmDirectory.openAndSweep();
        Path first = folder;
        folder = temporary.resolve("another");
        System.setProperty(ShmDirectory.PROPERTY, folder.toString());
        ShmDirectory.open(folder);
        Path dead = dead();
        ShmDirectory.openAndSweep();
        assertFalse(Files.exists(dead), () -> "a sweep of " + first + " says nothing of " + folder);
    }
}
