package org.jvrpc.router.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;

/** Rates and turns on a clock that the test moves; a worker is put aside as on a busy machine. Seeds are fixed. */
class ChunksTest {

    private static final long SECOND = 1_000_000_000;
    private static final TenantId RED = new TenantId("red");

    private static Quota quota(long bytesPerSecond, long wqesPerSecond, int weight) {
        return new Quota(1, 1, 1, 1, 1, 1, 1, bytesPerSecond, wqesPerSecond, 0, weight);
    }

    private static Chunks chunks(Quota quota, int tenants) {
        Chunks chunks = new Chunks(id -> quota);
        for (int i = 0; i < tenants; i++) {
            chunks.begin(i, new TenantId("t" + i));
        }
        return chunks;
    }

    /** Sends without end for 5 s, put aside for 15 ms each 100 ms or so; returns bytes and WQEs a second. */
    private static double[] rates(Chunks chunks, int bytes, long seed, long startNs) {
        Random random = new Random(seed);
        long done = 0;
        long asideNs = startNs;
        for (long nowNs = startNs; nowNs - startNs < 5 * SECOND;) {
            if (!chunks.mayGo(0, nowNs)) {
                long nextNs = chunks.nextNs(0, nowNs);
                assertTrue(nextNs - nowNs > 0, () -> "seed=" + seed);
                nowNs = nextNs;
            } else {
                chunks.took(0, bytes, 1);
                done++;
                nowNs += 200 + bytes / 8; // a copy of 8 GB/s
            }
            if (nowNs - asideNs > 0) {
                nowNs += 15_000_000;
                asideNs = nowNs + 50_000_000 + random.nextInt(100_000_000);
            }
        }
        return new double[] {done * (bytes + 64L) / 5.0, done / 5.0};
    }

    @Test
    void aRateOfBytesIsKeptWithinThreePercent() {
        for (int bytes : new int[] {0, 64, 4_096, 65_536, 1 << 20}) {
            double rate = rates(chunks(quota(10_000_000, 0, 10), 1), bytes, 18, -3)[0];
            assertEquals(1, rate / 10_000_000, 0.03, "bytes=" + bytes + " rate=" + rate);
        }
        double fast = rates(chunks(quota(100_000_000, 0, 10), 1), 65_536, 18, Long.MAX_VALUE - SECOND)[0];
        assertEquals(1, fast / 100_000_000, 0.03, "rate=" + fast);
    }

    @Test
    void aRateOfWqesIsKeptWithinThreePercent() {
        double rate = rates(chunks(quota(0, 50_000, 10), 1), 64, 18, 0)[1];
        assertEquals(1, rate / 50_000, 0.03, "rate=" + rate);
    }

    @Test
    void noLimitIsNoLimit() {
        Chunks chunks = chunks(quota(0, 0, 10), 1);
        for (int i = 0; i < 1_000; i++) {
            assertTrue(chunks.mayGo(0, 0));
            chunks.took(0, 1L << 40, 1_000_000);
        }
        assertTrue(chunks(quota(Long.MAX_VALUE, Long.MAX_VALUE, 10), 1).mayGo(0, Long.MIN_VALUE));
    }

    @Test
    void whoComesAnewOwesWhatItOwed() {
        Chunks chunks = new Chunks(id -> quota(1_000_000, 0, 10));
        chunks.begin(0, RED);
        assertTrue(chunks.mayGo(0, 0));
        chunks.took(0, 1_064_000 - 64, 1);
        chunks.end(0);
        chunks.begin(3, RED);
        assertFalse(chunks.mayGo(3, SECOND / 2));
        assertEquals(998_464_001, chunks.nextNs(3, SECOND / 2)); // 1,064,000 less the 65,536 that it had
        assertTrue(chunks.mayGo(3, 998_464_001));
    }

    @Test
    void anotherQuotaCountsAtOnce() {
        Chunks chunks = new Chunks(id -> quota(0, 0, 10));
        chunks.begin(0, RED);
        chunks.change(RED, quota(1_000, 0, 10));
        assertTrue(chunks.mayGo(0, 0));
        chunks.took(0, 1 << 20, 1);
        assertFalse(chunks.mayGo(0, SECOND));
        chunks.change(RED, quota(0, 0, 10));
        assertTrue(chunks.mayGo(0, SECOND));
    }

