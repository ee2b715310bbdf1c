package org.jvrpc.roce.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {

    private static final long SECOND_NS = 1_000_000_000;
    private static final int FRAME = 1086;
    private static final BigInteger NS_BITS_PER_BYTE = BigInteger.valueOf(8 * SECOND_NS);

    /** Returns bytes / rate in nanoseconds, rounded up. */
    private static long exactNs(long bytes, long bitsPerSecond) {
        BigInteger[] parts = BigInteger.valueOf(bytes).multiply(NS_BITS_PER_BYTE)
                .divideAndRemainder(BigInteger.valueOf(bitsPerSecond));
        return parts[0].longValueExact() + (parts[1].signum() == 0 ? 0 : 1);
    }

    private static void assertNear(long exactNs, long foundNs, String what) {
        assertTrue(Math.abs(foundNs - exactNs) <= 1, () -> what + " exactNs=" + exactNs + " foundNs=" + foundNs);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 3_333_333, 10_000_000, 1_000_000_007, 10_000_000_000L, 40_000_000_000L,
        99_999_999_977L, 400_000_000_000L})
    void afterASecondOfPacketsTheNextOneIsDueToTheNanosecond(long bitsPerSecond) {
        Pacer pacer = new Pacer(bitsPerSecond, 0, 0);
        long bytes = 0;
        while (pacer.mayLeaveAtNs() < SECOND_NS) {
            pacer.left(FRAME, pacer.mayLeaveAtNs());
            bytes += FRAME;
        }
        assertNear(exactNs(bytes, bitsPerSecond), pacer.mayLeaveAtNs(), "bitsPerSecond=" + bitsPerSecond);
    }

    @Test
    void noPacketOfAnySizeAtAnyRateIsLateByMoreThanANanosecondOrEarly() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            long bitsPerSecond = (long) Math.pow(10, 6 + 7 * random.nextDouble());
            Pacer pacer = new Pacer(bitsPerSecond, 0, 0);
            long bytes = 0;
            for (int packet = 0; packet < 200; packet++) {
                int size = random.nextInt(random.nextBoolean() ? 4200 : Pacer.BYTES_MOST);
                pacer.left(size, pacer.mayLeaveAtNs());
                bytes += size;
                assertNear(exactNs(bytes, bitsPerSecond), pacer.mayLeaveAtNs(),
                        "seed=" + seed + " bitsPerSecond=" + bitsPerSecond + " packet=" + packet);
            }
        }
    }

    @Test
    void withoutABurstALateSenderKeepsTheGap() {
        Pacer pacer = new Pacer(8_000_000_000L, 0, 0); // a byte a nanosecond
        pacer.left(1000, 0);
        assertEquals(1000, pacer.mayLeaveAtNs());
        pacer.left(1000, 1700);
        assertEquals(2700, pacer.mayLeaveAtNs());
    }

    @Test
    void aLateSenderCatchesUpByABurstAndNoMore() {
        Pacer pacer = new Pacer(8_000_000_000L, 3000, 0);
        pacer.left(1000, 0);
        pacer.left(1000, 1700); // late by 700
        assertEquals(2000, pacer.mayLeaveAtNs());
        int atOnce = 0;
        while (pacer.mayLeave(SECOND_NS)) {
            pacer.left(1000, SECOND_NS);
            atOnce++;
        }
        assertEquals(4, atOnce, "three of the burst and the one that was due");
        assertEquals(SECOND_NS + 1000, pacer.mayLeaveAtNs());
    }

    @Test
    void aFasterRateShortensTheWaitAndASlowerOneLengthensIt() {
        Pacer pacer = new Pacer(8_000_000, 0, 0); // a byte a microsecond
        pacer.left(1000, 0);
        pacer.setRate(8_000_000_000L, 400_000);
        assertEquals(400_600, pacer.mayLeaveAtNs());
        pacer.setRate(4_000_000_000L, 400_100);
        assertEquals(401_100, pacer.mayLeaveAtNs());
        pacer.setRate(8_000_000, 500_000);
        assertTrue(pacer.mayLeave(500_000), "what was due stays so");
    }

    @Test
    void theSameRateAgainChangesNothing() {
        Pacer pacer = new Pacer(7_000_000_000L, 0, 0);
        pacer.left(999, 0);
        long dueNs = pacer.mayLeaveAtNs();
        for (int i = 0; i < 1000; i++) {
            pacer.setRate(7_000_000_000L, i);
        }
        assertEquals(dueNs, pacer.mayLeaveAtNs());
    }

    @Test
    void whatIsSentIsWithinAPacketOfWhatTheRatesOfAnyScheduleAllowAlsoWhenTimeWraps() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long nowNs = Long.MAX_VALUE - 20_000_000;
        long bitsPerSecond = 40_000_000_000L;
        Pacer pacer = new Pacer(bitsPerSecond, 0, nowNs);
        BigDecimal allowedBits = BigDecimal.ZERO;
        long sentBytes = 0;
        for (int i = 0; i < 100_000; i++) {
            long nextNs = Math.min(pacer.mayLeaveAtNs() - nowNs, 1 + random.nextInt(1000)); // no sender is late
            allowedBits = allowedBits.add(
                    BigDecimal.valueOf(bitsPerSecond).multiply(BigDecimal.valueOf(nextNs)).movePointLeft(9));
            nowNs += nextNs;
            if (pacer.mayLeave(nowNs)) {
                assertTrue(BigDecimal.valueOf(sentBytes * 8).compareTo(allowedBits.add(BigDecimal.ONE)) <= 0,
                        "too soon: seed=" + seed + " i=" + i);
                pacer.left(FRAME, nowNs);
                sentBytes += FRAME;
            }
            if (random.nextInt(4) == 0) {
                bitsPerSecond = (long) Math.pow(10, 8 + 3 * random.nextDouble());
                pacer.setRate(bitsPerSecond, nowNs);
            }
        }
        assertTrue(nowNs < 0, "time wrapped");
        double behindBits = allowedBits.subtract(BigDecimal.valueOf(sentBytes * 8)).doubleValue();
        assertTrue(behindBits <= 8 * FRAME, "seed=" + seed + " behindBits=" + behindBits);
    }

    @Test
    void aPacketWithoutBytesTakesNoTime() {
        Pacer pacer = new Pacer(1_000_000, 0, 10);
        pacer.left(0, 10);
        assertTrue(pacer.mayLeave(10));
        assertFalse(pacer.mayLeave(9));
    }

    @Test
    void valuesOutOfRangeAreRefusedByName() {
        assertEquals("bitsPerSecond=999999 least=1000000 most=10000000000000",
                assertThrows(IllegalArgumentException.class, () -> new Pacer(999_999, 0, 0)).getMessage());
        assertEquals("burstBytes=-1 least=0 most=1073741824",
                assertThrows(IllegalArgumentException.class, () -> new Pacer(1_000_000, -1, 0)).getMessage());
        Pacer pacer = new Pacer(1_000_000, 0, 0);
        assertThrows(IllegalArgumentException.class, () -> pacer.left(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> pacer.setRate(10_000_000_000_001L, 0));
        assertEquals(1_000_000, pacer.bitsPerSecond(), "a refused rate leaves the old one");
        assertEquals(0, pacer.mayLeaveAtNs());
    }
}
