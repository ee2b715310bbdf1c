package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The locks of listeners' names: each name has its own, all of them one descriptor, which goes with the last. */
class NameLockTest {

    @TempDir
    private Path parent;
    private Path folder;

    @BeforeEach
    void make() {
        folder = ShmDirectory.open(parent.resolve("jvrpc-somebody"));
    }

    /** Returns how many descriptors this process has of the file, or of one of its name that is deleted. */
    private long descriptors() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(this::isOfLocks).count();
        }
    }

    private boolean isOfLocks(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(folder.toString());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void namesThatAreAlikeHavePlacesOfTheirOwn() throws IOException {
        List<NameLock> locks = new ArrayList<>();
        for (String name : List.of("a", "b", "aa", "ab", "ba", "Aa", "BB", "AaAa", "BBBB", "AaBB", "1-1", "1-2", "11",
                "plumless", "buckeroo")) { // some have the same hash, or the same CRC
            NameLock lock = NameLock.take(folder, name);
            assertNotNull(lock, name);
            locks.add(lock);
        }
        for (NameLock lock : locks) {
            lock.release();
        }
    }

    @Test
    void allLocksHaveOneDescriptorThatGoesWithTheLast() throws IOException {
        NameLock one = NameLock.take(folder, "one");
        NameLock two = NameLock.take(folder, "two");
        assertNull(NameLock.take(folder, "two"));
        assertEquals(1, descriptors());
        one.release();
        one.release();
        assertEquals(1, descriptors());
        assertNull(NameLock.take(folder, "two"));
        two.release();
        assertEquals(0, descriptors());
        NameLock again = NameLock.take(folder, "two");
        assertNotNull(again);
        again.release();
    }

    @Test
    void aNameThatIsReleasedIsFreeForAnotherThoughOthersAreLocked() throws IOException {
        NameLock one = NameLock.take(folder, "one");
        NameLock two = NameLock.take(folder, "two");
        one.release();
        NameLock again = NameLock.take(folder, "one");
        assertNotNull(again);
        again.release();
        two.release();
    }

    @Test
    void inAFolderThatWasMadeAgainTheNamesAreFree() throws IOException {
        NameLock old = NameLock.take(folder, "name");
        Files.delete(folder.resolve(NameLock.FILE));
        NameLock fresh = NameLock.take(folder, "name");
        assertNotNull(fresh);
        assertEquals(2, descriptors());
        assertNull(NameLock.take(folder, "name"));
        old.release();
        assertEquals(1, descriptors());
        assertNull(NameLock.take(folder, "name"), "it is another's than the old one");
        fresh.release();
        assertEquals(0, descriptors());
    }

    /** The places are of all versions: else two processes could have one name. */
    @ParameterizedTest
    @CsvSource({"a, 3cc147d274e3af6d", "name, 2605768e02b847d8"})
    void aNameIsLockedForOtherProcessesByOneByteOfTheFile(String name, String place) throws IOException {
        NameLock lock = NameLock.take(folder, name);
        long at = Long.parseLong(place, 16);
        try (FileChannel other = FileChannel.open(folder.resolve(NameLock.FILE), StandardOpenOption.WRITE)) {
            assertThrows(OverlappingFileLockException.class, () -> other.tryLock(at, 1, false));
            assertNotNull(other.tryLock(0, at, false), "what lies before is free");
            assertNotNull(other.tryLock(at + 1, Long.MAX_VALUE - at - 1, false), "what lies behind is free");
            lock.release();
            assertNotNull(other.tryLock(at, 1, false));
        }
    }
}
