package org.jvrpc.runtime.channel;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jvrpc.runtime.balance.KeyHash;

/** Random bits by a seed, the same ones for the same seed where one thread asks. Any thread; no lock. */
final class SeededRandom implements LongSupplier {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final AtomicLong state;

    SeededRandom(long seed) {
        this.state = new AtomicLong(seed);
    }

    @Override
    public long getAsLong() {
        return KeyHash.mix(state.addAndGet(STEP));
    }
}
