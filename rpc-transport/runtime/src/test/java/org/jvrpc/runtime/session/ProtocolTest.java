package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sessions of each kind may ask for, and in what steps it becomes less. */
class ProtocolTest {

    private static Hello lessened(Protocol protocol, int units, int unitBytes, long bytes) {
        Hello asked = Hello.request(protocol, units, unitBytes, 1 << 30);
        return protocol.lessen(asked, bytes, (same, less, most, lessBytes) -> {
            assertSame(protocol, same);
            assertEquals(less, most, "what a grant is measured by is what it may become");
            return (long) less * lessBytes;
        });
    }

    /** First fewer units down to four, then shorter ones down to 1024 bytes, then both to the least there is. */
    @ParameterizedTest
    @CsvSource({"CALLS,    64, 4096, 262144, 64, 4096", "CALLS,    64, 4096, 262143, 32, 4096",
        "CALLS,    64, 4096,  16384,  4, 4096", "CALLS,    64, 4096,  16383,  4, 2048",
        "CALLS,    64, 4096,   4096,  4, 1024", "CALLS,    64, 4096,   4095,  3, 1024",
        "CALLS,    64, 4096,   1024,  1, 1024", "CALLS,    64, 4096,   1023,  1,  512",
        "CALLS,    64, 4096,    256,  1,  256", "CALLS,     7, 1024,   7167,  4, 1024",
        "CALLS,     4, 1500,   5999,  4, 1024", "CALLS,     1,  300,    299,  1,  256",
        "CALLS,     1, 1024,   1023,  1,  512", "CALLS,     5, 1024,   5119,  4, 1024",
        "MESSAGES,  7, 1024,   7167,  4, 1024", "MESSAGES,  4, 1025,   4099,  4, 1024",
        "MESSAGES,  4, 1024,   4095,  4,  512", "MESSAGES,  4,  300,   1199,  4,  256"})
    void aGrantBecomesLessInSteps(Protocol protocol, int units, int unitBytes, long bytes, int less, int lessBytes) {
        Hello asked = Hello.request(protocol, units, unitBytes, 1 << 30);
        assertEquals(asked.withUnits(less, lessBytes), lessened(protocol, units, unitBytes, bytes));
    }

    @Test
    void whereTheLeastIsTooMuchNothingIsGranted() {
        assertNull(lessened(Protocol.CALLS, 64, 4096, 255));
        assertNull(lessened(Protocol.MESSAGES, 64, 4096, 1023));
    }

    @ParameterizedTest
    @CsvSource({"CALLS, 1, 4096", "MESSAGES, 4, 1024"})
    void unitsHaveTheirRange(Protocol protocol, int least, int most) {
        assertEquals(least, protocol.minUnits());
        assertEquals(most, protocol.maxUnits());
        for (int units : new int[] {least, most}) {
            assertTrue(protocol.fits(units, 256));
            assertTrue(protocol.fits(units, 1 << 20));
            assertFalse(protocol.fits(units, 255));
            assertFalse(protocol.fits(units, (1 << 20) + 1));
        }
        assertFalse(protocol.fits(least - 1, 256));
        assertFalse(protocol.fits(most + 1, 256));
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 2, 5, 4", "4, 3, 2, 8, 7", "8, 3, 2, 12, 11", "12, 3, 2, 16, 15", "13, 4, 2, 18, 17",
        "16, 7, 2, 24, 21", "64, 55, 13, 120, 70", "4096, 4087, 1021, 8184, 4102"})
    void oneWayCallsAndControlMessagesHaveReceivesOfTheirOwn(
            int slots, int credits, int batch, int requests, int answers) {
        assertEquals(credits, Protocol.CALLS.oneWayCredits(slots));
        assertEquals(batch, Protocol.creditBatch(credits));
        assertEquals(requests, Protocol.CALLS.requests(slots));
        assertEquals(answers, Protocol.CALLS.answers(slots), "beside answers: credits in batches, the end, more slots");
    }

    @Test
    void fewCreditsComeBackOneByOne() {
        assertEquals(1, Protocol.creditBatch(1));
        assertEquals(1, Protocol.creditBatch(2));
    }

    @Test
    void piecesNeedNoCreditsBesideThoseOfTheirWindow() {
        assertEquals(0, Protocol.MESSAGES.oneWayCredits(8));
        assertEquals(8 + Protocol.CONTROLS, Protocol.MESSAGES.requests(8));
        assertEquals(8 + Protocol.CONTROLS, Protocol.MESSAGES.answers(8));
    }

    @Test
    void eachIsKnownByItsMagic() {
        for (Protocol protocol : Protocol.values()) {
            assertSame(protocol, Protocol.ofMagic(protocol.magic()));
        }
        assertNull(Protocol.ofMagic(0));
    }
}
