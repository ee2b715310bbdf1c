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
 * set of lanes only.
 *
 * <pre>
 * 0 version:8 | 1 number of the lane:8 | 2 name of the key:64 | 10 HMAC-SHA256 over both hosts, who asks, and 0 to 9
 * </pre>
 */
final class LaneProof {

    static final int BYTES = 42;
    static final int KEY_BYTES = 32;
    private static final int VERSION = 2;
    private static final int PROVEN = 10;

    private LaneProof() {
    }

    /** Returns what names a key and says nothing of it. */
    static long name(byte[] key) {
        return ByteBuffer.wrap(hmac(key, "name")).getLong();
    }

    /** @param asks true for who dials, false for the answer */
    static byte[] of(byte[] key, int lane, boolean asks, String dials, String accepts) {
        ByteBuffer proof = ByteBuffer.allocate(BYTES).put((byte) VERSION).put((byte) lane).putLong(name(key));
        return proof.put(hmac(key, "lane " + VERSION + ' ' + lane + ' ' + asks + ' ' + dials + ' ' + accepts)).array();
    }

    /** Returns the lane that a proof is of; -1 for none of this key's. */
    static int lane(byte[] proof, byte[] key) {
        boolean is = proof.length >= BYTES && proof[0] == VERSION && ByteBuffer.wrap(proof).getLong(2) == name(key);
        return is ? proof[1] : -1;
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
