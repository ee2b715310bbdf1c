package org.jvrpc.runtime.channel.lookup;

import java.util.function.LongSupplier;
import org.jvrpc.runtime.balance.ConnectionBackoff;

/** The pauses between attempts that fail, one after the other. One thread at a time. */
public final class Backoff {

    private final ConnectionBackoff settings;
    private final LongSupplier random;
    /** The next pause, without jitter. */
    private double baseNs;

    public Backoff(ConnectionBackoff settings, LongSupplier random) {
        this.settings = settings;
        this.random = random;
        succeeded();
    }

    /** An attempt failed; returns after how many nanoseconds the next one is to be made. */
    public long failed() {
        double lot = (random.getAsLong() >>> 11) * 0x1p-52 - 1; // from -1, evenly, to 1
        double pauseNs = baseNs * (1 + settings.jitter() * lot);
        double mostNs = settings.max().toNanos();
        baseNs = Math.min(baseNs * settings.multiplier(), mostNs);
        return (long) Math.min(pauseNs, mostNs);
    }

    /** The next pause is the first again. */
    public void succeeded() {
        baseNs = settings.initial().toNanos();
    }
}
