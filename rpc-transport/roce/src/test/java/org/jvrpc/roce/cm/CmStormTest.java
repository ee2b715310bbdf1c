package org.jvrpc.roce.cm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Some messages of very many that a run by hand has: {@code -Djvrpc.storm.messages=N -Djvrpc.storm.seed=N}. */
class CmStormTest {

    private static final long MESSAGES = Long.getLong("jvrpc.storm.messages", 100_000);
    private static final long SEED = Long.getLong("jvrpc.storm.seed", System.nanoTime());

    @Test
    void noMessageHasAManagerSayWhatIsNotSo() {
        CmStorm storm = new CmStorm();
        long next = storm.run(SEED, MESSAGES);
        System.out.println("-Djvrpc.storm.seed=" + SEED + " next=" + next + " " + storm);
        assertTrue(storm.messages() >= MESSAGES);
    }
}
