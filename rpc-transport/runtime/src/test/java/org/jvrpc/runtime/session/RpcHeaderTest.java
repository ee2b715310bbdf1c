package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RpcHeaderTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    @Test
    void everyFieldComesOutAsItWentIn() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("everyFieldComesOutAsItWentIn: -Djvrpc.seed=" + SEED);
        for (int i = 0; i < 100_000; i++) {
            int kind = random.nextInt(256);
            int flags = random.nextInt(256);
            int method = random.nextInt(1 << 16);
            int slot = random.nextInt(RpcHeader.MAX_SLOTS);
            int generation = random.nextInt();
            int callId = RpcHeader.callId(slot, generation);
            long first = RpcHeader.first(kind, flags, method, callId);
            assertEquals(kind, RpcHeader.kind(first));
            assertEquals(flags, RpcHeader.flags(first));
            assertEquals(method, RpcHeader.method(first));
            assertEquals(callId, RpcHeader.callId(first));
            assertEquals(slot, RpcHeader.slot(callId));
            assertEquals(generation & 0xfffff, callId >>> 12);
            int body = random.nextInt();
            int credits = random.nextInt(1 << 16);
            int extension = random.nextInt(RpcHeader.MAX_EXTENSION + 1);
            long second = RpcHeader.second(body, credits, extension);
            assertEquals(body, RpcHeader.bodyLength(second));
            assertEquals(credits, RpcHeader.credits(second));
            assertEquals(extension, RpcHeader.extensionLength(second));
        }
    }

    @Test
    void theBytesAreThoseOfTheDiagram() {
        long first = RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.THROWN, 0x1234, RpcHeader.callId(0xabc, 0x56789));
        assertEquals(0x56789abc_1234_02_05L, first);
        assertEquals(0x1122_3344_55667788L, RpcHeader.second(0x55667788, 0x3344, 0x1122));
    }

    @Test
    void noTwoKindsAreTheSame() {
        long seen = 0;
        for (int kind : new int[] {RpcHeader.REQUEST, RpcHeader.ONE_WAY, RpcHeader.CANCEL, RpcHeader.RELEASE,
            RpcHeader.RESPONSE, RpcHeader.CREDIT, RpcHeader.GO_AWAY}) {
            assertTrue((seen & 1L << kind) == 0);
            seen |= 1L << kind;
        }
    }
}
