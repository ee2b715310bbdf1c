package org.jvrpc.watch.probe;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.probe.ProbeSeal.Verdict;

/**
 * Any datagram: {@code how:8 | more:8 | bytes}. With bit 0 of how it gets the magic and the version, with 1 the length
 * that it has, with 2 the id of the second key, not the first; the next two bits say whose seal it gets: none, the
 * first key's, the second's, a stranger's. Then {@code more} bytes are cut off, or, above 127, 256 - more put on. The
 * verdict is what a plain reading of the same bytes gives; a genuine header is written again byte by byte.
 */
final class ProbeSealFuzz {

    private static final byte[] FIRST = key(1);
    private static final byte[] SECOND = key(2);
    private static final byte[] STRANGE = key(3);
    private static final int FIRST_ID = 7;
    private static final int SECOND_ID = 0xfff0;
    private static final int MOST = 0xffff;
    private static final ProbeSeal SEAL = new ProbeSeal(ProbeKeys.of(FIRST_ID, FIRST).and(SECOND_ID, SECOND));

    private ProbeSealFuzz() {
    }

    private static byte[] key(int fill) {
        byte[] key = new byte[ProbeKeys.LEAST_BYTES];
        Arrays.fill(key, (byte) fill);
        return key;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        byte[] datagram = datagram(input[0], Arrays.copyOfRange(input, 2, input.length));
        datagram = Arrays.copyOf(datagram, Math.min(MOST, Math.max(0, datagram.length - input[1])));
        byte[] before = datagram.clone();
        ByteBuffer probe = ByteBuffer.wrap(datagram);
        Verdict verdict = SEAL.check(probe);
        FuzzCheck.that(Arrays.equals(before, datagram) && probe.position() == 0, "a look changes it");
        FuzzCheck.that(verdict == verdict(before), verdict + ", not " + verdict(before));
        if (verdict == Verdict.GENUINE) {
            genuine(probe);
        }
    }

    private static byte[] datagram(int how, byte[] bytes) {
        int seal = how >>> 3 & 3;
        byte[] datagram = seal == 0 ? bytes : Arrays.copyOf(bytes, Math.max(ProbeLayout.BYTES, bytes.length));
        ByteBuffer at = ByteBuffer.wrap(datagram);
        if (datagram.length >= ProbeLayout.BYTES) {
            if ((how & 1) != 0) {
                at.put(0, (byte) 0x4a).put(1, (byte) 0x50).put(2, (byte) 1);
            }
            if ((how & 2) != 0) {
                at.putShort(6, (short) datagram.length);
            }
            if (seal != 0) {
                at.putShort(4, (short) ((how & 4) == 0 ? FIRST_ID : SECOND_ID));
                at.put(48, mac(seal == 1 ? FIRST : seal == 2 ? SECOND : STRANGE, datagram), 0, 16);
            }
        }
        return datagram;
    }

    private static byte[] mac(byte[] key, byte[] datagram) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(datagram, 0, 48);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the diagram says. */
    private static Verdict verdict(byte[] datagram) {
        if (datagram.length < 64 || datagram[0] != 0x4a || datagram[1] != 0x50) {
            return Verdict.NO_PROBE;
        }
        if (datagram[2] != 1) {
            return Verdict.OTHER_VERSION;
        }
        int id = (datagram[4] & 0xff) << 8 | datagram[5] & 0xff;
        byte[] key = id == FIRST_ID ? FIRST : id == SECOND_ID ? SECOND : null;
        if (key == null || !Arrays.equals(datagram, 48, 64, mac(key, datagram), 0, 16)) {
            return Verdict.FORGED;
        }
        int length = (datagram[6] & 0xff) << 8 | datagram[7] & 0xff;
        return length == datagram.length ? Verdict.GENUINE : Verdict.NO_PROBE;
    }

    private static void genuine(ByteBuffer probe) {
        ByteBuffer again = ByteBuffer.allocate(probe.limit());
        ProbeLayout.write(again, ProbeLayout.kind(probe), ProbeLayout.length(probe), ProbeLayout.prober(probe),
                ProbeLayout.responder(probe), ProbeLayout.incarnation(probe));
        ProbeLayout.write(again, ProbeLayout.sequence(probe), ProbeLayout.flow(probe), ProbeLayout.sizeClass(probe),
                ProbeLayout.flags(probe), ProbeLayout.serviceLevel(probe), ProbeLayout.nonce(probe),
                ProbeLayout.acknowledgement(ProbeLayout.before(probe), ProbeLayout.tookNs(probe)));
        again.putShort(ProbeLayout.KEY_AT, (short) ProbeLayout.keyId(probe));
        for (int i = 0; i < ProbeLayout.SEALED_BYTES; i++) {
            FuzzCheck.that(again.get(i) == probe.get(i), "written otherwise at " + i);
        }
        boolean same = again.position(ProbeLayout.BYTES).equals(probe.duplicate().position(ProbeLayout.BYTES));
        FuzzCheck.that(ProbeLayout.isWhole(probe) == same, "whole=" + !same);
    }
}
