package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.HealthService;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.server.queue.ScratchMemory;
import org.jvrpc.runtime.session.RpcHeader;

/** A session whose poller did not run for a while, and one whose client is slow to take its answers. */
class SessionBacklogTest {

    private static final byte[] THREE = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1, 2, 3}));
    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));
    private static final long PAUSE_NS = 20_000_000;

    private final StillServer server = new StillServer();

    @AfterEach
    void close() {
        server.close();
    }

    private void comes(int slot) {
        server.comes(RpcHeader.REQUEST, CallsService.NOTHING.index(), StillServer.callId(slot), new byte[0]);
    }

    private void isCancelled(int slot) {
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(slot), new byte[0]);
    }

    private List<Integer> answered() {
        return server.peer.sent.stream().filter(sent -> sent.kind() == RpcHeader.RESPONSE)
                .map(StillServer.Sent::slot).toList();
    }

    @Test
    void whatLiesInTheQueueAfterAPauseIsHandledInItsOrder() {
        server.open();
        server.nowNs += PAUSE_NS;
        for (int slot : new int[] {2, 0, 3, 1}) {
            comes(slot);
        }
        assertTrue(server.session.poll(StillServer.SLOTS) > 0, "there was something to do");
        server.poll();
        assertEquals(List.of(2, 0, 3, 1), answered());
        assertFalse(server.session.isUnfinished());
        comes(1);
        server.poll();
        assertEquals(List.of(2, 0, 3, 1, 1), answered());
    }

    @Test
    void aCallWhoseCallerGaveUpDuringAPauseIsNotMade() {
        server.open();
        server.nowNs += PAUSE_NS;
        comes(0);
        comes(1);
        comes(2);
        isCancelled(1);
        server.poll();
        assertEquals(2, server.impl.calls.get());
        assertEquals(List.of(0, 1, 2), answered());
        assertEquals(Status.CANCELLED.code(), server.peer.sent.get(1).status());
        assertEquals("caller gave up before the handler ran", server.peer.sent.get(1).text());
        assertEquals(0, server.session.open());
    }

    @Test
    void withoutAPauseACallIsMadeWhateverComesBehindIt() {
        server.open();
        comes(1);
        isCancelled(1);
        server.poll();
        assertEquals(1, server.impl.calls.get());
    }

    @Test
    void aRequestThatCannotBeOneEndsTheSessionThoughItIsCancelled() {
        server.open();
        server.nowNs += PAUSE_NS;
        comes(StillServer.SLOTS);
        isCancelled(StillServer.SLOTS);
        server.poll();
        assertFalse(server.session.isConnected());
        assertEquals(List.of(), answered());
    }

    @Test
    void aPauseLeavesOtherSessionsTheirTurn() {
        server.open();
        server.nowNs += PAUSE_NS;
        for (int slot = 0; slot < StillServer.SLOTS; slot++) {
            comes(slot);
        }
        server.session.poll(2);
        assertEquals(List.of(0, 1), answered());
        assertTrue(server.session.isUnfinished(), "there is more");
        assertTrue(server.session.poll(1) > 0, "there was something to do");
        assertEquals(List.of(0, 1, 2), answered());
        server.session.poll(1);
        assertEquals(List.of(0, 1, 2, 3), answered());
    }

    @Test
    void theMemoryOfWhatWaitedIsUsedAgain() {
        ScratchMemory scratch = server.core.scratch();
        ByteBuffer memory = scratch.take(1);
        scratch.give(memory);
        server.open();
        server.nowNs += PAUSE_NS;
        comes(0);
        comes(1);
        server.poll();
        List<ByteBuffer> kept = List.of(scratch.take(1), scratch.take(1));
        assertTrue(kept.stream().anyMatch(one -> one == memory));
    }

    @Test
    void whatWaitedSinceAPauseWaitsForRoomForItsAnswers() {
        server.open();
        server.nowNs += PAUSE_NS;
        comes(0);
        comes(1);
        server.peer.behind = true;
        server.poll();
        assertEquals(List.of(), answered());
        assertTrue(server.peer.catchUps > 0, "nobody looked for room");
        assertTrue(server.session.isUnfinished());
        server.peer.behind = false;
        server.poll();
        assertEquals(List.of(0, 1), answered());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void noCallIsTakenWhileAnswersFindNoRoom() {
        server.open();
        server.peer.filling = true;
        for (int slot = 0; slot < StillServer.SLOTS; slot++) {
            comes(slot);
        }
        server.poll();
        assertEquals(1, server.impl.calls.get());
        assertTrue(server.session.isUnfinished(), "room is looked for");
        server.peer.filling = false;
        server.peer.behind = false;
        server.poll(); // there is room
        server.poll();
        assertEquals(List.of(0, 1, 2, 3), answered());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void aLinkThatIsNotBehindIsNotAskedToCatchUp() {
        server.open();
        server.session.goAway();
        server.poll();
        assertEquals(0, server.peer.catchUps);
    }

    @Test
    void whatAClientSentBeforeItLeftIsTaken() {
        server.open();
        server.session.leave();
        server.session.poll(1);
        assertFalse(server.peer.isConnected(), "more may come");
        assertFalse(server.session.isOver(), "some may have come before");
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        server.session.poll(1);
        assertEquals(1, server.impl.ticks.get());
        server.session.poll(1);
        assertTrue(server.session.isOver());
    }

    // ---- credits

    @Test
    void creditsComeBackWhenThereIsRoomForTheirMessage() {
        server.open();
        server.peer.full = true;
        int batch = StillServer.CREDITS / 4;
        for (int i = 0; i < batch; i++) {
            server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        }
        server.poll();
        assertEquals(batch, server.impl.ticks.get());
        assertEquals(List.of(), server.peer.sent);
        assertTrue(server.session.isUnfinished(), "they are owed");
        server.peer.full = false;
        server.poll();
        assertEquals(1, server.peer.sent.size());
        assertEquals(batch, server.peer.last().credits());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void nothingIsUnfinishedOnceCreditsAreBack() {
        server.open();
        for (int i = 0; i < StillServer.CREDITS / 4; i++) {
            server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        }
        server.session.poll(StillServer.CREDITS);
        assertEquals(1, server.peer.sent.size());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void aCallOfAMethodJustBehindTheLastIsRefused() {
        server.open();
        int methods = CallsService.UNTIL_CANCELLED.index() + 1 + new HealthService().methods().size();
        server.comes(RpcHeader.REQUEST, methods, StillServer.callId(0), THREE);
        server.poll();
        assertEquals("0 UNIMPLEMENTED no method number=" + methods + " here", server.failure());
    }
}
