package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What routers prove to each other on a lane that they have the key which came over their link. The key is of one
 * set of lanes only. What is made anew of a set has a higher generation than all before, so that no proof counts twice.
 *
 * <pre>
 * 0 version:8 | 1 number of the lane:8 | 2 name of the key:64 | 10 generation:32
 * 14 HMAC-SHA256 over both hosts, who asks, and 0 to 13
 * </pre>
 */
final class LaneProof {

    static final int BYTES = 46;
    static final int KEY_BYTES = 32;
    private static final int VERSION = 3;
    private static final int GENERATION = 10;
    private static final int PROVEN = 14;

    private LaneProof() {
    }

    /** Returns what names a key and says nothing of it. */
    static long name(byte[] key) {
        return ByteBuffer.wrap(hmac(key, "name")).getLong();
    }

    /**
     * Makes one.
     *
     * @param generation 0 for what is made at first
     * @param asks true for who dials, false for the answer
     */
    static byte[] of(byte[] key, int lane, int generation, boolean asks, String dials, String accepts) {
        ByteBuffer proof = ByteBuffer.allocate(BYTES).put((byte) VERSION).put((byte) lane).putLong(name(key))
                .putInt(generation);
        return proof.put(hmac(key, "lane " + VERSION + ' ' + lane + ' ' + generation + ' ' + asks + ' ' + dials + ' '
                + accepts)).array();
    }

    /** Returns the lane that a proof is of; -1 for none of this key's. */
    static int lane(byte[] proof, byte[] key) {
        boolean is = proof.length >= BYTES && proof[0] == VERSION && ByteBuffer.wrap(proof).getLong(2) == name(key);
        return is ? proof[1] : -1;
    }

    /** Returns the generation of what a proof is of that {@link #lane} knows. */
    static int generation(byte[] proof) {
        return ByteBuffer.wrap(proof).getInt(GENERATION);
    }

    /** Tells in equal time for all whether two are the same; devices may have put zeros behind what came. */
    static boolean equal(byte[] wanted, byte[] came) {
        return came.length >= BYTES && MessageDigest.isEqual(Arrays.copyOfRange(wanted, PROVEN, BYTES),
                Arrays.copyOfRange(came, PROVEN, BYTES)) && Arrays.equals(wanted, 0, PROVEN, came, 0, PROVEN);
    }

    /** Returns 32 bytes that follow from a key and a purpose. */
    static byte[] hmac(byte[] key, String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
