package org.jvrpc.runtime.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.ServingStatus;

/** When a server is asked, and what is made of its answers, by a clock of the test's. */
class CheckupTest {

    private static final long PERIOD = 1_000_000_000L;
    private static final long MIDDLE = 1L << 63; // a lot that changes nothing

    private final HealthOptions options = HealthOptions.of("org.acme.Orders", Duration.ofSeconds(1));
    private final HealthProbe probe = new HealthProbe(null, "test", CallOptions.DEFAULT);
    private final Checkup checkup = new Checkup(options, () -> MIDDLE);

    @Test
    void nothingIsAskedWhereNobodyWants() {
        Checkup off = new Checkup(null, () -> MIDDLE);
        off.begin(null, 0);
        assertTrue(off.isWell());
        assertEquals(Long.MAX_VALUE, off.waitNs(0));
        assertNull(off.tryAsk(0));
    }

    @Test
    void aServerIsAskedAtOnceThenOneQuestionAtATimeAPeriodBehindTheLastAnswer() {
        assertNull(checkup.tryAsk(0));
        checkup.begin(probe, 5);
        assertFalse(checkup.isKnown());
        assertSame(probe, checkup.tryAsk(5));
        assertNull(checkup.tryAsk(5 + 10 * PERIOD));
        assertEquals(Long.MAX_VALUE, checkup.waitNs(5));
        checkup.answered(probe, ServingStatus.SERVING, null, 7);
        assertTrue(checkup.isWell());
        assertEquals(PERIOD, checkup.waitNs(7));
        assertNull(checkup.tryAsk(6 + PERIOD));
        assertSame(probe, checkup.tryAsk(7 + PERIOD));
        assertTrue(checkup.isWell()); // until there is another answer
    }

    @Test
    void theTimesOfManyServersSpreadByATenth() {
        long[] lots = {0, -1};
        long[] waits = new long[2];
        for (int i = 0; i < 2; i++) {
            long lot = lots[i];
            Checkup one = new Checkup(options, () -> lot);
            one.begin(probe, 0);
            one.tryAsk(0);
            one.answered(probe, ServingStatus.SERVING, null, 0);
            waits[i] = one.waitNs(0);
        }
        assertEquals(0.9 * PERIOD, waits[0], 10);
        assertEquals(1.1 * PERIOD, waits[1], 10);
    }

    @ParameterizedTest
    @EnumSource(ServingStatus.class)
    void onlyAServerThatServesIsWell(ServingStatus status) {
        checkup.begin(probe, 0);
        checkup.tryAsk(0);
        checkup.answered(probe, status, null, 0);
        assertTrue(checkup.isKnown());
        assertEquals(status == ServingStatus.SERVING, checkup.isWell());
        assertEquals(status == ServingStatus.SERVING ? "" : "it says that org.acme.Orders is " + status,
                checkup.reason());
    }

    @ParameterizedTest
    @EnumSource(value = Status.class, mode = EnumSource.Mode.EXCLUDE, names = {"OK"})
    void aServerThatDoesNotSayIsNotWellUnlessItHasNoSuchService(Status status) {
        checkup.begin(probe, 0);
        checkup.tryAsk(0);
        checkup.answered(probe, null, new RpcException(status, "so it is"), 0);
        if (status == Status.UNIMPLEMENTED) {
            assertTrue(checkup.isWell());
            assertEquals(Long.MAX_VALUE, checkup.waitNs(0));
        } else {
            assertFalse(checkup.isWell());
            assertEquals("its health check failed: " + status + ": so it is", checkup.reason());
            assertSame(probe, checkup.tryAsk(PERIOD));
            checkup.answered(probe, ServingStatus.SERVING, null, PERIOD);
            assertTrue(checkup.isWell());
        }
    }

    @Test
    void anOldConnectionSaysNothingOfTheNext() {
        checkup.begin(probe, 0);
        checkup.tryAsk(0);
        checkup.answered(probe, ServingStatus.NOT_SERVING, null, 0);
        checkup.end();
        assertFalse(checkup.isKnown());
        assertEquals(Long.MAX_VALUE, checkup.waitNs(0));
        HealthProbe next = new HealthProbe(null, "test", CallOptions.DEFAULT);
        checkup.begin(next, 1);
        assertSame(next, checkup.tryAsk(1));
        checkup.answered(probe, ServingStatus.SERVING, null, 1);
        assertFalse(checkup.isKnown());
        checkup.answered(next, ServingStatus.SERVING, null, 1);
        assertTrue(checkup.isWell());
    }

    @Test
    void periodsOutOfRangeAreRefused() {
        for (Duration period : new Duration[] {Duration.ofMillis(9), Duration.ofDays(1).plusNanos(1)}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> HealthOptions.of("", period));
            assertTrue(e.getMessage().contains(period.toString()), e.getMessage());
        }
        assertEquals(1_000_000_000L, HealthOptions.of("", Duration.ofMillis(10)).limitNs());
        assertEquals(2_000_000_000L, HealthOptions.of("", Duration.ofSeconds(2)).limitNs());
    }
}
