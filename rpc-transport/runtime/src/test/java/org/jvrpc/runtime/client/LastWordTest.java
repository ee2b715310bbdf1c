package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** What is known of calls without an answer when a server goes. */
class LastWordTest {

    private static final int LONG = 5000;

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final StillClient.Peer peer = client.peer;

    @AfterEach
    void close() {
        client.close();
    }

    private ClientSlot write() {
        return client.write(CallsService.ECHO, null, 1);
    }

    private static CompletableFuture<String> start(ClientSlot slot) {
        return slot.invokeAsync((in, thrown) -> in.readString() + " " + thrown);
    }

    private static RpcException failure(CompletableFuture<?> call) {
        return assertInstanceOf(RpcException.class, StillClient.outcome(call));
    }

    @Test
    void whatAServerThatGoesHasNotTakenHasNotRun() {
        CompletableFuture<String> before = start(write());
        peer.controls(RpcHeader.GO_AWAY, 0);
        client.poll();
        peer.answers(peer.last().callId(), Status.OK, StillClient.text("planted"));
        peer.controls(RpcHeader.GO_AWAY, 0);
        CompletableFuture<String> late = start(write());
        session.end();
        client.core.events().publishWaiting();
        assertEquals("planted 0", StillClient.outcome(before));
        assertEquals("connection to still is lost: peer is gone", failure(late).getMessage());
        assertFalse(failure(late).mayHaveRun());
    }

    @Test
    void whatIsNotAnsweredMayHaveRunUntilTheServerSaysThatAllIs() {
        CompletableFuture<String> call = start(write());
        peer.controls(RpcHeader.GO_AWAY, 0);
        session.end();
        client.core.events().publishWaiting();
        assertTrue(failure(call).mayHaveRun());
    }

    /** Has the server go while it is known to have answered a call whose answer is not here in whole. */
    private CompletableFuture<String> halfAnswered() {
        peer.holdsOneWay = true;
        CompletableFuture<String> call = start(write());
        peer.answersLong(peer.last().callId(), LONG);
        peer.controls(RpcHeader.GO_AWAY, 0);
        peer.controls(RpcHeader.GO_AWAY, 0);
        client.poll();
        assertTrue(session.longAnswers().areUnderWay());
        return call;
    }

    @Test
    void whoseAnswerIsHalfFetchedHasRun() {
        CompletableFuture<String> call = halfAnswered();
        CompletableFuture<String> late = start(write());
        session.end();
        client.core.events().publishWaiting();
        assertTrue(failure(call).mayHaveRun());
        assertFalse(failure(late).mayHaveRun());
    }

    @Test
    void whoseAnswerIsHalfFetchedHasRunAlsoWhereTheClientEnds() {
        CompletableFuture<String> call = halfAnswered();
        client.close();
        client.core.events().publishWaiting();
        assertTrue(failure(call).mayHaveRun());
    }

    @Test
    void whoseLongAnswerMakesNoSenseHasRun() {
        peer.holdsOneWay = true;
        CompletableFuture<String> call = start(write());
        peer.add(RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.RENDEZVOUS | RpcHeader.TRAILERS, 0,
                peer.last().callId()), RpcHeader.second(LONG, 0, 1), new byte[RpcHeader.DESCRIPTOR_BYTES]);
        peer.controls(RpcHeader.GO_AWAY, 0);
        peer.controls(RpcHeader.GO_AWAY, 0);
        client.poll();
        peer.holdsOneWay = false;
        client.poll();
        session.end();
        client.core.events().publishWaiting();
        assertTrue(failure(call).getMessage().contains("makes no sense"), failure(call).getMessage());
        assertTrue(failure(call).mayHaveRun());
    }

    /** What came behind it is polled, too, where the link has it. */
    @Test
    void aServerThatBreaksTheProtocolIsNotBelieved() {
        peer.outlivesFailure = true;
        CompletableFuture<String> call = start(write());
        peer.add(RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.TRAILERS, 0, peer.last().callId()),
                RpcHeader.second(0, 0, 1), new byte[1]);
        peer.controls(RpcHeader.GO_AWAY, 0);
        peer.controls(RpcHeader.GO_AWAY, 0);
        client.poll();
        session.end();
        client.core.events().publishWaiting();
        assertTrue(failure(call).getMessage().contains("makes no sense"), failure(call).getMessage());
        assertTrue(failure(call).mayHaveRun());
    }

    @Test
    void whatCannotBeSentToAServerThatHasGoneHasNotRun() {
        ClientSlot slot = write();
        peer.controls(RpcHeader.GO_AWAY, 0);
        peer.controls(RpcHeader.GO_AWAY, 0);
        client.poll();
        peer.fail("planted");
        RpcException e = assertThrows(RpcException.class, slot::call);
        assertEquals(Status.UNAVAILABLE, e.status());
        assertFalse(e.mayHaveRun());
    }
}
