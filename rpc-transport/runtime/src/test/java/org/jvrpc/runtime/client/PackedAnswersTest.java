package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** Several answers in a message, and messages that say so and hold none. */
final class PackedAnswersTest {

    private final StillClient client = new StillClient();
    private final StillClient.Peer peer = client.peer;
    private final List<CompletableFuture<String>> calls = new ArrayList<>();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        client.close();
    }

    private void start(int count) {
        for (int i = 0; i < count; i++) {
            calls.add(client.write(CallsService.ECHO, null, 1).invokeAsync((in, thrown) -> in.readString()));
        }
    }

    /** Appends an answer to the message. */
    private void answer(int flags, int call, int credits, String text) {
        header(RpcHeader.RESPONSE, flags, peer.sent.get(call).callId(), StillClient.text(text).length, credits);
        message.writeBytes(StillClient.text(text));
    }

    private void header(int kind, int flags, int callId, int length, int credits) {
        while (message.size() % 8 != 0) {
            message.write(0xee);
        }
        message.writeBytes(ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN)
                .putLong(RpcHeader.first(kind, flags, 0, callId))
                .putLong(RpcHeader.second(length, credits, 0)).array());
    }

    private void comes() {
        ByteBuffer bytes = ByteBuffer.wrap(message.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        byte[] rest = new byte[bytes.capacity() - RpcHeader.BYTES];
        bytes.get(RpcHeader.BYTES, rest);
        peer.add(bytes.getLong(0), bytes.getLong(8), rest);
    }

    private void outcome(int call, String answer) {
        assertEquals(answer, StillClient.outcome(calls.get(call)));
    }

    /** The session ends, those calls fail, and why is said. */
    private void protocolError(String why, int... failed) {
        for (int polls = 0; polls < 3; polls++) {
            client.poll();
        }
        assertFalse(peer.isConnected());
        for (int call : failed) {
            RpcException e = assertInstanceOf(RpcException.class, StillClient.outcome(calls.get(call)));
            assertEquals(Status.UNAVAILABLE, e.status());
            assertEquals("connection to still is lost: protocol error, " + why, e.getMessage());
        }
    }

    @Test
    void eachEndsItsCall() {
        start(4);
        answer(RpcHeader.MORE, 2, 0, "two");
        answer(RpcHeader.MORE, 0, 0, "");
        answer(RpcHeader.MORE, 3, 0, "three and more");
        answer(0, 1, 0, "one");
        comes();
        client.poll();
        outcome(0, "");
        outcome(1, "one");
        outcome(2, "two");
        outcome(3, "three and more");
        assertTrue(peer.isConnected());
    }

    @Test
    void asManyMessagesFollowLikelyAsThereWereAnswers() {
        start(3);
        answer(RpcHeader.MORE, 0, 0, "a");
        answer(RpcHeader.MORE, 1, 0, "b");
        answer(0, 2, 0, "c");
        comes();
        peer.expected();
        client.session.tryPoll();
        assertEquals(3, peer.expected());
    }

    @Test
    void theOneThatIsWaitedForMayBeAnyOfThem() {
        start(2);
        ClientSlot waited = client.write(CallsService.ECHO, null, 1);
        peer.whenSent = () -> {
            answer(RpcHeader.MORE, 0, 0, "a");
            answer(RpcHeader.MORE, 2, 0, "mine");
            answer(0, 1, 0, "b");
            comes();
        };
        assertEquals("mine", waited.invoke().readString());
        peer.whenSent = () -> { };
        waited.close();
        client.poll(); // publishes what was polled
        outcome(0, "a");
        outcome(1, "b");
    }

    @Test
    void eachGivesItsCreditsBack() {
        start(2);
        for (int i = 0; i < StillClient.CREDITS; i++) {
            client.session.credits().take();
            client.session.credits().sendLater(RpcHeader.CANCEL, i);
        }
        answer(RpcHeader.MORE, 0, 1, "a");
        answer(0, 1, StillClient.CREDITS - 1, "b");
        comes();
        client.poll();
        assertEquals(2 + StillClient.CREDITS, peer.sent.size(), "what waited for a credit is sent");
    }

    // ---- what no server sends

    @Test
    void aBodyThatReachesBeyondTheMessageIsAProtocolError() {
        start(2);
        header(RpcHeader.RESPONSE, RpcHeader.MORE, peer.sent.get(0).callId(), 25, 0);
        message.writeBytes(new byte[24]);
        comes();
        protocolError("among answers in a message: kind=5 flags=4 bodyLength=25 left=24", 0, 1);
    }

    @Test
    void aBodyThatLeavesNoRoomForAHeaderIsAProtocolError() {
        start(2);
        header(RpcHeader.RESPONSE, RpcHeader.MORE, peer.sent.get(0).callId(), 4, 0);
        message.writeBytes(new byte[8 + 15]);
        comes();
        protocolError("among answers in a message: kind=5 flags=4 bodyLength=4 left=23", 0, 1);
    }

    @Test
    void aBodyOfNegativeLengthIsAProtocolError() {
        start(1);
        header(RpcHeader.RESPONSE, RpcHeader.MORE, peer.sent.get(0).callId(), -16, 0);
        message.writeBytes(new byte[32]);
        comes();
        protocolError("among answers in a message: kind=5 flags=4 bodyLength=-16 left=32", 0);
    }

    @Test
    void aHugeBodyIsAProtocolError() {
        start(1);
        header(RpcHeader.RESPONSE, RpcHeader.MORE, peer.sent.get(0).callId(), Integer.MAX_VALUE, 0);
        message.writeBytes(new byte[32]);
        comes();
        protocolError("among answers in a message: kind=5 flags=4 bodyLength=" + Integer.MAX_VALUE + " left=32", 0);
    }

    @Test
    void aLongAnswerThatOthersFollowIsAProtocolError() {
        start(2);
        header(RpcHeader.RESPONSE, RpcHeader.MORE | RpcHeader.RENDEZVOUS, peer.sent.get(0).callId(), 16, 0);
        message.writeBytes(new byte[16]);
        answer(0, 1, 0, "b");
        comes();
        protocolError("among answers in a message: kind=5 flags=5 bodyLength=16 left=37", 0, 1);
    }

    @Test
    void anotherMessageBehindAnAnswerIsAProtocolError() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a");
        header(RpcHeader.GO_AWAY, 0, 0, 0, 0);
        comes();
        protocolError("among answers in a message: kind=7 flags=0 bodyLength=0 left=0", 1);
        outcome(0, "a");
    }

    @Test
    void whatComesBehindAnAnswerToNoCallIsLost() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a");
        int callId = RpcHeader.callId(3, 99);
        header(RpcHeader.RESPONSE, RpcHeader.MORE, callId, 0, 0);
        answer(0, 1, 0, "b");
        comes();
        protocolError("answer to no call: callId=" + Integer.toHexString(callId), 1);
        outcome(0, "a");
    }

    @Test
    void theLastOneIsAsLongAsItSays() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a");
        answer(0, 1, 0, "b");
        message.write(0);
        comes();
        protocolError("answer of length=6 says bodyLength=5", 1);
        outcome(0, "a");
    }

    @Test
    void aLongAnswerBehindAnotherIsAProtocolError() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a");
        header(RpcHeader.RESPONSE, RpcHeader.RENDEZVOUS, peer.sent.get(1).callId(), 5, 0);
        message.writeBytes(new byte[RpcHeader.DESCRIPTOR_BYTES]);
        comes();
        protocolError("among answers in a message: kind=5 flags=1 bodyLength=5 left=12", 1);
        outcome(0, "a");
    }

    @Test
    void aMessageThatIsLongerThanASlotIsAProtocolError() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a".repeat(StillClient.SLOT_BYTES - 26));
        answer(0, 1, 0, "b");
        comes();
        protocolError("answer is longer than a slot: bytes=" + (message.size() - RpcHeader.BYTES), 0, 1);
    }

    @Test
    void nothingIsTakenBehindASecondAnswer() {
        start(2);
        answer(RpcHeader.MORE, 0, 0, "a");
        answer(RpcHeader.MORE, 0, 0, "again");
        answer(0, 1, 0, "b");
        comes();
        protocolError("second answer to a call: callId=" + Integer.toHexString(peer.sent.get(0).callId()), 1);
        outcome(0, "a");
    }

    @Test
    void aSecondAnswerToTheOneThatIsWaitedForIsAProtocolError() {
        start(1);
        ClientSlot waited = client.write(CallsService.ECHO, null, 1);
        peer.whenSent = () -> {
            answer(RpcHeader.MORE, 1, 0, "mine");
            answer(RpcHeader.MORE, 1, 0, "again");
            answer(0, 0, 0, "a");
            comes();
        };
        assertEquals("mine", waited.invoke().readString());
        peer.whenSent = () -> { };
        waited.close();
        protocolError("second answer to a call: callId=" + Integer.toHexString(peer.sent.get(1).callId()), 0);
    }
}
