package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Some packets of those that a run by hand has 10^8 of: {@code -Djvrpc.storm.packets=N -Djvrpc.storm.seed=N}. */
class PacketStormTest {

    private static final long PACKETS = Long.getLong("jvrpc.storm.packets", 300_000);
    private static final long SEED = Long.getLong("jvrpc.storm.seed", System.nanoTime());

    @Test
    void noPacketHasAQpDoWhatItMayNot() {
        PacketStorm storm = new PacketStorm();
        long next = storm.run(SEED, PACKETS);
        System.out.println("-Djvrpc.storm.seed=" + SEED + " next=" + next + " " + storm);
        assertTrue(storm.packets() >= PACKETS);
    }
}
