package org.jvrpc.router.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;

class NumbersTest {

    @Test
    void eachKeyHasOneNumberAndEachNumberOneKey() {
        RemoteKeys keys = new RemoteKeys(new SecureRandom());
        Random random = new Random(18);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            int key = i < 50_000 ? i << 8 | 1 : random.nextInt();
            int number = keys.of(key);
            assertEquals(key, keys.applyAsInt(number));
            assertTrue(seen.add(number) || i >= 50_000, "key=" + key);
        }
    }

    /** Of 2^32 numbers as many are keys of a table as it has; guessing neighbours of a known one finds no more. */
    @Test
    void whatIsNearAKnownNumberIsNoKey() {
        int found = 0;
        for (int device = 0; device < 50; device++) {
            RemoteKeys keys = new RemoteKeys(new SecureRandom());
            int known = keys.of(0x201);
            for (int i = 1; i <= 20_000; i++) {
                int key = keys.applyAsInt(known + (i % 2 == 0 ? i / 2 : -(i / 2 + 1)));
                found += key >>> 8 >= 2 && key >>> 8 < 4096 && (key & 0xff) == 1 ? 1 : 0;
            }
        }
        assertTrue(found <= 12, "of 10^6 guesses one is a key by chance, keys found=" + found);
    }

    @Test
    void twoDevicesKnowAKeyByDifferentNumbers() {
        SecureRandom random = new SecureRandom();
        int same = 0;
        for (int i = 0; i < 100; i++) {
            same += new RemoteKeys(random).of(0x201) == new RemoteKeys(random).of(0x201) ? 1 : 0;
        }
        assertTrue(same <= 1, "same=" + same);
    }

    @Test
    void tokensAreSaltedAndSecret() {
        SecureRandom random = new SecureRandom();
        Tokens.Made one = Tokens.make(random, "t1", 1);
        Tokens.Made two = Tokens.make(random, "t1", 1);
        assertNotEquals(one.token(), two.token());
        TokenHash salted = new TokenHash("t1", two.hash().salt(), one.hash().sha256(), 1);
        TenantRecord tenant = new TenantRecord(Ground.RED, 1, List.of(), Ground.QUOTA, List.of(salted), false, 1);
        AdmissionTest.refused(Refusal.TOKEN_WRONG, () -> Tokens.check(tenant, Tokens.bytes(one.token()), 0));
        assertEquals(43, one.token().length());
        assertEquals("token t1", one.toString());
        TokenHash hash = one.hash();
        assertEquals(32, hash.sha256().length);
        assertEquals(16, hash.salt().length);
        assertEquals(one.token(), new String(Tokens.bytes(one.token() + "\n"), StandardCharsets.US_ASCII));
    }

    @Test
    void aQuotaCannotBeOverflownOrGivenBackTwice() {
        Quotas quotas = new Quotas(Ground.RED, Ground.QUOTA);
        quotas.take(QuotaKind.BYTES, 1 << 20);
        AdmissionTest.refused(Refusal.QUOTA, () -> quotas.take(QuotaKind.BYTES, 1));
        AdmissionTest.refused(Refusal.QUOTA, () -> quotas.take(QuotaKind.BYTES, Long.MAX_VALUE));
        AdmissionTest.refused(Refusal.QUOTA, () -> quotas.take(QuotaKind.BYTES, -1));
        quotas.give(QuotaKind.BYTES, 1 << 20);
        assertThrows(IllegalStateException.class, () -> quotas.give(QuotaKind.BYTES, 1));
        assertThrows(IllegalStateException.class, () -> quotas.give(QuotaKind.BYTES, -1));
    }
}
