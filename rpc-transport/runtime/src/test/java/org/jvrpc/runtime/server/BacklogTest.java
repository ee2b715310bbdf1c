package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.server.queue.Backlog;
import org.jvrpc.runtime.server.queue.ScratchMemory;
import org.jvrpc.runtime.session.RpcHeader;

/** Messages that lay in the link during a pause, and the memory that they are copied to. */
class BacklogTest {

    private final ScratchMemory scratch = new ScratchMemory();
    private final StillServer.Peer link = new StillServer.Peer();

    private void comes(int kind, int callId) {
        link.add(RpcHeader.first(kind, 0, 0, callId), RpcHeader.second(1, 0, 0), new byte[] {(byte) callId});
    }

    @Test
    void callsWhoseCancelLiesBehindThemAreKnownToBeGivenUp() {
        comes(RpcHeader.REQUEST, 1);
        comes(RpcHeader.REQUEST, 2);
        comes(RpcHeader.ONE_WAY, 2);
        comes(RpcHeader.CANCEL, 2);
        comes(RpcHeader.REQUEST, 3);
        assertTrue(link.poll());
        Backlog backlog = new Backlog(link, scratch, 10);
        assertTrue(backlog.isEmpty());
        backlog.fill();
        List<String> taken = new ArrayList<>();
        for (Backlog.Message next = backlog.take(); next != null; next = backlog.take()) {
            assertEquals(17, next.length);
            assertEquals((byte) RpcHeader.callId(next.first), next.memory.get(RpcHeader.BYTES));
            assertEquals(1, RpcHeader.bodyLength(next.second));
            taken.add(RpcHeader.kind(next.first) + " " + RpcHeader.callId(next.first) + " " + next.isCancelled());
            backlog.release(next);
        }
        assertEquals(List.of("1 1 false", "1 2 true", "2 2 false", "3 2 false", "1 3 false"), taken);
        assertTrue(backlog.isEmpty());
    }

    @Test
    void soManyAreTakenAtATime() {
        for (int call = 1; call <= 5; call++) {
            comes(RpcHeader.REQUEST, call);
        }
        assertTrue(link.poll());
        Backlog backlog = new Backlog(link, scratch, 3);
        backlog.fill();
        assertFalse(backlog.isEmpty());
        assertEquals(1, RpcHeader.callId(backlog.take().first));
        assertTrue(link.poll());
        assertEquals(4, RpcHeader.callId(link.first()), "it stayed in the link");
    }

    @Test
    void memoryThatIsReleasedIsTakenAgain() {
        comes(RpcHeader.REQUEST, 1);
        assertTrue(link.poll());
        Backlog backlog = new Backlog(link, scratch, 3);
        backlog.fill();
        Backlog.Message message = backlog.take();
        assertNotSame(message.memory, scratch.take(17));
        backlog.release(message);
        assertSame(message.memory, scratch.take(17));
        assertNull(backlog.take());
    }

    @Test
    void scratchMemoryComesInPowersOfTwoFromAKibibyteOn() {
        for (int[] pair : new int[][] {{0, 1024}, {1, 1024}, {1024, 1024}, {1025, 2048}, {4096, 4096}, {4097, 8192}}) {
            ByteBuffer memory = scratch.take(pair[0]);
            assertEquals(pair[1], memory.capacity(), "bytes=" + pair[0]);
            assertTrue(memory.isDirect());
        }
    }

    @Test
    void theLastThatCameBackIsTakenFirst() {
        ByteBuffer one = scratch.take(1);
        ByteBuffer two = scratch.take(1024);
        scratch.give(one);
        scratch.give(two);
        assertNotSame(two, scratch.take(1025));
        assertSame(two, scratch.take(1));
        assertSame(one, scratch.take(1));
        assertNotSame(one, scratch.take(1));
    }

    @Test
    void eightMebibytesAreKept() {
        List<ByteBuffer> taken = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            taken.add(scratch.take(1 << 20));
        }
        taken.forEach(scratch::give);
        int kept = 0;
        for (int i = 0; i < 9; i++) {
            ByteBuffer again = scratch.take(1 << 20);
            kept += taken.stream().anyMatch(memory -> memory == again) ? 1 : 0;
        }
        assertEquals(8, kept);
        ByteBuffer all = scratch.take(8 << 20);
        scratch.give(all);
        assertSame(all, scratch.take(8 << 20), "what is taken again is not counted");
    }
}
