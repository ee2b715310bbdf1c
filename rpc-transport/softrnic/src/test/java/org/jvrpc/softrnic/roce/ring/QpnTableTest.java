package org.jvrpc.softrnic.roce.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class QpnTableTest {

    private static final int STEPS = 20_000;
    private static final int NUMBERS = 700;

    private final QpnTable<Integer> table = new QpnTable<>();

    @Test
    void itHasWhatAMapWouldHave() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<Integer, Integer> expected = new HashMap<>();
        for (int i = 0; i < STEPS; i++) {
            int qpn = random.nextInt(NUMBERS) << random.nextInt(3) * 4; // some share their low bits
            if (random.nextInt(5) < 3) {
                table.put(qpn, i);
                expected.put(qpn, i);
            } else {
                table.remove(qpn);
                expected.remove(qpn);
            }
            assertEquals(expected.get(qpn), table.find(qpn), "seed=" + seed + " step=" + i);
        }
        expected.forEach((qpn, value) -> assertEquals(value, table.find(qpn), "seed=" + seed + " qpn=" + qpn));
        List<Integer> all = new ArrayList<>();
        table.forEach(all::add);
        all.sort(null);
        assertEquals(expected.values().stream().sorted().toList(), all, "seed=" + seed);
    }

    @Test
    void aRemovedOneIsNotFound() {
        table.put(17, 1);
        table.put(33, 2); // of the same bucket
        table.remove(17);
        assertNull(table.find(17));
        assertEquals(2, table.find(33));
    }

    /** Packets come while QPs are made and closed. */
    @Test
    void whatIsThereIsFoundWhileOthersComeAndGo() throws InterruptedException {
        table.put(5, 50);
        AtomicBoolean lost = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!done.get()) {
                Integer found = table.find(5);
                if (found == null || found != 50) {
                    lost.set(true);
                }
            }
        });
        reader.start();
        for (int i = 0; i < STEPS; i++) {
            table.put(5 + (i % NUMBERS + 1) * 16, i);
            table.remove(5 + (i * 7 % NUMBERS + 1) * 16);
        }
        done.set(true);
        reader.join();
        assertEquals(false, lost.get());
    }
}
