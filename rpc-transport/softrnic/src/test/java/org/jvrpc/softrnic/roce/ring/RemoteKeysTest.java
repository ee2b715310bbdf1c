package org.jvrpc.softrnic.roce.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemoteKeysTest {

    private static final int[] EDGES = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xffff, 0x10000, 0xffff0000};

    @Test
    void eachKeyIsFoundAgain() {
        RemoteKeys keys = RemoteKeys.random();
        for (int edge : EDGES) {
            for (int i = -1000; i < 1000; i++) {
                assertEquals(edge + i, keys.key(keys.of(edge + i)));
                assertEquals(edge + i, keys.of(keys.key(edge + i)));
            }
        }
    }

    /** The first keys of a device are 2^8 apart. */
    @Test
    void neighboursAreNoNeighboursAndNoTwoDevicesAreAlike() {
        RemoteKeys one = RemoteKeys.random();
        RemoteKeys other = RemoteKeys.random();
        Set<Integer> high = new HashSet<>();
        Set<Integer> low = new HashSet<>();
        Set<Integer> steps = new HashSet<>();
        int same = 0;
        for (int key = 0x101; key < 0x101 + (1000 << 8); key += 1 << 8) {
            high.add(one.of(key) >>> 16);
            low.add(one.of(key) & 0xffff);
            steps.add(one.of(key + (1 << 8)) - one.of(key));
            same += one.of(key) == other.of(key) ? 1 : 0;
        }
        assertTrue(high.size() > 950, "high halves=" + high.size());
        assertTrue(low.size() > 950, "low halves=" + low.size());
        assertTrue(steps.size() > 990, "steps=" + steps.size());
        assertTrue(same < 3, "same=" + same);
    }

    @Test
    void plainKeysAreAsTheyWere() {
        for (int edge : EDGES) {
            assertEquals(edge, RemoteKeys.plain().of(edge));
            assertEquals(edge, RemoteKeys.plain().key(edge));
        }
    }
}
