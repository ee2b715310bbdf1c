package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A region of more than one window of 1 GiB. */
class LargeRegionTest {

    private static final long NEEDED = 3L << 30;
    private static final int ITEMS = 1100;

    @Test
    void pagesOfAllWindowsAreUsedAndFoundAgain() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(shm), "no /dev/shm");
        long free = Files.getFileStore(shm).getUsableSpace();
        assumeTrue(free > NEEDED, "/dev/shm has " + free + " bytes, this takes " + NEEDED);
        FakeClock clock = new FakeClock(1_700_000_000);
        StoreSettings settings = StoreSettings.ofMemory(1200L << 20).withBuckets(1 << 16, 1 << 16);
        try (TestRegion region = new TestRegion(settings.regionBytes())) {
            assertTrue(region.region().length() > Memory.WINDOW, "length=" + region.region().length());
            Store store = Store.create(region.region(), settings, clock);
            byte[] value = new byte[Item.MAX_VALUE];
            for (int i = 0; i < ITEMS; i++) {
                fill(value, i);
                assertEquals(StoreResult.STORED, store.set(key(i), value, i, 0));
                clock.addNanos(1000);
            }
            store.items().superblock.begin();
            Store attached = Store.attach(region.region(), clock);
            assertEquals(1, attached.statistics().get(Counter.REPAIRS));
            Audit.check(attached);
            for (int i = 0; i < ITEMS; i += 7) {
                fill(value, i);
                assertArrayEquals(value, attached.get(key(i)));
            }
            assertEquals(ITEMS, attached.statistics().items());
        }
    }

    private static byte[] key(int number) {
        return ("large-" + number).getBytes();
    }

    /** Cheap and different for each item, at both ends at least. */
    private static void fill(byte[] value, int seed) {
        byte[] some = new byte[64];
        new Random(seed).nextBytes(some);
        Arrays.fill(value, some[0]);
        System.arraycopy(some, 0, value, 0, some.length);
        System.arraycopy(some, 0, value, value.length - some.length, some.length);
    }
}
