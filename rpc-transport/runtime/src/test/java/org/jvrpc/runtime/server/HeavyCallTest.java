package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;

/** Calls on the executor: the memory that they borrow, and the queue that they wait in. */
class HeavyCallTest {

    private static final byte[] THREE = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1, 2, 3}));
    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));
    private static final int LARGE_SLOT = 4096;

    private StillServer server;

    @AfterEach
    void close() {
        server.close();
    }

    private void serve() {
        server = new StillServer(options -> options.settings().queuedCalls(2));
        server.open();
    }

    /** Serves a client whose slots have 4 KiB, with handlers that another one stands in front of. */
    private void serveLarge(ServerInterceptor interceptor) {
        server = new StillServer(options -> options.interceptors().add(interceptor),
                new StillServer.Peer(ScriptedLink.bodies(StillServer.SLOTS, LARGE_SLOT), new byte[0]));
        server.open();
    }

    private static byte[] argument(int bytes) {
        byte[] argument = new byte[bytes];
        Arrays.fill(argument, (byte) 7);
        return StillServer.bytes(writer -> writer.writeBytes(argument));
    }

    private void run() {
        server.executor.run();
        server.poll();
    }

    private void oneWay(byte[] body) {
        server.comes(RpcHeader.ONE_WAY, body == NUMBER ? CallsService.TICK_HEAVY.index()
                : CallsService.ECHO_HEAVY.index(), StillServer.callId(0), body);
        server.poll();
    }

    /** Puts memory of a size where the next call takes it from. */
    private ByteBuffer lend(int bytes) {
        ByteBuffer memory = server.core.scratch().take(bytes);
        server.core.scratch().give(memory);
        return memory;
    }

    private void isBack(ByteBuffer memory) {
        assertSame(memory, server.core.scratch().take(memory.capacity()), "memory of bytes=" + memory.capacity());
    }

    // ---- memory

    @Test
    void argumentsAreCopiedBeforeTheNextMessageComes() {
        serve();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        for (int i = 0; i < server.peer.payloadLength(); i++) {
            server.peer.payload().put(i, (byte) 0);
        }
        run();
        assertArrayEquals(THREE, server.peer.last().bytes());
    }

    @Test
    void argumentsOfAMebibyteInASlotAreCopied() {
        server = new StillServer(options -> options.settings().maxBodyBytes(FuzzBodyPool.BODY_BYTES),
                new StillServer.Peer(ScriptedLink.bodies(StillServer.SLOTS, HeavyCalls.LARGE), new byte[0]));
        server.open();
        byte[] argument = argument(HeavyCalls.LARGE - 4);
        server.call(1, CallsService.ECHO_HEAVY, argument);
        server.peer.payload().put(server.peer.payloadLength() - 1, (byte) 0);
        run();
        assertArrayEquals(argument, server.peer.last().bytes());
    }

    @Test
    void argumentsOfAnyLengthHaveRoom() {
        serve();
        for (int bytes : new int[] {0, 500, 508, 1000, 1020, 1021, 1100, 2040, 5000}) {
            byte[] argument = argument(bytes);
            server.call(1, CallsService.ECHO_HEAVY, argument);
            run();
            assertEquals(Status.OK.code(), server.peer.last().status(), "bytes=" + bytes);
            assertEquals(argument.length, server.peer.last().bodyLength());
            if (argument.length <= StillServer.SLOT_BYTES) {
                assertArrayEquals(argument, server.peer.last().bytes());
            }
            assertEquals(argument.length <= StillServer.SLOT_BYTES ? 0 : RpcHeader.RENDEZVOUS,
                    server.peer.last().flags(), "bytes=" + bytes);
        }
    }

    @Test
    void memoryComesBackWhenTheAnswerIsSent() {
        serve();
        ByteBuffer memory = lend(1);
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        ByteBuffer other = server.core.scratch().take(1);
        assertFalse(other == memory, "it is not borrowed");
        run();
        isBack(memory);
    }

    @Test
    void memoryOfAOneWayCallComesBackWhenItIsOver() {
        serve();
        ByteBuffer memory = lend(1);
        oneWay(NUMBER);
        server.executor.run();
        isBack(memory);
    }

    @Test
    void memoryOfACallThatIsNotQueuedComesBack() {
        serve();
        ByteBuffer memory = lend(1);
        server.executor.refusal = new RejectedExecutionException("planted");
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        isBack(memory);
        server.core.scratch().give(memory);
        oneWay(NUMBER);
        isBack(memory);
    }

    @Test
    void aLongResultThatNobodyAskedForIsGivenBack() {
        serve();
        oneWay(argument(5000));
        server.executor.run();
        assertEquals(0, server.bodies.out());
        assertTrue(server.session.isConnected());
    }

    @Test
    void aLongAnswerIsKeptUntilItIsReleased() {
        serve();
        server.call(1, CallsService.ECHO_HEAVY, argument(5000));
        run();
        assertEquals(1, server.bodies.out());
        server.comes(RpcHeader.RELEASE, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        assertEquals(0, server.bodies.out());
    }

    @Test
    void aLongAnswerOfASessionThatHasEndedIsGivenBack() {
        serve();
        server.call(1, CallsService.ECHO_HEAVY, argument(5000));
        server.session.bury();
        server.executor.run();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void anAnswerThatTurnsIntoAFailureGivesItsMemoryBack() {
        serveLarge((call, next) -> {
            next.proceed();
            throw new RpcException(Status.ABORTED, "planted");
        });
        server.call(1, CallsService.ECHO_HEAVY, argument(5000));
        run();
        assertEquals("1 ABORTED planted", server.failure());
        assertEquals(0, server.peer.last().flags());
        assertEquals(0, server.bodies.out());
        server.call(1, CallsService.ECHO, argument(5000));
        assertEquals("1 ABORTED planted", server.failure());
        assertEquals(0, server.peer.last().flags());
        assertEquals(0, server.bodies.out());
    }

    /** Has a call answered with so many numbers, one by one, and returns them. */
    private byte[] numbers(int count) {
        serveLarge((call, next) -> {
            next.proceed();
            WireWriter out = ((ServerCall) call).result();
            for (int i = 1; i < count; i++) {
                out.writeInt(i);
            }
        });
        ByteBuffer one = lend(1024);
        ByteBuffer two = lend(2048);
        ByteBuffer four = lend(4096);
        server.call(1, CallsService.ECHO_HEAVY, argument(0));
        run();
        assertEquals(Status.OK.code(), server.peer.last().status());
        isBack(one);
        isBack(two);
        isBack(four);
        return StillServer.bytes(writer -> {
            for (int i = 0; i < count; i++) {
                writer.writeInt(i);
            }
        });
    }

    @Test
    void anAnswerGrowsPieceByPieceUpToASlot() {
        for (int count : new int[] {100, 254, 255, 300, 700, LARGE_SLOT / 4}) {
            byte[] expected = numbers(count);
            assertArrayEquals(expected, server.peer.last().bytes());
            assertEquals(0, server.peer.last().flags(), "count=" + count);
            assertEquals(0, server.bodies.out(), "count=" + count);
            server.close();
        }
    }

    @Test
    void anAnswerThatGrowsGetsTwiceTheRoom() {
        List<Integer> rooms = new ArrayList<>();
        serveLarge((call, next) -> {
            next.proceed();
            WireWriter out = ((ServerCall) call).result();
            for (int ints = 1; ints <= (1024 - 4) / 4; ints++) { // one more than there is room for behind the arguments
                rooms.add(out.buffer().capacity());
                out.writeInt(ints);
            }
            rooms.add(out.buffer().capacity());
        });
        server.call(1, CallsService.ECHO_HEAVY, argument(0));
        run();
        assertEquals(List.of(1024, 2048), rooms.stream().distinct().toList());
    }

    @Test
    void anAnswerThatGrowsToJustASlotLiesThere() {
        int rest = LARGE_SLOT - 8; // behind the lengths of two arrays
        serveLarge((call, next) -> {
            next.proceed();
            ((ServerCall) call).result().writeBytes(new byte[rest]);
        });
        server.call(1, CallsService.ECHO_HEAVY, argument(0));
        run();
        assertEquals(0, server.peer.last().flags());
        assertEquals(LARGE_SLOT, server.peer.last().bodyLength());
    }

    @Test
    void anAnswerThatGrowsBeyondASlotLiesElsewhere() {
        numbers(LARGE_SLOT / 4 + 1);
        assertEquals(RpcHeader.RENDEZVOUS, server.peer.last().flags());
        assertEquals(LARGE_SLOT + 4, server.peer.last().bodyLength());
        assertEquals(1, server.bodies.out());
    }

    // ---- the queue

    private void refuse(int slot) {
        server.executor.refusal = new RejectedExecutionException("planted");
        server.call(slot, CallsService.ECHO_HEAVY, THREE);
        assertEquals(slot + " UNAVAILABLE server's executor takes no more calls: planted", server.failure());
        server.executor.refusal = null;
    }

    private void fill() {
        server.peer.sent.clear();
        server.call(0, CallsService.ECHO_HEAVY, THREE);
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        assertEquals(List.of(), server.peer.sent, "there is room for two");
        server.call(2, CallsService.ECHO_HEAVY, THREE);
        assertEquals("2 RESOURCE_EXHAUSTED too many heavy calls wait for the executor: waiting=2 limit=2",
                server.failure());
        run();
    }

    @Test
    void callsThatAreRefusedOrOverHoldNoPlaceInTheQueue() {
        serve();
        fill();
        for (int i = 0; i < 5; i++) {
            refuse(1);
        }
        fill();
        fill();
    }

    @Test
    void oneWayCallsMakeNoRoomInTheQueueWhenTheyAreRefusedOrOver() {
        serve();
        server.executor.refusal = new RejectedExecutionException("planted");
        oneWay(NUMBER);
        server.executor.refusal = null;
        assertFalse(server.core.heavyCalls().hasOneWays());
        fill();
        oneWay(NUMBER);
        server.executor.run();
        fill();
    }

    @Test
    void aCallThatIsRefusedIsNoOneWayCallLess() {
        serve();
        refuse(1);
        oneWay(NUMBER);
        assertTrue(server.core.heavyCalls().hasOneWays());
        server.executor.run();
        assertFalse(server.core.heavyCalls().hasOneWays());
    }

    @Test
    void anExecutorThatRefusesATaskAndRunsItAllTheSameRunsNothing() {
        serve();
        refuse(1);
        server.core.heavyCalls().run();
        assertEquals(1, server.peer.sent.size());
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        run();
        assertArrayEquals(THREE, server.peer.last().bytes());
    }

    @Test
    void sessionsTakeTurns() {
        serve();
        StillServer.Peer second = new StillServer.Peer();
        ServerSession other = server.session(second);
        oneWay(NUMBER);
        oneWay(NUMBER);
        second.add(RpcHeader.first(RpcHeader.REQUEST, 0, RpcHeader.OPEN, StillServer.callId(0)), openSecond(),
                StillServer.open(new CallsService()));
        second.add(RpcHeader.first(RpcHeader.REQUEST, 0, CallsService.ECHO_HEAVY.index(), StillServer.callId(1)),
                RpcHeader.second(THREE.length, 0, 0), THREE);
        other.poll(2);
        server.executor.tasks.poll().run();
        server.executor.tasks.poll().run();
        other.poll(1);
        assertArrayEquals(THREE, second.last().bytes(), "it waited for both calls of the other session");
        assertEquals(1, server.impl.ticks.get());
    }

    private static long openSecond() {
        return RpcHeader.second(StillServer.open(new CallsService()).length, 0, 0);
    }

    /** The executor runs what it has, and then takes no more: the refused call runs, another one cannot. */
    private void refuseAnother() {
        StillServer.Peer second = new StillServer.Peer();
        ServerSession other = server.session(second);
        second.add(RpcHeader.first(RpcHeader.REQUEST, 0, RpcHeader.OPEN, StillServer.callId(0)), openSecond(),
                StillServer.open(new CallsService()));
        other.poll(1);
        second.add(RpcHeader.first(RpcHeader.REQUEST, 0, CallsService.ECHO_HEAVY.index(), StillServer.callId(1)),
                RpcHeader.second(THREE.length, 0, 0), THREE);
        server.executor.refusal = new RejectedExecutionException("planted");
        server.executor.runsFirst = true;
        other.poll(1);
        other.poll(1);
        assertArrayEquals(THREE, second.last().bytes());
        assertEquals(Status.OK.code(), second.last().status());
    }

    @Test
    void theCallThatCannotRunIsRefusedThoughItsTaskWasTaken() {
        server = new StillServer();
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.call(2, CallsService.ECHO_HEAVY, THREE);
        refuseAnother();
        server.poll();
        assertEquals(2, server.peer.sent.size());
        assertArrayEquals(THREE, server.peer.sent.get(0).bytes());
        assertEquals("2 UNAVAILABLE server's executor takes no more calls: planted", server.failure());
        assertEquals(0, server.session.open());
    }

    @Test
    void aOneWayCallThatCannotRunThoughItsTaskWasTakenIsOverAndItsCreditComesBack() {
        server = new StillServer();
        server.open();
        int batch = StillServer.CREDITS / 4;
        for (int i = 0; i < batch - 2; i++) {
            oneWay(NUMBER);
        }
        run();
        oneWay(NUMBER);
        oneWay(NUMBER);
        refuseAnother();
        server.poll();
        assertEquals(batch - 1, server.impl.ticks.get());
        assertFalse(server.core.heavyCalls().hasOneWays());
        assertEquals(batch, server.peer.last().credits());
    }

    @Test
    void anExecutorThatRunsAllAndRefusesRefusesNobody() {
        serve();
        server.executor.refusal = new RejectedExecutionException("planted");
        server.executor.runsRefused = true;
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.poll();
        assertEquals(1, server.peer.sent.size());
        assertArrayEquals(THREE, server.peer.last().bytes());
    }
}
