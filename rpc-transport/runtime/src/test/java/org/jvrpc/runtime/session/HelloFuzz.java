package org.jvrpc.runtime.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.verbs.LinkLayout;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any private data of a connection, as what a client asks for, as a server's answer, and as a refusal. A hello comes
 * out again when it is written; what is granted to one that is not refused fits, and its client takes it; no bytes make
 * a refusal that cannot be told.
 */
final class HelloFuzz {

    private static final int HELLO_BYTES = 40;
    private static final int MOST = 196;

    private HelloFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Hello hello = Hello.decode(input);
        if (hello == null) {
            int magic = input.length < 8 ? 0
                    : input[0] & 0xff | (input[1] & 0xff) << 8 | (input[2] & 0xff) << 16 | input[3] << 24;
            FuzzCheck.that(Protocol.ofMagic(magic) == null, "no hello in spite of its magic");
        } else {
            FuzzCheck.that(hello.equals(Hello.decode(hello.encode())), hello);
            byte[] known = Arrays.copyOf(input, HELLO_BYTES - 6);
            FuzzCheck.that(input.length < HELLO_BYTES
                    || Arrays.equals(known, Arrays.copyOf(hello.encode(), known.length)), hello);
        }
        for (Protocol served : Protocol.values()) {
            granted(hello, served);
            Hello asked = Hello.request(served, 64, 4096, 1 << 20);
            if (asked.mismatch(hello) == null) {
                FuzzCheck.that(hello.units() <= 64 && hello.unitBytes() <= 4096 && hello.oneWayCredits() >= 0
                        && hello.maxBytes() > 0 && served.fits(hello.units(), hello.unitBytes()), hello);
            }
        }
        refused(input);
    }

    private static void granted(Hello hello, Protocol served) {
        if (Hello.refusal(hello, served) != null) {
            return;
        }
        long memory = 4L << 20;
        Hello less = served.lessen(hello, memory, LinkLayout::sessionBytes);
        if (less == null) {
            return;
        }
        FuzzCheck.that(LinkLayout.sessionBytes(served, less.units(), less.units(), less.unitBytes()) <= memory, less);
        Hello grant = Hello.decode(less.grant(1 << 20, 7).encode());
        FuzzCheck.that(hello.mismatch(grant) == null, hello.mismatch(grant));
    }

    private static void refused(byte[] input) {
        RpcException refused = Hello.refused(input, new IllegalStateException("refused"));
        FuzzCheck.that(refused.status() != Status.OK && refused.getMessage().startsWith("refused"), refused);
        String text = new String(input, StandardCharsets.UTF_8);
        byte[] bytes = Hello.refuse(Status.UNAVAILABLE, text, MOST);
        FuzzCheck.that(bytes.length <= MOST, bytes.length);
        String cut = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
        FuzzCheck.that(text.startsWith(cut), "cut within a character: " + cut);
    }
}
