package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** What no server sends: it ends the session, and says why to all whose calls end with it. */
class BadAnswersTest {

    private final StillClient client = new StillClient();
    private final StillClient.Peer peer = client.peer;

    @AfterEach
    void close() {
        client.close();
    }

    private CompletableFuture<String> start() {
        return client.write(CallsService.ECHO, null, 1).invokeAsync((in, thrown) -> in.readString() + " " + thrown);
    }

    private void protocolError(String message) {
        CompletableFuture<String> call = start();
        for (int polls = 0; polls < 3; polls++) {
            client.poll(); // to the end
        }
        RpcException e = assertInstanceOf(RpcException.class, StillClient.outcome(call));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertEquals("connection to still is lost: protocol error, " + message, e.getMessage());
        assertFalse(peer.isConnected());
        assertNotNull(peer.failure());
    }

    @Test
    void aMessageOfUnknownKindIsAProtocolError() {
        peer.controls(99, 0);
        protocolError("message of unknown kind=99");
    }

    @Test
    void anAnswerToNoCallIsAProtocolError() {
        int callId = RpcHeader.callId(1, 5);
        peer.answers(callId, Status.OK, new byte[0]);
        protocolError("answer to no call: callId=" + Integer.toHexString(callId));
    }

    @Test
    void anAnswerInASlotThatIsNotIsAProtocolError() {
        int callId = RpcHeader.callId(StillClient.SLOTS, 1);
        peer.answers(callId, Status.OK, new byte[0]);
        protocolError("answer to no call: callId=" + Integer.toHexString(callId));
    }

    @Test
    void anAnswerOfAnotherLengthThanItSaysIsAProtocolError() {
        peer.whenSent = () -> peer.add(RpcHeader.first(RpcHeader.RESPONSE, 0, 0, peer.last().callId()),
                RpcHeader.second(5, 0, 0), new byte[4]);
        protocolError("answer of length=4 says bodyLength=5");
    }

    @Test
    void anAnswerThatIsLongerThanASlotIsAProtocolError() {
        peer.whenSent = () -> peer.answers(peer.last().callId(), Status.OK, new byte[StillClient.SLOT_BYTES + 1]);
        protocolError("answer is longer than a slot: bytes=" + (StillClient.SLOT_BYTES + 1));
    }

    @Test
    void aSecondAnswerIsAProtocolError() {
        CompletableFuture<String> first = start();
        int callId = peer.last().callId();
        peer.answers(callId, Status.OK, StillClient.text("planted"));
        peer.answers(callId, Status.OK, StillClient.text("planted"));
        protocolError("second answer to a call: callId=" + Integer.toHexString(callId));
        assertEquals("planted 0", StillClient.outcome(first));
    }
}
