package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;

/** Calls whose arguments or answers do not fit in a slot: what is fetched, and that all memory comes back. */
class LongRequestsTest {

    private static final int LARGE = 1 << 20;
    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));

    private StillServer server;

    @AfterEach
    void close() {
        server.close();
    }

    /** Makes a server whose client has some memory to fetch. */
    private void serve(byte[] memory) {
        server = new StillServer(options -> options.settings().maxBodyBytes(FuzzBodyPool.BODY_BYTES),
                new StillServer.Peer(ScriptedLink.bodies(StillServer.SLOTS, StillServer.SLOT_BYTES), memory));
        server.open();
    }

    private static byte[] argument(int bytes) {
        return StillServer.bytes(writer -> writer.writeBytes(new byte[bytes]));
    }

    private static byte[] sized(int bytes) {
        return StillServer.bytes(writer -> {
            writer.writeInt(bytes);
            writer.writeInt(1);
        });
    }

    private void answersCount(int bytes) {
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertArrayEquals(StillServer.bytes(writer -> writer.writeLong(bytes)), server.peer.last().bytes());
    }

    // ---- requests

    @Test
    void aRequestIsReadWhole() {
        byte[] argument = argument(5000);
        serve(argument);
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        answersCount(5000);
        assertEquals(0, server.bodies.out());
    }

    // ---- requests that are read where they lie

    private static byte[] view(int bytes) {
        return StillServer.bytes(writer -> {
            writer.writeBytes(new byte[bytes]);
            writer.writeInt(bytes);
        });
    }

    @Test
    void anArrayIsReadWhereItLies() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.nows = 3;
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        answersCount(5000);
        assertEquals(List.of(64, 64, 5000), server.peer.nowBytes);
        assertEquals(0, server.bodies.out());
        server.call(2, CallsService.ADD, StillServer.bytes(writer -> {
            writer.writeLong(1);
            writer.writeLong(2);
        }));
        assertArrayEquals(StillServer.bytes(writer -> writer.writeLong(3)), server.peer.last().bytes());
    }

    @Test
    void whatIsViewedIsBroughtAndKeptUntilTheAnswer() {
        byte[] arguments = view(3000);
        serve(arguments);
        server.peer.nows = 3;
        server.longCall(1, CallsService.COPY.index(), arguments.length);
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertEquals(List.of(64, 64, arguments.length - 64), server.peer.nowBytes);
        assertEquals(1, server.bodies.out(), "the answer, which is long, too");
        server.comes(RpcHeader.RELEASE, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        assertEquals(0, server.bodies.out());
    }

    @Test
    void aViewThatNobodyHasMemoryForIsRefused() {
        byte[] arguments = view(3000);
        serve(arguments);
        while (server.bodies.reuseForFetch(1) != null) {
            // until there is none
        }
        server.peer.nows = 2;
        server.longCall(1, CallsService.COPY.index(), arguments.length);
        assertEquals("1 RESOURCE_EXHAUSTED no memory", server.failure());
        assertFalse(server.session.isOver());
    }

    @Test
    void anArrayThatCannotBeReadAnyMoreEndsTheSession() {
        for (int nows = 1; nows < 3; nows++) {
            byte[] argument = argument(5000);
            serve(argument);
            server.peer.nows = nows;
            server.longCall(1, CallsService.COUNT.index(), argument.length);
            assertEquals("the client's memory cannot be read", server.peer.failure(), "nows=" + nows);
            server.poll();
            assertTrue(server.session.isOver(), "nows=" + nows);
            assertEquals(List.of(), server.peer.sent);
            server.session.bury();
            assertTrue(server.bodies.isWhole());
            server.close();
        }
    }

    @Test
    void aRequestThatIsLongerThanATurnComesByPieces() {
        byte[] argument = argument(StillServer.SLOTS << 13);
        serve(argument);
        server.peer.nows = Integer.MAX_VALUE;
        server.peer.holds = true;
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        assertEquals(List.of(64), server.peer.nowBytes);
        assertEquals(1, server.bodies.out());
        server.peer.holds = false;
        server.poll();
        answersCount(StillServer.SLOTS << 13);
    }

    @Test
    void aHeavyCallsRequestIsFetched() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.nows = Integer.MAX_VALUE;
        server.longCall(1, CallsService.ECHO_HEAVY.index(), argument.length);
        assertEquals(1, server.bodies.out());
        assertEquals(List.of(), server.peer.nowBytes);
    }

    // ----

    @Test
    void aRequestIsFetchedWithoutHoldingUpOthers() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.holds = true;
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        assertEquals(List.of(), server.peer.sent);
        assertEquals(0, server.session.poll(1), "nothing came");
        assertTrue(server.session.isUnfinished());
        server.call(2, CallsService.NOTHING, new byte[0]);
        assertEquals(1, server.peer.sent.size());
        server.peer.holds = false;
        assertTrue(server.session.poll(1) > 0, "a piece came");
        server.poll();
        answersCount(5000);
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void aRequestThatCannotBeReadEndsTheSession() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.holds = true;
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        server.peer.fail("planted");
        server.session.poll(1);
        server.session.poll(1);
        assertTrue(server.session.isOver());
        server.session.bury();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void whatCameIsTakenThoughALongRequestCannotBeRead() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.nows = 1;
        server.peer.outlivesFailure = true;
        server.longComes(1, CallsService.COUNT.index(), argument.length);
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        for (int polls = 0; polls < 4; polls++) {
            server.session.poll(1);
        }
        assertEquals("the client's memory cannot be read", server.peer.failure());
        assertEquals(1, server.impl.ticks.get());
        assertTrue(server.session.isOver());
    }

    @Test
    void aRequestOfNoBytesIsOne() {
        serve(new byte[0]);
        server.longCall(1, CallsService.NOTHING.index(), 0);
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertEquals(1, server.impl.calls.get());
    }

    @Test
    void aServiceIsOpenedByALongRequestUpToAMebibyte() {
        byte[] open = StillServer.open(new CallsService());
        serve(open);
        server.longCall(1, RpcHeader.OPEN, open.length);
        assertEquals(Status.OK.code(), server.peer.last().status());
        server.longCall(1, RpcHeader.OPEN, LARGE + 1);
        assertEquals("1 RESOURCE_EXHAUSTED arguments are longer than the limit: bytes=1048577 limit=1048576",
                server.failure());
    }

    @Test
    void argumentsOfMoreThanAMebibyteMakeACallHeavy() {
        byte[] most = argument(LARGE - 4);
        serve(most);
        assertEquals(LARGE, most.length);
        server.longCall(1, CallsService.COUNT.index(), LARGE);
        answersCount(LARGE - 4);
        assertEquals(0, server.executor.tasks.size());
    }

    @Test
    void memoryOfMoreThanAMebibyteIsMadeByAnotherThread() {
        byte[] argument = argument(LARGE + 1000);
        serve(argument);
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        assertTrue(server.bodies.wasLeft());
        Await.until("the memory", () -> server.session.poll(1) > 0 || !server.executor.tasks.isEmpty());
        server.poll();
        assertEquals(List.of(), server.peer.sent);
        server.executor.run();
        server.poll();
        answersCount(LARGE + 1000);
        assertEquals(0, server.bodies.out());
    }

    /** Memory that another thread makes when the test lets it. */
    private final class HeldBodies implements Bodies {

        private final CountDownLatch gate = new CountDownLatch(1);
        private final AtomicInteger given = new AtomicInteger();
        private RpcException refusal;

        @Override
        public Body take(long bytes) {
            return server.bodies.take(bytes);
        }

        @Override
        public Body takeForFetch(long bytes) {
            Await.latch("the gate", gate);
            if (refusal != null) {
                throw refusal;
            }
            return new Body() {
                @Override
                public ByteBuffer buffer() {
                    throw new AssertionError("nobody reads it");
                }

                @Override
                public int capacity() {
                    return (int) bytes;
                }
            };
        }

        @Override
        public Body reuseForFetch(long bytes) {
            return null;
        }

        @Override
        public void give(Body body) {
            given.incrementAndGet();
        }

        @Override
        public void close() {
            // what is out comes back later
        }
    }

    private ServerSession comesLong(HeldBodies bodies) {
        ServerSession session = new ServerSession(server.core, server.core.poller(0), 2, server.peer, bodies,
                Hello.request(Protocol.CALLS, StillServer.SLOTS, StillServer.SLOT_BYTES, LARGE), StillServer.CREDITS);
        server.comes(RpcHeader.REQUEST, RpcHeader.OPEN, StillServer.callId(0), StillServer.open(new CallsService()));
        server.peer.add(RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, CallsService.COUNT.index(),
                StillServer.callId(1)), RpcHeader.second(LARGE + 4, 0, 0), new byte[RpcHeader.DESCRIPTOR_BYTES]);
        session.poll(2);
        server.peer.sent.clear();
        return session;
    }

    @Test
    void memoryThatIsMadeAfterTheEndOfItsSessionIsGivenBack() {
        serve(new byte[0]);
        HeldBodies bodies = new HeldBodies();
        ServerSession session = comesLong(bodies);
        session.bury();
        assertEquals(0, bodies.given.get());
        bodies.gate.countDown();
        Await.until("the memory to be given back", () -> bodies.given.get() > 0);
        assertEquals(1, bodies.given.get());
        assertEquals(List.of(), server.peer.sent);
    }

    @Test
    void aRequestThatNobodyHasMemoryForIsRefused() {
        serve(new byte[0]);
        HeldBodies bodies = new HeldBodies();
        bodies.refusal = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        ServerSession session = comesLong(bodies);
        bodies.gate.countDown();
        Await.until("the refusal", () -> session.poll(1) > 0);
        assertEquals("1 RESOURCE_EXHAUSTED planted", server.failure());
        assertEquals(0, session.open());
    }

    @Test
    void whatWasNotFetchedAtTheEndIsGivenBack() {
        byte[] argument = argument(5000);
        serve(argument);
        server.peer.holds = true;
        server.longCall(1, CallsService.COUNT.index(), argument.length);
        server.longCall(2, CallsService.COUNT.index(), argument.length);
        assertEquals(2, server.bodies.out());
        server.session.bury();
        assertEquals(0, server.bodies.out());
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void argumentsStayUntilAHeavyHandlerIsThroughThoughItsSessionEnds() {
        byte[] argument = argument(5000);
        serve(argument);
        server.impl.echoes = bytes -> {
            server.session.bury();
            assertEquals(1, server.bodies.out(), "its handler reads them");
            return CompletableFuture.completedFuture(bytes);
        };
        server.longCall(1, CallsService.ECHO_HEAVY_LATER.index(), argument.length);
        server.executor.run();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void argumentsOfAHeavyCallThatWaitsAreGivenBackWhenItsSessionEnds() {
        byte[] argument = argument(5000);
        serve(argument);
        server.longCall(1, CallsService.ECHO_HEAVY.index(), argument.length);
        assertEquals(1, server.bodies.out());
        server.session.bury();
        assertTrue(server.bodies.isWhole());
        server.executor.run();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void argumentsOfALightCallDoNotOutliveItsSession() {
        byte[] argument = argument(5000);
        serve(argument);
        server.impl.echoes = bytes -> new CompletableFuture<>();
        server.longCall(1, CallsService.ECHO_LATER.index(), argument.length);
        assertEquals(1, server.bodies.out());
        server.session.bury();
        assertTrue(server.bodies.isWhole());
    }

    // ---- answers

    @Test
    void aLongAnswerIsKeptUntilItIsReleased() {
        serve(new byte[0]);
        server.call(1, CallsService.SIZED, sized(5000));
        server.comes(RpcHeader.RELEASE, 0, RpcHeader.callId(1, 5), new byte[0]);
        server.comes(RpcHeader.RELEASE, 0, StillServer.callId(2), new byte[0]);
        server.poll();
        assertEquals(1, server.bodies.out(), "the release was of another call");
        assertTrue(server.session.slots().longestAnswer() >= 5000);
        server.comes(RpcHeader.RELEASE, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        assertEquals(0, server.bodies.out());
        assertEquals(0, server.session.slots().longestAnswer());
    }

    @Test
    void aLongAnswerIsKeptUntilTheNextCallOfItsSlotOrTheEnd() {
        serve(new byte[0]);
        server.call(1, CallsService.SIZED, sized(5000));
        server.call(1, CallsService.NOTHING, new byte[0]);
        assertEquals(0, server.bodies.out());
        server.call(1, CallsService.SIZED, sized(5000));
        assertEquals(1, server.bodies.out());
        server.session.bury();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void anAnswerBeyondTheLimitSaysWhoseItIs() {
        serve(new byte[0]);
        server.call(1, CallsService.SIZED, sized(LARGE));
        assertEquals("1 RESOURCE_EXHAUSTED result is longer than the limit: bytes=1048580 limit=1048576 method="
                + CallsService.SIZED.fullName(), server.failure());
    }

    @Test
    void aResultThatNobodyAskedForIsGivenBackWithTheNextOneWayCallOrAtTheEnd() {
        serve(new byte[0]);
        server.comes(RpcHeader.ONE_WAY, CallsService.SIZED.index(), StillServer.callId(0), sized(5000));
        server.poll();
        assertEquals(1, server.bodies.out());
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        server.poll();
        assertEquals(0, server.bodies.out());
        server.comes(RpcHeader.ONE_WAY, CallsService.SIZED.index(), StillServer.callId(0), sized(5000));
        server.poll();
        server.session.bury();
        assertTrue(server.bodies.isWhole());
        assertEquals(0, server.session.open());
    }
}
