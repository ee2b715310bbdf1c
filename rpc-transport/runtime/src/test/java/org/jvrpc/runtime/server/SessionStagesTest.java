package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** Calls whose answers their handlers leave to stages, light ones and heavy ones. */
class SessionStagesTest {

    private static final byte[] BYTES = {1, 2, 3};
    private static final byte[] THREE = StillServer.bytes(writer -> writer.writeBytes(BYTES));

    private final StillServer server = new StillServer(options -> options.context(true));
    private final CompletableFuture<byte[]> stage = new CompletableFuture<>();

    @AfterEach
    void close() {
        server.close();
    }

    private void call(boolean heavy, CompletableFuture<byte[]> later) {
        MethodDescriptor method = heavy ? CallsService.ECHO_HEAVY_LATER : CallsService.ECHO_LATER;
        server.impl.echoes = bytes -> later;
        server.open();
        server.call(1, method, THREE);
        server.executor.run();
        server.poll();
    }

    /** Does with who asks what a stage of the user's own kind does. */
    private static CompletableFuture<byte[]> stage(Consumer<BiConsumer<? super byte[], ? super Throwable>> does) {
        return new CompletableFuture<>() {
            @Override
            public CompletableFuture<byte[]> whenComplete(BiConsumer<? super byte[], ? super Throwable> action) {
                does.accept(action);
                return this;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallIsAnsweredByThePollerWhenItsStageCompletes(boolean heavy) {
        call(heavy, stage);
        assertEquals(List.of(), server.peer.sent);
        assertEquals(1, server.session.open());
        stage.complete(BYTES);
        assertEquals(List.of(), server.peer.sent, "sent by another thread than the poller");
        assertTrue(server.session.poll(1) > 0, "there was something to do");
        assertArrayEquals(THREE, server.peer.last().bytes());
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertEquals(0, server.session.open());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatFailsFailsItsCall(boolean heavy) {
        call(heavy, stage);
        stage.completeExceptionally(new RpcException(Status.NOT_FOUND, "no such thing"));
        server.poll();
        assertEquals("1 NOT_FOUND no such thing", server.failure());
        assertEquals(1, server.peer.sent.size());
        assertEquals(0, server.session.open());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatCompletesAfterTheEndOfItsSessionIsAnsweredToNobody(boolean heavy) {
        call(heavy, stage);
        server.session.bury();
        int open = server.session.open();
        stage.complete(BYTES);
        assertEquals(List.of(), server.peer.sent);
        assertEquals(open, server.session.open());
        assertTrue(server.bodies.isWhole());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatCallsBackTwiceAnswersOnce(boolean heavy) {
        call(heavy, stage(action -> {
            action.accept(BYTES, null);
            action.accept(new byte[9], null);
        }));
        assertEquals(1, server.peer.sent.size());
        assertArrayEquals(THREE, server.peer.last().bytes());
        assertEquals(0, server.session.open());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatCallsBackLateDoesNotAnswerTheNextCallOfTheSlot(boolean heavy) {
        CompletableFuture<BiConsumer<? super byte[], ? super Throwable>> kept = new CompletableFuture<>();
        call(heavy, stage(action -> {
            action.accept(BYTES, null);
            kept.complete(action);
        }));
        server.peer.sent.clear();
        server.comes(RpcHeader.REQUEST, CallsService.HANG_LATER.index(), RpcHeader.callId(1, 78), new byte[8]);
        server.poll();
        kept.join().accept(BYTES, null);
        server.poll();
        assertEquals(List.of(), server.peer.sent);
        server.impl.openGate();
        server.poll();
        assertEquals(RpcHeader.callId(1, 78), server.peer.last().callId());
        assertEquals(1, server.peer.sent.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatThrowsFailsItsCall(boolean heavy) {
        call(heavy, stage(action -> {
            throw new RpcException(Status.ABORTED, "planted");
        }));
        assertEquals("1 ABORTED planted", server.failure());
        assertEquals(1, server.peer.sent.size());
        assertEquals(0, server.session.open());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStageThatCallsBackAndThrowsEndsItsCallOnce(boolean heavy) {
        call(heavy, stage(action -> {
            action.accept(BYTES, null);
            throw new RpcException(Status.ABORTED, "planted");
        }));
        assertEquals(1, server.peer.sent.size());
        assertEquals(0, server.session.open());
        server.peer.sent.clear();
        server.call(1, CallsService.ECHO, THREE);
        assertArrayEquals(THREE, server.peer.last().bytes());
        assertEquals(1, server.peer.sent.size());
    }

    @Test
    void aHandlerSeesThatItsCallIsCancelledAndNoOther() {
        CompletableFuture<ServerContext> seen = new CompletableFuture<>();
        call(false, stage(action -> seen.complete(ServerCore.context())));
        ServerContext context = seen.join();
        server.comes(RpcHeader.CANCEL, 0, RpcHeader.callId(1, 78), new byte[0]);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(2), new byte[0]);
        server.poll();
        assertFalse(context.isCancelled(), "another call was");
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        assertTrue(context.isCancelled());
    }

    @Test
    void aCancelThatComesAfterItsAnswerIsNotOfTheNextCall() {
        CompletableFuture<ServerContext> seen = new CompletableFuture<>();
        server.impl.echoes = bytes -> {
            seen.complete(ServerCore.context());
            return CompletableFuture.completedFuture(bytes);
        };
        server.open();
        server.call(1, CallsService.ECHO_LATER, THREE);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        assertFalse(seen.join().isCancelled(), "nobody is at it any more");
    }

    @Test
    void aHandlerIsToldWhoCalls() {
        CompletableFuture<ServerContext> seen = new CompletableFuture<>();
        call(false, stage(action -> seen.complete(ServerCore.context())));
        assertEquals(server.peer.peerHost(), seen.join().clientHost());
        assertEquals(1, seen.join().sessionId());
    }

    @Test
    void aOneWayCallHasNoAnswerWhenItsStageCompletes() {
        server.impl.echoes = bytes -> stage;
        server.open();
        server.comes(RpcHeader.ONE_WAY, CallsService.ECHO_LATER.index(), StillServer.callId(0), THREE);
        server.poll();
        stage.complete(BYTES);
        server.poll();
        assertEquals(List.of(), server.peer.sent);
        assertEquals(0, server.session.open());
        assertTrue(server.session.isConnected());
    }

    @Test
    void aHeavyOneWayCallIsOverWhenItsStageCompletes() {
        server.impl.echoes = bytes -> stage;
        server.open();
        server.comes(RpcHeader.ONE_WAY, CallsService.ECHO_HEAVY_LATER.index(), StillServer.callId(0), THREE);
        server.poll();
        server.executor.run();
        assertTrue(server.core.heavyCalls().hasOneWays());
        stage.complete(BYTES);
        assertFalse(server.core.heavyCalls().hasOneWays());
        assertEquals(List.of(), server.peer.sent);
    }

    // ---- contexts of the calls that handlers make

    /** Has handlers keep their contexts and leave their answers to {@link #stage}. */
    private List<RpcContext> contexts() {
        List<RpcContext> all = new ArrayList<>();
        server.impl.echoes = bytes -> {
            all.add(RpcContext.current());
            return stage;
        };
        server.open();
        return all;
    }

    private void comes(int kind, int method, int number) {
        server.comes(kind, method, RpcHeader.callId(1, number), kind == RpcHeader.CANCEL ? new byte[0] : THREE);
        server.poll();
    }

    @Test
    void theContextOfALightCallIsCancelledWithItAndForGood() {
        List<RpcContext> contexts = contexts();
        comes(RpcHeader.REQUEST, CallsService.ECHO_LATER.index(), 77);
        assertFalse(contexts.get(0).isCancelled());
        comes(RpcHeader.CANCEL, 0, 77);
        assertTrue(contexts.get(0).isCancelled());
        stage.complete(BYTES);
        server.poll();
        comes(RpcHeader.REQUEST, CallsService.ECHO_LATER.index(), 78);
        assertTrue(contexts.get(0).isCancelled(), "the next call of its slot is not");
    }

    /** @param heavy one whose handler has not begun */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theContextOfALightCallIsNotCancelledWithTheNextCallOfItsSlot(boolean heavy) {
        List<RpcContext> contexts = contexts();
        stage.complete(BYTES);
        comes(RpcHeader.REQUEST, CallsService.ECHO_LATER.index(), 77);
        server.impl.echoes = bytes -> new CompletableFuture<>();
        comes(RpcHeader.REQUEST, (heavy ? CallsService.ECHO_HEAVY_LATER : CallsService.ECHO_LATER).index(), 78);
        comes(RpcHeader.CANCEL, 0, 78);
        assertFalse(contexts.get(0).isCancelled());
    }

    @Test
    void theContextOfALightCallIsNotCancelledOnceItIsAnswered() {
        List<RpcContext> contexts = contexts();
        stage.complete(BYTES);
        comes(RpcHeader.REQUEST, CallsService.ECHO_LATER.index(), 77);
        comes(RpcHeader.CANCEL, 0, 77);
        assertFalse(contexts.get(0).isCancelled(), "its cancellation came too late");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aOneWayCallsContextOutlivesItsClientAndAnothersDoesNot(boolean oneWay) {
        List<RpcContext> contexts = contexts();
        int kind = oneWay ? RpcHeader.ONE_WAY : RpcHeader.REQUEST;
        server.comes(kind, CallsService.ECHO_LATER.index(), StillServer.callId(1), THREE);
        server.comes(kind, CallsService.ECHO_HEAVY_LATER.index(), StillServer.callId(2), THREE);
        server.poll();
        server.executor.run();
        server.peer.breakOff();
        assertFalse(server.session.isConnected());
        assertEquals(List.of(!oneWay, !oneWay), contexts.stream().map(RpcContext::isCancelled).toList());
    }
}
