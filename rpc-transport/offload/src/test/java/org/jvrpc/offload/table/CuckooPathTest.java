package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Room is made without losing an entry, and without hiding one for a moment. */
final class CuckooPathTest {

    private static final int BUCKETS = 64;
    private static final int LONGEST = 16;

    /** Keys with two places each, drawn at random. */
    private static final class Model implements CuckooPath.Buckets {

        private final Map<Integer, long[]> places = new HashMap<>();
        private final int[] keys = new int[BUCKETS];
        private final List<Integer> living = new ArrayList<>();
        private int moves;

        @Override
        public boolean isEmpty(long bucket) {
            return keys[(int) bucket] == 0;
        }

        @Override
        public long other(long bucket) {
            long[] two = places.get(keys[(int) bucket]);
            return two[0] == bucket ? two[1] : two[0];
        }

        @Override
        public void move(long from, long to) {
            long[] two = places.get(keys[(int) from]);
            assertTrue(two[0] == to || two[1] == to, "moved to a place that is not its own");
            keys[(int) to] = keys[(int) from];
            moves++;
            for (int key : living) {
                assertTrue(isThere(key), () -> "key " + key + " was in none of its places for a moment");
            }
        }

        boolean isThere(int key) {
            long[] two = places.get(key);
            return keys[(int) two[0]] == key || keys[(int) two[1]] == key;
        }
    }

    @Test
    void entriesGiveWayAndNoneIsLost() {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("CuckooPathTest: jvrpc.test.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int moved = 0;
        for (int run = 0; run < 500; run++) {
            Model model = new Model();
            CuckooPath path = new CuckooPath(model, LONGEST);
            for (int key = 1; key <= BUCKETS; key++) {
                long[] two = {random.nextInt(BUCKETS), random.nextInt(BUCKETS)};
                model.places.put(key, two);
                model.moves = 0;
                int[] before = model.keys.clone();
                long room = path.room(two[0], two[1]);
                assertTrue(model.moves <= LONGEST, "moves=" + model.moves);
                if (room == CuckooPath.NONE) {
                    assertEquals(0, model.moves);
                    assertArrayEquals(before, model.keys);
                    continue;
                }
                moved += model.moves;
                assertTrue(room == two[0] || room == two[1]);
                model.keys[(int) room] = key;
                model.living.add(key);
                for (int living : model.living) {
                    assertTrue(model.isThere(living), () -> "key " + living + " is lost");
                }
            }
        }
        assertTrue(moved > 1000, "moved=" + moved);
    }

    /** Returns buckets of which each but the last holds an entry whose other place is the next. */
    private static Model row(int taken) {
        Model model = new Model();
        for (int bucket = 0; bucket < taken; bucket++) {
            model.places.put(bucket + 1, new long[] {bucket, bucket + 1});
            model.keys[bucket] = bucket + 1;
            model.living.add(bucket + 1);
        }
        return model;
    }

    @Test
    void asManyEntriesMoveAsMayAndNotOneMore() {
        Model model = row(LONGEST);
        assertEquals(0, new CuckooPath(model, LONGEST).room(0, 0));
        assertEquals(LONGEST, model.moves);
        Model longer = row(LONGEST + 1);
        assertEquals(CuckooPath.NONE, new CuckooPath(longer, LONGEST).room(0, 0));
        assertEquals(0, longer.moves);
    }
}
