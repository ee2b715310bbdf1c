package org.jvrpc.router.tenant;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;

/**
 * Tokens of tenants: 32 random bytes as 43 characters of base64url. Only their hashes are kept, SHA-256 of the salt and
 * the characters; each ends at a time of the wall clock. Any thread.
 */
public final class Tokens {

    /** The most bytes of a token that is looked at. */
    public static final int MOST_BYTES = 256;
    private static final int RANDOM_BYTES = 32;
    private static final int SALT_BYTES = 16;

    private Tokens() {
    }

    /** A new token. The token is told once, and only the hash is stored. */
    public record Made(String token, TokenHash hash) {

        /** Returns what may be logged. */
        @Override
        public String toString() {
            return "token " + hash.id();
        }
    }

    /** Makes a token. @param notAfterMs of the wall clock */
    public static Made make(SecureRandom random, String id, long notAfterMs) {
        byte[] secret = new byte[RANDOM_BYTES];
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(secret);
        random.nextBytes(salt);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        return new Made(token, new TokenHash(id, salt, hash(salt, bytes(token)), notAfterMs));
    }

    /** Returns a token as it travels. */
    public static byte[] bytes(String token) {
        return token.strip().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Refuses whoever does not have one of the tenant's tokens.
     *
     * @param nowMs of the wall clock
     * @return the id of the token, for the audit log
     * @throws RefusedException TOKEN_WRONG or TOKEN_EXPIRED
     */
    public static String check(TenantRecord tenant, byte[] token, long nowMs) {
        TokenHash found = null;
        if (token.length <= MOST_BYTES) {
            for (TokenHash known : tenant.tokens()) {
                if (MessageDigest.isEqual(known.sha256(), hash(known.salt(), token))) {
                    found = known;
                }
            }
        }
        if (found == null) {
            throw new RefusedException(Refusal.TOKEN_WRONG, "tenant=" + tenant.id() + " tokens known="
                    + tenant.tokens().size() + ", none of them is this one, bytes=" + token.length);
        }
        if (nowMs > found.notAfterMs()) {
            throw new RefusedException(Refusal.TOKEN_EXPIRED, "tenant=" + tenant.id() + " token=" + found.id()
                    + " ended at " + Instant.ofEpochMilli(found.notAfterMs()) + ", now it is "
                    + Instant.ofEpochMilli(nowMs));
        }
        return found.id();
    }

    private static byte[] hash(byte[] salt, byte[] token) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(token);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
