package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.MemoryRegion;

/** The process dies between two stores of an update. */
class RecoveryTest {

    private static final int ROUNDS = 400;
    /** Stores: within one command, within some, and within some that open pages. */
    private static final int[] CUT_WITHIN = {60, 2000, 60_000};

    @Test
    void whoAttachesFindsEveryUpdateWholeOrNotAtAll() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        FakeClock clock = new FakeClock(1_700_000_000);
        int cuts = 0;
        long busy = 0;
        try (TestRegion region = new TestRegion(20L << 20)) {
            StoreSettings settings = StoreSettings.ofMemory(12L << 20).withBuckets(4, 4).withGraceNs(1_000_000);
            Store first = Store.create(region.region(), settings, clock);
            StoreModel model = new StoreModel(random, clock, 150, 120);
            for (int i = 0; i < 20; i++) {
                model.step(first);
            }
            for (int round = 0; round < ROUNDS; round++) {
                CuttingMemory memory = new CuttingMemory(region.region());
                Store store = Store.attach(memory, clock);
                memory.left = random.nextInt(CUT_WITHIN[round % CUT_WITHIN.length]);
                cuts += run(store, model, clock) ? 1 : 0;
                Store after = attachPerhapsCutAgain(region.region(), clock, random);
                Audit.check(after);
                busy = Math.max(busy, after.statistics().items());
                resolve(after, model);
                assertEquals(0, after.statistics().get(Counter.EVICTIONS), "nothing is evicted here");
                model.compareAll(after);
                Audit.check(after);
            }
        }
        System.out.println("cuts=" + cuts + " with " + busy + " items at most");
        assertTrue(cuts > ROUNDS / 2 && busy > 40, "cuts=" + cuts + " items=" + busy);
    }

    private StoreModel.Entry before;
    private String cutKey;

    private boolean run(Store store, StoreModel model, FakeClock clock) {
        for (int i = 0; i < 200; i++) {
            var copy = new java.util.HashMap<>(model.entries);
            try {
                model.step(store);
                clock.addNanos(200_000);
            } catch (CuttingMemory.CutException cut) {
                changed(copy, model);
                return true;
            }
        }
        cutKey = null;
        return false;
    }

    /** What the command that was cut off changed. More than one key only by a flush, which the map then has wholly. */
    private void changed(java.util.Map<String, StoreModel.Entry> copy, StoreModel model) {
        cutKey = null;
        if (model.entries.isEmpty()) {
            cutKey = "*";
            return;
        }
        for (int i = 0; i < 150; i++) {
            String key = "key" + i;
            if (copy.get(key) != model.entries.get(key)) {
                cutKey = key;
                before = copy.get(key);
            }
        }
    }

    private Store attachPerhapsCutAgain(MemoryRegion region, FakeClock clock, Random random) {
        if (random.nextInt(3) == 0) {
            CuttingMemory memory = new CuttingMemory(region);
            memory.left = random.nextInt(20_000);
            try {
                Store.attach(memory, clock);
            } catch (CuttingMemory.CutException cut) {
                return Store.attach(region, clock);
            }
        }
        return Store.attach(region, clock);
    }

    /** The command that was cut off counts as done or as not done: the map takes over which. */
    private void resolve(Store store, StoreModel model) {
        if (cutKey == null) {
            return;
        }
        for (int i = 0; i < 150; i++) {
            String key = "key" + i;
            if (!cutKey.equals("*") && !cutKey.equals(key)) {
                continue;
            }
            byte[] found = store.get(key.getBytes());
            StoreModel.Entry after = model.entries.get(key);
            if (cutKey.equals("*")) {
                takeOver(store, model, key);
            } else if (found == null) {
                assertTrue(before == null || after == null || isOver(before, store), "lost: " + key);
                model.entries.remove(key);
            } else if (after == null || !Arrays.equals(after.value(), found)) {
                takeOver(store, model, key);
                boolean either = before == null || Arrays.equals(before.value(), found)
                        || new String(found).matches("[0-9]{1,3}");
                assertTrue(either, "neither the old nor the new value of " + key);
            } else {
                takeOver(store, model, key);
            }
        }
    }

    private static boolean isOver(StoreModel.Entry entry, Store store) {
        return entry.expiry() != 0 && entry.expiry() <= store.clock().seconds();
    }

    private void takeOver(Store store, StoreModel model, String key) {
        model.entries.remove(key);
        byte[] bytes = key.getBytes();
        store.get(new StoreRequest().key(ByteBuffer.wrap(bytes), 0, bytes.length), item -> model.entries.put(
                key, new StoreModel.Entry(StoreModel.valueOf(item), item.flags(), item.expiry())));
    }

    @Test
    void aStoreThatWasLeftWholeIsTakenUpWithoutRepair() {
        FakeClock clock = new FakeClock(1_700_000_000);
        StoreSettings settings = StoreSettings.ofMemory(8L << 20);
        try (TestRegion region = new TestRegion(settings.regionBytes())) {
            Store store = Store.create(region.region(), settings, clock);
            store.set("a".getBytes(), "1".getBytes(), 0, 0);
            Store second = Store.attach(region.region(), clock);
            assertEquals("1", new String(second.get("a".getBytes())));
            assertEquals(0, second.statistics().get(Counter.REPAIRS));
        }
    }
}
