package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.contract.Background;

/** A process looks keys up while their owner gives the entry of the table to other regions. */
class SharedKeysTest {

    private static final int SLAB_BYTES = 1 << 20;
    private static final int INDEX = 5;
    private static final int PD = 3;
    private static final int LENGTH = 4096;
    private static final int TURNS = 2_000_000;

    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(SLAB_BYTES), 0);
    private final ByteBuffer table = slab.window(slab.base());
    private final long[] starts = {slab.base() + (1 << 19), slab.base() + (1 << 19) + 2 * LENGTH};

    /** An even key is that of the first region, which nobody may write; an odd one that of the second. */
    private static int key(int number) {
        return INDEX << 8 | number & 0xff;
    }

    private int give() {
        int at = RegionEntry.offset(key(0));
        for (int number = 1; number <= TURNS; number++) {
            RegionEntry.retract(table, at);
            RegionEntry.publish(table, at, key(number), number & 1, PD, starts[number & 1], LENGTH);
        }
        return TURNS;
    }

    /** Looks while the owner is at it, and once more when it has done: then the last key is there. */
    private void whileGiven(Look look) {
        Background<Integer> owner = Background.start("owner", this::give);
        SharedKeys keys = new SharedKeys(new OneSlab(slab), PD);
        int at = RegionEntry.offset(key(0));
        int found = 0;
        boolean last;
        do {
            last = owner.isDone();
            int now = RegionEntry.key(table, at);
            found += now != 0 && look.finds(keys, now, now & 1) ? 1 : 0;
        } while (!last);
        assertEquals(TURNS, owner.join(60));
        assertTrue(found > 0);
    }

    /** Looks a key up by which the first or the second region may be reached; returns whether it was found. */
    @FunctionalInterface
    private interface Look {
        boolean finds(SharedKeys keys, int key, int which);
    }

    @Test
    void aKeyIsNeverGoodForTheRegionThatHasItsEntryNext() {
        whileGiven((keys, key, which) -> {
            assertFalse(keys.find(key, starts[1 - which], 8, which) != null, "a key reached another's region");
            return keys.find(key, starts[which], 8, which) != null;
        });
    }

    @Test
    void whatIsKeptOfAKeyIsItsOwn() {
        whileGiven((keys, key, which) -> {
            SharedKeys.Region region = keys.region(key, 0);
            assertTrue(region == null || region.start() == starts[which] && region.end() == starts[which] + LENGTH,
                    "what is kept of a key is another's");
            return region != null;
        });
    }
}
