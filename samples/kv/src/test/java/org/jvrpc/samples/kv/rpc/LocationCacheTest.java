package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LocationCacheTest {

    @Test
    void theFourNewestOfASetAreThere() {
        LocationCache cache = new LocationCache(4);
        for (long hash = 1; hash <= 5; hash++) {
            cache.put(hash, hash * 100, (int) hash);
        }
        assertEquals(-1, cache.find(1));
        for (long hash = 2; hash <= 5; hash++) {
            int entry = cache.find(hash);
            assertEquals(hash * 100, cache.address(entry));
            assertEquals(hash, cache.length(entry));
        }
        cache.put(3, 7, 7);
        assertEquals(7, cache.address(cache.find(3)));
        cache.remove(cache.find(3));
        assertEquals(-1, cache.find(3));
        cache.put(6, 6, 6);
        assertEquals(200, cache.address(cache.find(2)), "the free place was taken");
        cache.clear();
        assertEquals(-1, cache.find(6));
    }

    @Test
    void whatIsFoundIsWhatWasPutLast() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        LocationCache cache = new LocationCache(64);
        Map<Long, Long> model = new HashMap<>();
        int hits = 0;
        for (int i = 0; i < 100_000; i++) {
            long hash = random.nextInt(100) * 0x10001L;
            int entry = cache.find(hash);
            if (entry >= 0) {
                hits++;
                assertEquals(model.get(hash), cache.address(entry), "seed " + seed);
            }
            if (random.nextInt(4) == 0) {
                cache.put(hash, i, 1);
                model.put(hash, (long) i);
            } else if (entry >= 0 && random.nextInt(10) == 0) {
                cache.remove(entry);
            }
        }
        assertTrue(hits > 1000, "hits=" + hits);
    }
}
