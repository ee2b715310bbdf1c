package org.jvrpc.runtime.stream.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.stream.FeedService;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.runtime.stream.SessionTurns;
import org.jvrpc.runtime.stream.StreamPoller;
import org.jvrpc.runtime.stream.StreamSession;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.stream.piece.Beside;
import org.jvrpc.runtime.stream.piece.Failure;
import org.jvrpc.runtime.stream.piece.StreamHeader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Wakes;

/** What servers say beside the end of a call, whatever that is: a client hears of it, or ends the session. */
class HostileServerTest {

    private static final int WINDOW = 16;
    private static final int PIECE_BYTES = 1 << 14;
    private static final byte[] RESULT = {1, 2, 3};
    private static final ErrorDetails DETAILS = ErrorDetails.of("FULL", "a.org").with("k", "v");

    private final ScriptedLink link = new ScriptedLink(ScriptedLink.bodies(WINDOW, PIECE_BYTES), new byte[0], 0);
    private final StreamSession session = session();
    private Metadata heard;
    private final ClientStream call = new ClientStream(session, new ClientInvocation(Clock.SYSTEM, List.of(),
            FeedService.SUM, CallOptions.DEFAULT.withResponseMetadata(came -> heard = came), 0, 0), null, null, null);
    private RpcException failure;
    private int answers;

    private StreamSession session() {
        StreamPoller poller = new StreamPoller(Environment.SYSTEM, new Wakes(), Idler.spinning(1), "test", 1L << 40,
                ended -> { }, () -> { });
        return new StreamSession(Clock.SYSTEM, link, null, new StreamMemory(1 << 24), IdleStrategy.BLOCK,
                Hello.request(Protocol.STREAMS, WINDOW, PIECE_BYTES, 1 << 16), 1 << 16, 7, poller);
    }

    HostileServerTest() {
        call.receiveAnswer(new ClientStream.Answer() {
            @Override
            public void answered(ByteBuffer bytes, int offset, int thrown) {
                answers++;
            }

            @Override
            public void failed(RpcException cause) {
                failure = cause;
            }
        });
        session.table().add(call);
    }

    private static byte[] bytes(ByteBuffer from) {
        byte[] bytes = new byte[from.limit()];
        from.get(0, bytes);
        return bytes;
    }

    private static byte[] trailers() {
        return bytes(Beside.of(new Metadata().put("took", "1"), null));
    }

    private static byte[] failureWithDetails() {
        RpcException cause = new RpcException(Status.ABORTED, "why").withDetails(DETAILS);
        return bytes(Failure.of(Status.ABORTED, cause, false));
    }

    /** Has a message come in pieces. */
    private HostileServerTest comes(int kind, byte[] message) {
        int at = 0;
        do {
            int length = Math.min(PIECE_BYTES, message.length - at);
            link.add(StreamHeader.first(kind, 0, call.id()), StreamHeader.second(length, message.length - at),
                    Arrays.copyOfRange(message, at, at + length));
            at += length;
        } while (at < message.length);
        return this;
    }

    private void poll() {
        while (SessionTurns.take(session, 1) > 0) {
            Thread.onSpinWait();
        }
    }

    private void endsSession(String why) {
        poll();
        assertTrue(session.isOver());
        assertEquals(Status.UNAVAILABLE, failure.status());
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
        assertEquals(0, answers);
    }

    @Test
    void trailersAreHeardOnceTheCallHasEnded() {
        comes(StreamHeader.TRAILERS, trailers()).poll();
        assertNull(heard);
        comes(StreamHeader.RESULT, RESULT).poll();
        assertEquals("1", heard.get("took"));
        assertEquals(1, answers);
        assertFalse(session.isOver());
    }

    @Test
    void trailersAndDetailsOfOneFailureAreBothHeard() {
        comes(StreamHeader.TRAILERS, trailers()).comes(StreamHeader.ERROR, failureWithDetails()).poll();
        assertEquals("1", heard.get("took"));
        assertEquals(DETAILS, failure.details());
        assertFalse(session.isOver());
    }

    @Test
    void trailersTwiceEndTheSession() {
        comes(StreamHeader.TRAILERS, trailers()).comes(StreamHeader.TRAILERS, trailers())
                .comes(StreamHeader.RESULT, RESULT).endsSession("message makes no sense: kind=11");
    }

    @Test
    void trailersLongerThanTheirLimitEndTheSession() {
        comes(StreamHeader.TRAILERS, new byte[1 << 16]).comes(StreamHeader.RESULT, RESULT)
                .endsSession("trailers are longer than the limit: bytes=65536 limit=65535");
    }

    @Test
    void trailersThatAreNoneEndTheSession() {
        comes(StreamHeader.TRAILERS, new byte[] {1, 2, 3}).comes(StreamHeader.RESULT, RESULT)
                .endsSession("malformed body: needed=8 remaining=3");
    }

    @Test
    void detailsThatAreCutOffEndTheSession() {
        byte[] whole = failureWithDetails();
        comes(StreamHeader.ERROR, Arrays.copyOf(whole, whole.length - 1))
                .endsSession("details of a failure are cut off");
    }

    @Test
    void detailsThatMakeNoSenseAreLeftOutAndTheFailureArrives() {
        Metadata wrong = new Metadata().put("jvrpc-error-reason", "lower case");
        byte[] plain = bytes(Failure.of(Status.ABORTED, new RpcException(Status.ABORTED, "why"), false));
        byte[] details = bytes(Beside.of(wrong, null));
        byte[] all = Arrays.copyOf(plain, plain.length + 2 + details.length);
        all[plain.length] = (byte) details.length;
        System.arraycopy(details, 0, all, plain.length + 2, details.length);
        comes(StreamHeader.ERROR, all).poll();
        assertEquals("why", failure.getMessage());
        assertNull(failure.details());
        assertFalse(session.isOver());
    }
}
