package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.channel.lookup.Backoff;

class BackoffTest {

    private static final long MIDDLE = 1L << 63; // a lot that changes nothing
    private static final double S = 1e9;

    private static List<Double> pauses(Backoff backoff, int count) {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seconds.add(Math.round(backoff.failed() / 1e6) / 1e3);
        }
        return seconds;
    }

    @Test
    void pausesGrowFromOneSecondToTwoMinutes() {
        assertEquals(List.of(1.0, 1.6, 2.56, 4.096, 6.554, 10.486, 16.777, 26.844, 42.95, 68.719, 109.951, 120.0,
                        120.0),
                pauses(new Backoff(ConnectionBackoff.DEFAULT, () -> MIDDLE), 13));
    }

    @Test
    void jitterIsAFifthUpAndDownAndNeverMoreThanTheLongestPause() {
        assertEquals(List.of(0.8, 1.28), pauses(new Backoff(ConnectionBackoff.DEFAULT, () -> 0), 2));
        List<Double> most = pauses(new Backoff(ConnectionBackoff.DEFAULT, () -> -1), 20);
        assertEquals(List.of(1.2, 1.92), most.subList(0, 2));
        assertEquals(120.0, most.get(19));
    }

    @Test
    void lotsAreEvenAndTheSameForTheSameSeed() {
        double sum = 0;
        SeededRandom random = new SeededRandom(7);
        SeededRandom again = new SeededRandom(7);
        for (int i = 0; i < 2000; i++) {
            long pauseNs = new Backoff(ConnectionBackoff.DEFAULT, random).failed();
            assertEquals(pauseNs, new Backoff(ConnectionBackoff.DEFAULT, again).failed());
            assertTrue(pauseNs >= 0.8 * S && pauseNs <= 1.2 * S, "pauseNs=" + pauseNs);
            sum += pauseNs;
        }
        assertEquals(1, sum / 2000 / S, 0.02);
    }

    @Test
    void aSuccessBeginsAnew() {
        Backoff backoff = new Backoff(ConnectionBackoff.DEFAULT, () -> MIDDLE);
        pauses(backoff, 5);
        backoff.succeeded();
        assertEquals(List.of(1.0, 1.6), pauses(backoff, 2));
    }

    @Test
    void whatIsOnThisHostIsTriedAgainSoon() {
        assertEquals(List.of(0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.5, 0.5),
                pauses(new Backoff(ConnectionBackoff.LOCAL, () -> -1), 11));
    }

    @Test
    void settingsOutOfTheirRangeAreRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBackoff(Duration.ZERO, 2, 0, second));
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBackoff(second, 0.5, 0, second));
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBackoff(second, Double.NaN, 0, second));
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBackoff(second, 2, 1, second));
        assertThrows(IllegalArgumentException.class,
                () -> new ConnectionBackoff(second, 2, 0, Duration.ofMillis(999)));
    }
}
