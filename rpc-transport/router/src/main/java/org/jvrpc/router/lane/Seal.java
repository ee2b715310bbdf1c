package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals the messages of one lane and direction, or opens them: AES-128-GCM with a key of its own and a nonce that is
 * the message's number, which travels nowhere, as a lane brings each message once and in order. The header stays
 * readable and is proven, too. The JDK's cipher makes some garbage with each message. One thread.
 */
final class Seal {

    /** What a sealed message has behind its data. */
    static final int TAG_BYTES = 16;
    private static final int KEY_BYTES = 16;
    private static final int NONCE_BYTES = 12;

    private final Cipher cipher;
    private final SecretKeySpec key;
    private final int mode;
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES).order(ByteOrder.BIG_ENDIAN);
    private long number;

    /** @param dialled of what the side sends that dialled @param seals false: opens */
    Seal(byte[] laneKey, int lane, boolean dialled, boolean seals) {
        byte[] bytes = LaneProof.hmac(laneKey, "seal " + lane + ' ' + dialled);
        key = new SecretKeySpec(Arrays.copyOf(bytes, KEY_BYTES), "AES");
        mode = seals ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Seals a message of a header and data. @return its bytes in {@code to}: {@link #TAG_BYTES} more */
    int seal(ByteBuffer from, int at, int bytes, ByteBuffer to, int toAt) {
        try {
            run(from, at, bytes, to, toAt, bytes + TAG_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // keys and lengths are this side's own
        }
        return bytes + TAG_BYTES;
    }

    /**
     * Opens what came, of {@code bytes} with its tag; nothing of {@code to} may be used unless it is proven.
     *
     * @return false when it is not what the other side sealed at this place
     */
    boolean open(ByteBuffer from, int at, int bytes, ByteBuffer to, int toAt) {
        if (bytes < LaneHeader.BYTES + TAG_BYTES) {
            return false;
        }
        try {
            run(from, at, bytes, to, toAt, bytes - TAG_BYTES);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run(ByteBuffer from, int at, int bytes, ByteBuffer to, int toAt, int toBytes)
            throws GeneralSecurityException {
        nonce.putLong(NONCE_BYTES - Long.BYTES, number++);
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce.array()));
        to.put(toAt, from, at, LaneHeader.BYTES);
        cipher.updateAAD(to.slice(toAt, LaneHeader.BYTES));
        cipher.doFinal(from.slice(at + LaneHeader.BYTES, bytes - LaneHeader.BYTES),
                to.slice(toAt + LaneHeader.BYTES, toBytes - LaneHeader.BYTES));
    }
}
