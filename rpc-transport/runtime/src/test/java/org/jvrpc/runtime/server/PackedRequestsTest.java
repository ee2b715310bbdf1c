package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** Several requests in a message, and messages that say so and hold none. */
final class PackedRequestsTest {

    private final StillServer server = new StillServer();
    private final StillServer.Peer peer = server.peer;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    @BeforeEach
    void open() {
        server.open();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static byte[] echo(int bytes) {
        return StillServer.bytes(writer -> writer.writeBytes(new byte[bytes]));
    }

    private void request(int flags, int slot, MethodDescriptor method, byte[] body) {
        header(RpcHeader.REQUEST, flags, method.index(), slot, body.length, 0);
        message.writeBytes(body);
    }

    private void header(int kind, int flags, int method, int slot, int length, int extension) {
        while (message.size() % 8 != 0) {
            message.write(0xee);
        }
        message.writeBytes(ByteBuffer.allocate(RpcHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                .putLong(RpcHeader.first(kind, flags, method, StillServer.callId(slot)))
                .putLong(RpcHeader.second(length, 0, extension)).array());
    }

    private void comes() {
        ByteBuffer bytes = ByteBuffer.wrap(message.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        byte[] rest = new byte[bytes.capacity() - RpcHeader.BYTES];
        bytes.get(RpcHeader.BYTES, rest);
        peer.add(bytes.getLong(0), bytes.getLong(8), rest);
        message.reset();
    }

    /** Three echoes of one, two and three bytes. */
    private void three() {
        request(RpcHeader.MORE, 2, CallsService.ECHO, echo(1));
        request(RpcHeader.MORE, 0, CallsService.ECHO, echo(2));
        request(0, 1, CallsService.ECHO, echo(3));
        comes();
    }

    private List<String> answers() {
        return peer.sent.stream().map(sent -> RpcHeader.slot(sent.callId()) + " "
                + HexFormat.of().formatHex(sent.bytes(), 0, sent.bodyLength())).toList();
    }

    /** The session ends after so many answers. */
    private void protocolError(int answers) {
        server.poll();
        assertTrue(server.session.isOver(), "the session ends");
        assertEquals(answers, peer.sent.size());
    }

    @Test
    void eachIsAnswered() {
        three();
        server.poll();
        assertEquals(List.of("2 0100000000", "0 020000000000", "1 03000000000000"), answers());
        assertEquals(0, server.session.open());
        assertFalse(server.session.isOver());
    }

    @Test
    void theAnswersLeaveTogetherOnceRequestsAreKnownToBeQuick() {
        for (int burst = 0; burst < 3; burst++) { // the second is timed
            peer.sent.clear();
            three();
            server.poll();
        }
        assertEquals(1, peer.sent.size());
        assertEquals(2, peer.last().slot());
        assertEquals(RpcHeader.MORE, peer.last().flags());
    }

    @Test
    void eachCountsAsARequest() {
        three();
        assertEquals(3, server.session.poll(StillServer.SLOTS));
    }

    @Test
    void oneThatIsLeftToAnotherThreadHoldsNoOtherUp() {
        request(RpcHeader.MORE, 2, CallsService.ECHO, echo(1));
        request(RpcHeader.MORE, 0, CallsService.ECHO_HEAVY, echo(2));
        request(0, 1, CallsService.ECHO, echo(3));
        comes();
        server.poll();
        assertEquals(List.of("2 0100000000", "1 03000000000000"), answers());
        server.executor.run();
        server.poll();
        assertEquals("0 020000000000", answers().get(2));
    }

    @Test
    void theLastMayHaveAnExtension() {
        byte[] body = echo(2);
        byte[] extension = StillServer.bytes(writer -> {
            writer.writeLong(1_000_000);
            writer.writeInt(0);
        });
        request(RpcHeader.MORE, 2, CallsService.ECHO, echo(1));
        header(RpcHeader.REQUEST, 0, CallsService.ECHO.index(), 0, body.length, extension.length);
        message.writeBytes(body);
        message.writeBytes(extension);
        comes();
        server.poll();
        assertEquals(List.of("2 0100000000", "0 020000000000"), answers());
    }

    // ---- after a pause

    @Test
    void thoseThatWereGivenUpMeanwhileAreNotRun() {
        peer.sent.clear();
        three();
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(0), new byte[0]);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(1), new byte[0]);
        server.nowNs += 1_000_000_000; // since the last poll
        server.poll();
        assertEquals(3, peer.sent.size());
        assertEquals("2 0100000000", answers().get(0));
        for (int i = 1; i <= 2; i++) {
            assertEquals(Status.CANCELLED.code(), peer.sent.get(i).status());
        }
        assertEquals(List.of(2, 0, 1), peer.sent.stream().map(sent -> RpcHeader.slot(sent.callId())).toList());
    }

    @Test
    void whatMakesNoSenseIsToldInItsTurn() {
        request(0, 3, CallsService.ECHO, echo(1));
        comes();
        request(RpcHeader.MORE, 2, CallsService.ECHO, echo(1));
        header(RpcHeader.REQUEST, RpcHeader.MORE, CallsService.ECHO.index(), 0, 5, 0);
        message.writeBytes(echo(1));
        comes();
        server.nowNs += 1_000_000_000;
        protocolError(2);
    }

    // ---- what no client sends

    @Test
    void aBodyThatReachesBeyondTheMessageIsAProtocolError() {
        header(RpcHeader.REQUEST, RpcHeader.MORE, CallsService.ECHO.index(), 0, 25, 0);
        message.writeBytes(new byte[24]);
        comes();
        protocolError(0);
    }

    @Test
    void aBodyThatLeavesNoRoomForAHeaderIsAProtocolError() {
        header(RpcHeader.REQUEST, RpcHeader.MORE, CallsService.ECHO.index(), 0, 4, 0);
        message.writeBytes(new byte[8 + 15]);
        comes();
        protocolError(0);
    }

    @Test
    void aBodyOfNegativeLengthIsAProtocolError() {
        header(RpcHeader.REQUEST, RpcHeader.MORE, CallsService.ECHO.index(), 0, -16, 0);
        message.writeBytes(new byte[32]);
        comes();
        protocolError(0);
    }

    @Test
    void aHugeBodyIsAProtocolError() {
        header(RpcHeader.REQUEST, RpcHeader.MORE, CallsService.ECHO.index(), 0, Integer.MAX_VALUE, 0);
        message.writeBytes(new byte[32]);
        comes();
        protocolError(0);
    }

    @Test
    void aLongRequestAmongOthersIsAProtocolError() {
        request(RpcHeader.MORE, 0, CallsService.ECHO, echo(1));
        header(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, CallsService.ECHO.index(), 1, 5000, 0);
        message.writeBytes(new byte[RpcHeader.DESCRIPTOR_BYTES]);
        comes();
        protocolError(1);
    }

    @Test
    void anotherMessageAmongThemIsAProtocolError() {
        request(RpcHeader.MORE, 0, CallsService.ECHO, echo(1));
        header(RpcHeader.ONE_WAY, 0, CallsService.TICK.index(), 1, 8, 0);
        message.writeBytes(new byte[8]);
        comes();
        protocolError(1);
    }

    @Test
    void aSlotThatIsTakenByAnotherOfThemIsAProtocolError() {
        request(RpcHeader.MORE, 0, CallsService.ECHO_HEAVY, echo(1));
        request(RpcHeader.MORE, 0, CallsService.ECHO, echo(1));
        request(0, 1, CallsService.ECHO, echo(1));
        comes();
        protocolError(0);
        assertEquals(1, server.executor.tasks.size(), "what comes behind is not handled");
    }

    @Test
    void theLastOneIsAsLongAsItSays() {
        request(RpcHeader.MORE, 0, CallsService.ECHO, echo(1));
        request(0, 1, CallsService.ECHO, echo(1));
        message.write(0);
        comes();
        protocolError(1);
    }
}
