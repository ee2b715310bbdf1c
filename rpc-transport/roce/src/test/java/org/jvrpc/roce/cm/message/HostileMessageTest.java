package org.jvrpc.roce.cm.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages of anybody: each has a verdict, and one that is accepted comes out as it went in. */
class HostileMessageTest {

    private static final Gid SOURCE = Gid.of(new byte[] {10, 0, 0, 1});

    private static ByteBuffer request(Random random) {
        byte[] bytes = new byte[Mad.BYTES];
        random.nextBytes(bytes);
        ByteBuffer mad = ByteBuffer.wrap(bytes);
        ByteBuffer head = Mad.create(Mad.REQ, random.nextLong(), random.nextInt(), 0);
        mad.put(0, head, 0, Mad.BODY + 4);
        return mad;
    }

    @Test
    void anyBytesHaveAVerdict() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer mad = request(random);
            assertNotNull(Mad.check(mad), "seed=" + seed);
            Verdict verdict = Req.check(mad, SOURCE);
            if (verdict == Verdict.ACCEPTED) {
                assertEquals(Req.qpn(mad), ConnectRequest.decode(mad).qpn(), "seed=" + seed);
            }
            if (Rep.check(mad) == Verdict.ACCEPTED) {
                assertEquals(Rep.qpn(mad), ConnectReply.decode(mad).qpn(), "seed=" + seed);
            }
        }
    }

    @Test
    void bytesOfAnyOtherLengthAreNoMessage() {
        for (int length = 0; length < 300; length++) {
            if (length != Mad.BYTES) {
                assertEquals(Verdict.LENGTH, Mad.check(ByteBuffer.allocate(length)), "length=" + length);
            }
        }
    }
}
