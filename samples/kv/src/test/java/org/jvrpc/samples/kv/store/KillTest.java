package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** A process is killed while it stores. Another one takes the store up. */
class KillTest {

    private static final int ROUNDS = 8;

    @TempDir
    Path folder;

    @Test
    void everyValueThatWasToldAsStoredIsThereAfterAKill() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        StoreSettings settings = StoreSettings.ofMemory(16L << 20).withBuckets(64, 64);
        int length = (int) settings.regionBytes() + (2 << 20);
        Path file = folder.resolve("region");
        Store.create(new MappedRegion(file, length), settings, Clock.system());
        long[] told = new long[KilledWriter.KEYS];
        long next = 0;
        long repairs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            next = 1 + killed(file, length, next, 300 + random.nextInt(4000), told);
            Store store = Store.attach(new MappedRegion(file, length), Clock.system());
            Audit.check(store);
            repairs = store.statistics().get(Counter.REPAIRS);
            for (int k = 0; k < KilledWriter.KEYS; k++) {
                check(store, k, told[k], next);
            }
        }
        System.out.println("repairs=" + repairs + " of " + ROUNDS + " kills, values=" + next);
    }

    /** At the most, one that was not told yet was under way: stored or not, or deleted to be stored. */
    private static void check(Store store, int key, long told, long next) {
        byte[] value = store.get(KilledWriter.key(key));
        boolean underWay = next % KilledWriter.KEYS == key;
        if (value == null) {
            assertTrue(underWay && next % 7 == 0, "lost: key=" + key + " told=" + told + " next=" + next);
            return;
        }
        assertNotNull(value);
        long number = KilledWriter.numberOf(value);
        assertTrue(number == told || underWay && number == next, "key=" + key + " told=" + told + " is=" + number);
        assertArrayEquals(KilledWriter.value(number), value);
    }

    /** @return the last number that was told */
    private static long killed(Path file, int length, long first, int values, long[] told) {
        long last = first - 1;
        try (ChildJvm process = JavaCommand.of(KilledWriter.class)
                .arguments(file.toString(), Integer.toString(length), Long.toString(first)).start()) {
            for (String line = process.line(); line != null; line = process.line()) {
                last = Long.parseLong(line);
                told[(int) (last % KilledWriter.KEYS)] = last;
                if (last - first == values) {
                    process.kill(); // what it had said before is read on
                }
            }
        }
        assertTrue(last - first >= values, "the writer ended by itself after " + (last - first));
        return last;
    }
}
