package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    private static boolean fits(int flags, int body, int extension, int length) {
        return RpcHeader.fits(RpcHeader.first(RpcHeader.REQUEST, flags, 0, 0), RpcHeader.second(body, 0, extension),
                length);
    }

    @Test
    void aRequestIsAsLongAsItsHeaderSays() {
        assertTrue(fits(0, 0, 0, RpcHeader.BYTES));
        assertTrue(fits(0, 100, 7, RpcHeader.BYTES + 107));
        assertFalse(fits(0, 100, 7, RpcHeader.BYTES + 106));
        assertFalse(fits(0, 100, 7, RpcHeader.BYTES + 108));
        assertFalse(fits(0, -1, 1, RpcHeader.BYTES), "a body of less than nothing");
        assertFalse(fits(0, Integer.MAX_VALUE, RpcHeader.MAX_EXTENSION,
                RpcHeader.BYTES + Integer.MAX_VALUE + RpcHeader.MAX_EXTENSION), "wrapped");
    }

    @Test
    void oneWhoseBodyLiesElsewhereHasADescriptorWhateverItsBodyIs() {
        int length = RpcHeader.BYTES + RpcHeader.DESCRIPTOR_BYTES;
        for (int flags : new int[] {RpcHeader.RENDEZVOUS, RpcHeader.RENDEZVOUS | RpcHeader.THROWN}) {
            assertTrue(fits(flags, 1 << 20, 9, length));
            assertFalse(fits(flags, 1 << 20, 9, length - 1));
            assertFalse(fits(flags, 1 << 20, 9, length + 1));
        }
        assertFalse(fits(RpcHeader.THROWN, 1 << 20, 9, length));
    }

    @Test
    void aDescriptorHasAddressAndKeyWhereTheDiagramSays() {
        ByteBuffer memory = ByteBuffer.allocateDirect(32).order(ByteOrder.LITTLE_ENDIAN);
        Descriptor.write(memory, 8, 0x1122334455667788L, 0xaabbccdd);
        assertEquals(0x1122334455667788L, memory.getLong(8));
        assertEquals(0xaabbccdd, memory.getInt(16));
        assertEquals(0, memory.getLong(0) | memory.getInt(20));
        assertEquals(0x1122334455667788L, Descriptor.address(memory, 8));
        assertEquals(0xaabbccdd, Descriptor.rkey(memory, 8));
    }

    @Test
    void anAnswerThatOthersFollowSaysSoAndNothingElseChanges() {
        long first = RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.THROWN, 7, RpcHeader.callId(3, 9));
        long more = RpcHeader.withMore(first);
        assertEquals(RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.THROWN | RpcHeader.MORE, 7, RpcHeader.callId(3, 9)),
                more);
        assertEquals(more, RpcHeader.withMore(more));
    }

    @Test
    void aFollowerBeginsAtTheNextMultipleOfEight() {
        for (int end = 0; end < 100; end++) {
            int at = RpcHeader.follower(end);
            assertEquals(0, at % 8);
            assertTrue(at >= end && at < end + 8, end + " " + at);
        }
    }
}
