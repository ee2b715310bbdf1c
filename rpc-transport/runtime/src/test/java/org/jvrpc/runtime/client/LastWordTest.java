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
