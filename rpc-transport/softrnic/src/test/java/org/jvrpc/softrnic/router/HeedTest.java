package org.jvrpc.softrnic.router;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.router.wire.SubmitRing;

final class HeedTest {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(SubmitRing.BYTES);
    private final Heed heed = new Heed(memory, 0);

    private void router(int word) {
        SubmitRing.heed(memory, 0, word);
    }

    @Test
    void aRouterThatDoesNotLookIsToldOnceUntilItHasHeardThat() {
        assertFalse(heed.isCertain());
        for (int i = 0; i < 100; i++) {
            assertTrue(heed.isCertain(), "it has yet to hear the first frame");
        }
        router(2); // it has, and is about to look
        assertFalse(heed.isCertain());
        assertTrue(heed.isCertain());
    }

    @Test
    void aRouterThatLooksIsNotTold() {
        router(1);
        assertTrue(heed.isCertain());
        router(2);
        assertFalse(heed.isCertain());
        router(3);
        assertTrue(heed.isCertain());
        router(4); // it looks no more
        assertFalse(heed.isCertain());
    }

    @Test
    void theWordMayComeRound() {
        router(-2);
        assertFalse(heed.isCertain());
        router(0);
        assertFalse(heed.isCertain());
        assertTrue(heed.isCertain());
    }
}
