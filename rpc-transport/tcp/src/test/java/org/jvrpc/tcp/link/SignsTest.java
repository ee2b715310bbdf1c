package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.tcp.link.LifeSigns.Due;

/** When a silent peer is asked for a sign of life, and given up. */
class SignsTest {

    private static final long IDLE_NS = 1000;

    private final LifeSigns signs = new LifeSigns(IDLE_NS, 0, 0);

    @Test
    void aPeerThatIsHeardIsNotAsked() {
        for (int i = 1; i < 100; i++) {
            assertEquals(Due.NOTHING, signs.look(i, i * 900L));
        }
    }

    @Test
    void aSilentPeerIsAskedOnceAndThenGivenUp() {
        assertEquals(Due.REST, signs.look(0, IDLE_NS));
        assertEquals(Due.PING, signs.look(0, IDLE_NS + 1));
        assertEquals(Due.REST, signs.look(0, 2 * IDLE_NS + 1));
        assertEquals(Due.FAIL, signs.look(0, 2 * IDLE_NS + 2));
    }

    @Test
    void whoAnswersIsAskedAgainLater() {
        assertEquals(Due.PING, signs.look(0, 1001));
        assertEquals(Due.NOTHING, signs.look(1, 1200));
        assertEquals(Due.REST, signs.look(1, 2200));
        assertEquals(Due.PING, signs.look(1, 2201));
    }
}
