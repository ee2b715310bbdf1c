package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An item is replaced, and the process dies behind each of the stores that this takes. Some peers have the place of the
 * old item, others find the new one: who finds that must not be followed by one who still takes the old one.
 */
class ReplacementTest {

    private static final byte[] KEY = "key".getBytes();
    private static final byte[] OLD = "old".getBytes();
    private static final byte[] NEW = "new value".getBytes();

    private static final List<String> BEFORE = List.of("old to 0");
    private static final int DEATHS = 4;
    private static final int REPAIR_STORES = 60_000;

    private final long seed = Long.getLong("jvrpc.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private int deaths;

    /** Returns the values that peers can take for the key's, wherever they look. */
    private static List<String> live(Store store) {
        Items items = store.items();
        List<String> values = new ArrayList<>();
        ItemReader reader = new ItemReader();
        for (int p = 0; p < items.slabs.pagesInUse(); p++) {
            int sizeClass = items.slabs.classOf(p);
            for (int i = 0; sizeClass >= 0 && i < Slabs.PAGE / SizeClasses.chunk(sizeClass); i++) {
                long item = items.slabs.chunk(p, sizeClass, i);
                ByteBuffer copy = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
                items.memory.copyOut(item, copy, 0, Math.min(200, SizeClasses.chunk(sizeClass) - 32));
                if (reader.verify(copy, 0, 200, KEY, 0, KEY.length, store.clock().seconds()) == ReadOutcome.HIT) {
                    copy.clear();
                    values.add(new String(copy.array(), reader.valueOffset(), reader.valueLength()) + " to "
                            + reader.expiry());
                }
            }
        }
        return values;
    }

    private static Consumer<Store> change(String how) {
        return switch (how) {
            case "set" -> store -> store.set(KEY, NEW, 0, 0);
            case "touch" -> store -> store.touch(
                    new StoreRequest().key(ByteBuffer.wrap(KEY), 0, KEY.length).expiry(2_000_000_000), null);
            default -> store -> store.store(StoreMode.APPEND, new StoreRequest()
                    .key(ByteBuffer.wrap(KEY), 0, KEY.length).value(ByteBuffer.wrap(NEW), 0, NEW.length));
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"set", "touch", "append"})
    void oldAndNewAreNeverBothThere(String how) {
        System.out.println("-Djvrpc.seed=" + seed);
        Set<String> after = new HashSet<>();
        int cut = 0;
        for (boolean ended = false; !ended; cut++) {
            FakeClock clock = new FakeClock(1_700_000_000);
            StoreSettings settings = StoreSettings.ofMemory(4L << 20).withBuckets(4, 4).withGraceNs(0);
            try (TestRegion region = new TestRegion(settings.regionBytes())) {
                Store first = Store.create(region.region(), settings, clock);
                first.set(KEY, OLD, 0, 0);
                first.set("other".getBytes(), OLD, 0, 0);
                CuttingMemory memory = new CuttingMemory(region.region());
                Store store = Store.attach(memory, clock);
                memory.left = cut;
                try {
                    change(how).accept(store);
                    ended = true;
                } catch (CuttingMemory.CutException e) {
                    assertTrue(cut < 1000);
                }
                after.add(afterDeath(region, clock, first, how + " cut=" + cut));
            }
        }
        assertEquals(2, after.size(), "the old one and the new one were left: " + after);
        assertTrue(cut > 10 && deaths > 10, "cut=" + cut + " deaths of who repairs=" + deaths);
    }

    /**
     * Whoever takes the store up keeps what peers can have seen, and has one of the two. Some who do so die themselves;
     * peers read on meanwhile.
     */
    private String afterDeath(TestRegion region, FakeClock clock, Store first, String cut) {
        List<String> seen = List.of();
        for (int death = 0; death < DEATHS; death++) {
            seen = see(seen, first, cut);
            CuttingMemory memory = new CuttingMemory(region.region());
            memory.left = random.nextInt(REPAIR_STORES);
            try {
                Store.attach(memory, clock);
            } catch (CuttingMemory.CutException e) {
                deaths++;
            }
        }
        Store next = Store.attach(region.region(), clock);
        Audit.check(next);
        seen = see(seen, next, cut);
        assertEquals(1, seen.size(), cut);
        return seen.get(0);
    }

    private List<String> see(List<String> seen, Store store, String cut) {
        List<String> now = live(store);
        String what = cut + " seed=" + seed + " showed " + seen + ", then " + now;
        assertTrue(now.size() <= 1, what);
        assertTrue(seen.isEmpty() || now.isEmpty() || seen.equals(BEFORE) || seen.equals(now), what);
        return now.isEmpty() ? seen : now;
    }
}
