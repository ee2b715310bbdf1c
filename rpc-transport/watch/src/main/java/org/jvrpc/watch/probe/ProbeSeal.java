package org.jvrpc.watch.probe;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals what agents say and checks it: HMAC-SHA256, of which the first {@value ProbeLayout#SEAL_BYTES} bytes travel. It
 * writes by the first of its keys and takes all of them, so that keys can be changed one agent after the other. One
 * thread.
 */
public final class ProbeSeal {

    /** Bytes of an HMAC-SHA256. */
    public static final int MAC_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final ProbeKeys keys;
    private final Mac[] macs;
    private final byte[] sealed = new byte[ProbeLayout.SEALED_BYTES];
    private final byte[] made = new byte[MAC_BYTES];
    private final byte[] found = new byte[ProbeLayout.SEAL_BYTES];
    private final byte[] wanted = new byte[ProbeLayout.SEAL_BYTES];

    /** What {@link #check(ByteBuffer)} finds. */
    public enum Verdict {
        GENUINE,
        /** Too short, not of this kind, or of another length than it says. */
        NO_PROBE,
        OTHER_VERSION,
        /** No key, or a wrong seal. */
        FORGED
    }

    /** Takes keys. */
    public ProbeSeal(ProbeKeys keys) {
        this.keys = keys;
        this.macs = new Mac[keys.count()];
        for (int i = 0; i < macs.length; i++) {
            macs[i] = mac(keys.key(i));
        }
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM + ": " + e.getMessage(), e);
        }
    }

    /** Writes the key's id and the seal of a header. */
    public void seal(ByteBuffer probe) {
        probe.putShort(ProbeLayout.KEY_AT, (short) keys.id(0));
        compute(macs[0], probe);
        probe.put(ProbeLayout.SEAL_AT, made, 0, ProbeLayout.SEAL_BYTES);
    }

    /** Tells what so many bytes are, from 0 to the limit. Nothing of a header holds before it is GENUINE. */
    public Verdict check(ByteBuffer probe) {
        if (!ProbeLayout.isProbe(probe)) {
            return Verdict.NO_PROBE;
        }
        if (ProbeLayout.version(probe) != ProbeLayout.VERSION) {
            return Verdict.OTHER_VERSION;
        }
        int key = keys.find(ProbeLayout.keyId(probe));
        if (key < 0) {
            return Verdict.FORGED;
        }
        compute(macs[key], probe);
        System.arraycopy(made, 0, wanted, 0, wanted.length);
        probe.get(ProbeLayout.SEAL_AT, found);
        if (!MessageDigest.isEqual(found, wanted)) {
            return Verdict.FORGED;
        }
        return ProbeLayout.length(probe) == probe.limit() ? Verdict.GENUINE : Verdict.NO_PROBE;
    }

    private void compute(Mac mac, ByteBuffer probe) {
        probe.get(0, sealed);
        mac.update(sealed);
        try {
            mac.doFinal(made, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the id of the key that is written by. */
    public int keyId() {
        return keys.id(0);
    }

    /** Returns the whole HMAC of bytes by the first key. */
    public byte[] sign(byte[] bytes, int at, int length) {
        macs[0].update(bytes, at, length);
        return macs[0].doFinal();
    }

    /** Tells in constant time whether an HMAC of {@value #MAC_BYTES} bytes is that of bytes by a key of this id. */
    public boolean verify(int keyId, byte[] bytes, int at, int length, byte[] mac) {
        int key = keys.find(keyId);
        if (key < 0) {
            return false;
        }
        macs[key].update(bytes, at, length);
        return MessageDigest.isEqual(macs[key].doFinal(), mac);
    }
}
