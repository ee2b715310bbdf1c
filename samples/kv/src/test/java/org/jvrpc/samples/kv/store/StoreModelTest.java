package org.jvrpc.samples.kv.store;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands against a map. */
class StoreModelTest {

    @ParameterizedTest
    @ValueSource(ints = {20, 300, 3000})
    void everyCommandDoesWhatAMapWould(int keys) {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed + " keys=" + keys);
        FakeClock clock = new FakeClock(1_700_000_000);
        StoreSettings settings = StoreSettings.ofMemory(64L << 20).withBuckets(16, 16);
        try (TestRegion region = new TestRegion((64L << 20) + (8L << 20))) {
            Store store = Store.create(region.region(), settings, clock);
            StoreModel model = new StoreModel(new Random(seed), clock, keys, 6000);
            for (int i = 0; i < 20_000; i++) {
                model.step(store);
                clock.addNanos(100_000);
                if (i % 2000 == 0) {
                    Audit.check(store);
                }
                if (i == 10_000) {
                    store = Store.attach(region.region(), clock);
                }
            }
            model.compareAll(store);
            Audit.check(store);
        }
    }
}
