package org.jvrpc.softrnic.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.VerbsException;

class QueuePairNumbersTest {

    private final int[] bits = {1};
    private final long[] nowNs = {0};
    private final QueuePairNumbers numbers = new QueuePairNumbers(() -> bits[0]++, () -> nowNs[0]);

    @Test
    void theFirstNumbersAreOfOthersAndTheHighestBitsAreNotUsed() {
        assertEquals(0x11, numbers.claim());
        bits[0] = 0xffffffff;
        assertEquals(0x7fffff, numbers.claim());
    }

    @Test
    void aNumberRestsBeforeItIsUsedAgain() {
        bits[0] = 0x100;
        assertEquals(0x100, numbers.claim());
        numbers.release(0x100);
        bits[0] = 0x100;
        nowNs[0] = QueuePairNumbers.REST_NS - 1;
        assertEquals(0x101, numbers.claim());
        bits[0] = 0x100;
        nowNs[0] = QueuePairNumbers.REST_NS;
        assertEquals(0x100, numbers.claim());
    }

    @Test
    void aNumberThatIsInUseIsNobodyElses() {
        bits[0] = 0x200;
        numbers.claim();
        bits[0] = 0x200;
        assertEquals(0x201, numbers.claim());
    }

    @Test
    void halfOfAllIsTheMost() {
        for (int i = 0; i <= 0x7fffff / 2; i++) {
            numbers.claim();
        }
        assertThrows(VerbsException.class, numbers::claim);
    }
}
