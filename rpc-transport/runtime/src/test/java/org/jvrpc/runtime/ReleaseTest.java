package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.verbs.RegionBody;

/** RELEASEs, also those that come behind the next call of their slot because they had to wait for a credit. */
class ReleaseTest {

    /** Longer than bodies that are used in turn, so that one that comes back is used next. */
    private static final int LENGTH = 3 << 20;

    /** Where a long answer lies at the server. */
    private record Answer(long address, int rkey) {
    }

    private static Answer ask(RawClient raw, int base, int slot, int generation, int seed) {
        raw.link().body(slot).order(ByteOrder.LITTLE_ENDIAN).putInt(0, LENGTH).putInt(4, seed);
        raw.request(slot, generation, base + CallsService.SIZED.index(), 8);
        raw.awaitMessage();
        assertEquals(RpcHeader.callId(slot, generation), RpcHeader.callId(raw.link().first()));
        assertTrue((RpcHeader.flags(raw.link().first()) & RpcHeader.RENDEZVOUS) != 0, "the answer is not long");
        int at = raw.link().payloadOffset() + RpcHeader.BYTES;
        return new Answer(Descriptor.address(raw.link().payload(), at), Descriptor.rkey(raw.link().payload(), at));
    }

    private static void release(RawClient raw, int slot, int generation) {
        raw.link().sendControl(
                RpcHeader.first(RpcHeader.RELEASE, 0, 0, RpcHeader.callId(slot, generation)), 0);
    }

    @Test
    void whatIsReleasedIsTheNextAnswers() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start(); RawClient raw = new RawClient(server.address()).connect(server.address())) {
            int base = raw.open(new CallsService(), 0);
            Answer first = ask(raw, base, 1, 1, 11);
            release(raw, 1, 1);
            assertEquals(first, ask(raw, base, 2, 1, 12));
        }
    }

    @Test
    void aReleaseOfAnEarlierCallLeavesTheAnswerOfTheNext() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start(); RawClient raw = new RawClient(server.address()).connect(server.address())) {
            int base = raw.open(new CallsService(), 0);
            ask(raw, base, 1, 1, 11);
            Answer answer = ask(raw, base, 1, 2, 12);
            release(raw, 1, 1);
            for (int slot = 2; slot < 5; slot++) { // these would have its memory
                assertNotEquals(answer, ask(raw, base, slot, 1, slot), "the memory of an answer that is not read yet");
            }
            RegionBody into = raw.bodies().takeForFetch(LENGTH + 4);
            assertTrue(raw.fetch(into, LENGTH + 4, answer.address, answer.rkey), "not released");
            byte[] bytes = new byte[LENGTH];
            into.buffer().get(4, bytes);
            Bytes.assertSame(Bytes.of(LENGTH, 12), bytes, "the answer of the next call");
            raw.bodies().give(into);
        }
    }
}