    @Test
    void chainsHaveABudgetOfTheirOwn() {
        Chunks chunks = new Chunks(id -> new Quota(1, 1, 1, 1, 1, 1, 1, 0, 0, 1_000, 10));
        chunks.begin(0, RED);
        assertTrue(chunks.mayOffload(0, 0));
        chunks.offloaded(0, 1_064);
        assertFalse(chunks.mayOffload(0, 0));
        assertTrue(chunks.mayGo(0, 0));
        assertEquals(SECOND + 1, chunks.nextOffloadNs(0, 0));
    }

    /** Returns the bytes of each after so many pieces; sizes are drawn, and each is ready all the time. */
    private static long[] run(Chunks chunks, int[] longest, int pieces) {
        Random random = new Random(18);
        long[] moved = new long[longest.length];
        for (int i = 0; i < longest.length; i++) {
            chunks.ready(i);
        }
        for (int i = 0; i < pieces; i++) {
            int tenant = chunks.next();
            int bytes = Math.min(chunks.budgetBytes(tenant), 1 + random.nextInt(longest[tenant]));
            chunks.took(tenant, bytes, 1);
            moved[tenant] += bytes + 64;
        }
        return moved;
    }

    private static double jain(long[] shares) {
        double sum = LongStream.of(shares).sum();
        return sum * sum / (shares.length * LongStream.of(shares).mapToDouble(x -> (double) x * x).sum());
    }

    @Test
    void eightEqualTenantsGetEqualShares() {
        int[] longest = {4_096, 8_192, 16_384, 65_536, 1 << 20, 5_000, 9_999, 30_000};
        double fair = jain(run(chunks(quota(0, 0, 10), 8), longest, 200_000));
        assertTrue(fair >= 0.98, () -> "Jain=" + fair);
    }

    @Test
    void aShareIsByWeight() {
        Chunks chunks = new Chunks(id -> quota(0, 0, id.name().equals("t0") ? 30 : 10));
        chunks.begin(0, new TenantId("t0"));
        chunks.begin(1, new TenantId("t1"));
        long[] moved = run(chunks, new int[] {16_384, 16_384}, 100_000);
        assertEquals(3, (double) moved[0] / moved[1], 0.05);
    }

    @Test
    void aFloodOfLongPiecesOrOfEmptyOnesLetsAVictimGoSoon() {
        Chunks chunks = chunks(quota(0, 0, 10), 3);
        chunks.ready(0);
        chunks.ready(1);
        for (int i = 0; i < 1_000; i++) {
            chunks.ready(2);
            long bytes = 0;
            int wqes = 0;
            for (int tenant = chunks.next(); tenant != 2; tenant = chunks.next()) {
                int piece = tenant == 0 ? chunks.budgetBytes(tenant) : 0;
                chunks.took(tenant, piece, 1);
                bytes += piece;
                wqes++;
            }
            assertTrue(bytes <= 2 * Rounds.PIECE && wqes <= 24, "bytes=" + bytes + " wqes=" + wqes + " turn=" + i);
            chunks.took(2, 64, 1);
            chunks.idle(2);
        }
    }

    @Test
    void whoRestsBetweenItsPiecesPaysForThem() {
        Chunks chunks = chunks(quota(0, 0, 10), 2);
        long[] moved = new long[2];
        chunks.ready(0);
        chunks.ready(1);
        for (int i = 0; i < 100_000; i++) {
            int tenant = chunks.next();
            int bytes = tenant == 0 ? 64 << 10 : 16 << 10; // the first takes more than its turn, and rests
            chunks.took(tenant, bytes, 1);
            moved[tenant] += bytes;
            if (tenant == 0) {
                chunks.idle(0);
                chunks.ready(0);
            }
        }
        assertEquals(1, (double) moved[0] / moved[1], 0.05);
    }

    @Test
    void hugeDebtsOfAllArePassedAtOnce() {
        Chunks chunks = chunks(quota(0, 0, 1), 1_000);
        for (int i = 0; i < 1_000; i++) {
            chunks.ready(i);
            chunks.took(i, 1L << 30, 1 << 20);
        }
        int first = chunks.next(); // ends, and soon: a round for each turn would be 10^8 steps
        assertTrue(first >= 0 && first < 1_000);
        chunks.idle(first);
        assertTrue(chunks.next() != first);
    }

    @Test
    void nobodyIsNextWhenNobodyIsReady() {
        Chunks chunks = chunks(quota(0, 0, 10), 2);
        assertEquals(-1, chunks.next());
        chunks.ready(1);
        chunks.ready(1);
        assertEquals(1, chunks.next());
        chunks.idle(1);
        chunks.idle(1);
        chunks.idle(0);
        assertEquals(-1, chunks.next());
        chunks.ready(0);
        chunks.end(0);
        assertEquals(-1, chunks.next());
    }
}
