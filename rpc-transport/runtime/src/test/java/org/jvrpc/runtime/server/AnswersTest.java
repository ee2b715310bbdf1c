package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;

/** Which answers leave together, byte for byte, and which do not wait for others. */
final class AnswersTest {

    private static final byte[] NONE = {};
    private static final byte[] THREE = echoed(3);
    /** Bursts until one is timed again. */
    private static final int BURSTS_PER_LOOK = 16;

    private final StillServer server = new StillServer();
    private final StillServer.Peer peer = server.peer;

    @BeforeEach
    void letThemCome() {
        server.open();
        twice(CallsService.ECHO);
        assertEquals(List.of("0 03000000010203", "1 03000000010203"), eachAlone(), "none was timed");
        twice(CallsService.ECHO);
        assertEquals(List.of("0 03000000010203", "1 03000000010203"), eachAlone(), "this one is timed");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** What an echo answers that has so many bytes. */
    private static byte[] echoed(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i + 1);
        }
        return StillServer.bytes(writer -> writer.writeBytes(content));
    }

    private void comes(int slot, MethodDescriptor method, byte[] body) {
        server.comes(RpcHeader.REQUEST, method.index(), StillServer.callId(slot), body);
    }

    private void handle() {
        peer.sent.clear();
        server.poll();
    }

    private void twice(MethodDescriptor method) {
        comes(0, method, THREE);
        comes(1, method, THREE);
        handle();
    }

    private List<String> eachAlone() {
        List<String> all = new ArrayList<>();
        for (StillServer.Sent message : peer.sent) {
            List<String> answers = answers(message);
            assertEquals(1, answers.size(), () -> "not alone: " + answers);
            all.addAll(answers);
        }
        return all;
    }

    /** Takes a message apart: {@code slot body} of each answer. */
    private static List<String> answers(StillServer.Sent message) {
        List<String> all = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(message.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int flags = message.flags();
        int callId = message.callId();
        int length = message.bodyLength();
        int at = 0;
        while (true) {
            all.add(RpcHeader.slot(callId) + " " + HexFormat.of().formatHex(message.bytes(), at, at + length));
            assertEquals(StillServer.callId(RpcHeader.slot(callId)), callId);
            at += length;
            if ((flags & RpcHeader.MORE) == 0) {
                assertEquals(message.bytes().length, at, "nothing lies behind the last one");
                return all;
            }
            at = at + 7 & -8;
            long first = bytes.getLong(at);
            assertEquals(RpcHeader.RESPONSE, RpcHeader.kind(first));
            flags = RpcHeader.flags(first);
            callId = RpcHeader.callId(first);
            length = RpcHeader.bodyLength(bytes.getLong(at + 8));
            at += RpcHeader.BYTES;
        }
    }

    private boolean leaveTogether() {
        twice(CallsService.ECHO);
        int messages = peer.sent.size();
        assertEquals(2, peer.sent.stream().mapToInt(message -> answers(message).size()).sum());
        return messages == 1;
    }

    @Test
    void shortAnswersToABurstLeaveInOneMessage() {
        IntStream.range(0, 4).forEach(slot -> comes(slot, CallsService.ECHO, echoed(slot + 1)));
        handle();
        assertEquals(1, peer.sent.size());
        assertEquals(0, peer.last().slot(), "by the slot of the first");
        assertEquals(List.of("0 0100000001", "1 020000000102", "2 03000000010203", "3 0400000001020304"),
                answers(peer.last()));
        assertEquals(0, server.session.open());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void aSingleAnswerLeavesAtOnce() {
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO, THREE);
        List<Integer> sent = new ArrayList<>();
        peer.sent.clear();
        peer.whenPolled = () -> sent.add(peer.sent.size());
        server.session.poll(1); // the other comes later
        server.session.poll(1);
        server.session.poll(1);
        assertEquals(List.of(0, 1), sent, "the round's end sends what is held");
        comes(2, CallsService.ECHO, THREE);
        handle();
        assertEquals(List.of("2 03000000010203"), eachAlone());
    }

    @Test
    void whatFindsNoRoomBeginsAnotherMessage() {
        comes(0, CallsService.ECHO, echoed(12)); // 16 bytes, with the next 40, with that 72: 8 are left
        comes(1, CallsService.ECHO, echoed(4));
        comes(2, CallsService.ECHO, echoed(4));
        comes(3, CallsService.ECHO, echoed(4));
        handle();
        assertEquals(List.of("0 0c0000000102030405060708090a0b0c", "1 0400000001020304"),
                answers(peer.sent.get(0)).subList(0, 2));
        assertEquals(3, answers(peer.sent.get(0)).size());
        assertEquals(List.of("3 0400000001020304"), answers(peer.sent.get(1)));
        assertEquals(2, peer.sent.size());
    }

    @Test
    void aMessageIsAsLongAsLiesInACqe() {
        for (int over = 0; over < 2; over++) {
            comes(0, CallsService.ECHO, echoed(36)); // 40, 56 with the next header
            comes(1, CallsService.ECHO, echoed(20 + over)); // 24
            handle();
            assertEquals(1 + over, peer.sent.size());
            assertEquals(over == 0 ? 80 : 40, peer.sent.get(0).bytes().length);
        }
    }

    @Test
    void anAnswerIsHeldWhereOneMoreFindsRoom() {
        for (int over = 0; over < 2; over++) {
            comes(0, CallsService.ECHO, echoed(60 + over));
            comes(1, CallsService.NOTHING, NONE);
            handle();
            assertEquals(1 + over, peer.sent.size());
            assertEquals("1 ", answers(peer.last()).get(1 - over));
        }
    }

    @Test
    void anAnswerWithoutABodyTakesAHeader() {
        IntStream.range(0, 4).forEach(slot -> comes(slot, CallsService.NOTHING, NONE));
        handle();
        assertEquals(List.of("0 ", "1 ", "2 ", "3 "), answers(peer.last()));
        assertEquals(48, peer.last().bytes().length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatDoesNotSaySoGetsEachAlone(boolean says) {
        Hello hello = new Hello(Protocol.CALLS, StillServer.HELLO.versions(), StillServer.SLOTS,
                StillServer.SLOTS, StillServer.SLOT_BYTES, 0, FuzzBodyPool.SOON_BYTES, 0, says);
        StillServer.Peer other = new StillServer.Peer();
        ServerSession session = new ServerSession(
                server.core, server.core.poller(0), 2, other, server.bodies, hello, StillServer.CREDITS);
        byte[] open = StillServer.open(new CallsService());
        other.add(RpcHeader.first(RpcHeader.REQUEST, 0, RpcHeader.OPEN, StillServer.callId(0)),
                RpcHeader.second(open.length, 0, 0), open);
        session.poll(StillServer.SLOTS);
        for (int burst = 0; burst < 3; burst++) {
            other.sent.clear();
            for (int slot = 0; slot < 2; slot++) {
                other.add(RpcHeader.first(RpcHeader.REQUEST, 0, CallsService.ECHO.index(), StillServer.callId(slot)),
                        RpcHeader.second(THREE.length, 0, 0), THREE);
            }
            session.poll(StillServer.SLOTS);
        }
        assertEquals(says ? 1 : 2, other.sent.size());
    }

    @Test
    void aFullMessageWaitsForNothing() {
        IntStream.range(0, 4).forEach(slot -> comes(slot, CallsService.ECHO, echoed(4)));
        comes(0, CallsService.NOTHING, NONE);
        List<Integer> sent = new ArrayList<>();
        peer.sent.clear();
        peer.whenPolled = () -> sent.add(peer.sent.size());
        server.session.poll(5);
        assertEquals(List.of(0, 0, 0, 0, 1), sent);
        assertEquals(2, peer.sent.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {RpcHeader.CANCEL, RpcHeader.ONE_WAY, RpcHeader.RELEASE})
    void anAnswerWaitsForRequestsAlone(int kind) {
        comes(0, CallsService.ECHO, THREE);
        boolean oneWay = kind == RpcHeader.ONE_WAY;
        byte[] body = oneWay ? StillServer.bytes(writer -> writer.writeLong(1)) : NONE;
        List<Integer> sent = new ArrayList<>();
        peer.sent.clear();
        peer.whenPolled = () -> sent.add(peer.sent.size());
        server.comes(kind, oneWay ? CallsService.TICK.index() : 0, StillServer.callId(3), body);
        comes(1, CallsService.ECHO, THREE);
        server.session.poll(StillServer.SLOTS);
        assertEquals(List.of(0, 0, 1), sent, "it left before the message behind it was handled");
        assertEquals(List.of("0 03000000010203", "1 03000000010203"), eachAlone());
    }

    @Test
    void anAnswerWaitsForOneThatIsAnsweredLaterNoLonger() {
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO_HEAVY, THREE);
        comes(2, CallsService.ECHO, THREE);
        handle();
        assertEquals(List.of("0 03000000010203", "2 03000000010203"), eachAlone());
    }

    @Test
    void whoSleepsIsWokenForWhatTheEndOfARoundSends() {
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO_HEAVY, THREE);
        peer.wakes();
        server.session.poll(StillServer.SLOTS);
        assertEquals(1, peer.wakes(), "the poll that found nothing came before");
        comes(0, CallsService.ECHO, THREE);
        comes(2, CallsService.ECHO, THREE);
        server.session.poll(1);
        assertEquals(0, peer.wakes(), "another poll follows");
        server.session.poll(2);
        assertEquals(1, peer.wakes());
    }

    @Test
    void beforeMessagesAreKeptForLaterWhatIsHeldLeaves() {
        for (int slot = 0; slot < 4; slot++) {
            comes(slot, CallsService.ECHO, THREE);
        }
        comes(0, CallsService.NOTHING, NONE);
        comes(1, CallsService.NOTHING, NONE);
        int[] polled = {0};
        peer.sent.clear();
        peer.whenPolled = () -> server.nowNs += ++polled[0] == 4 ? 1_000_000_000 : 0; // as a handler that took long
        server.session.poll(6);
        assertEquals(List.of("0 03000000010203", "1 03000000010203", "2 03000000010203", "3 03000000010203"),
                answers(peer.sent.get(0)));
    }

    @Test
    void whatIsHeldLeavesThoughTheSessionFails() {
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO, THREE);
        peer.sent.clear();
        peer.whenPolled = () -> {
            if (server.session.open() == 0 && peer.sent.isEmpty() && !peer.hasMore()) {
                throw new IllegalStateException("planted");
            }
        };
        IllegalStateException e = assertThrows(
                IllegalStateException.class, () -> server.session.poll(StillServer.SLOTS));
        server.session.abandon(e);
        assertEquals(List.of("0 03000000010203"), eachAlone());
    }

    @Test
    void whereRequestsTakeLongEachAnswerLeavesAtOnce() {
        assertTrue(leaveTogether());
        peer.whenPolled = () -> server.nowNs += 2000; // the first is there before the clock is read
        assertEquals(BURSTS_PER_LOOK - 1, burstsWhile(true), "the last of them is timed");
        peer.whenPolled = () -> server.nowNs += 1999;
        assertEquals(BURSTS_PER_LOOK - 1, burstsWhile(false));
    }

    /** Returns how many bursts have their answers leave together, or each alone, before one that has not. */
    private int burstsWhile(boolean together) {
        int bursts = 0;
        while (leaveTogether() == together && bursts <= BURSTS_PER_LOOK) {
            bursts++;
        }
        return bursts;
    }

    @Test
    void asManyMessagesAreLikelyAsTheAnswersTake() {
        peer.expected();
        assertTrue(leaveTogether());
        assertEquals(1, peer.expected());
        IntStream.range(0, 4).forEach(slot -> comes(slot, CallsService.ECHO, THREE));
        handle();
        peer.expected();
        assertTrue(leaveTogether());
        assertEquals(1, peer.expected(), "four answers");
    }

    @Test
    void anAnswerThatLiesElsewhereGoesBehindWhatIsHeld() {
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.SIZED, StillServer.bytes(writer -> {
            writer.writeInt(StillServer.SLOT_BYTES * 2);
            writer.writeInt(1);
        }));
        comes(2, CallsService.ECHO, THREE);
        handle();
        assertEquals(3, peer.sent.size());
        assertEquals(List.of("0 03000000010203"), answers(peer.sent.get(0)));
        assertEquals(RpcHeader.RENDEZVOUS, peer.sent.get(1).flags());
        assertEquals(List.of("2 03000000010203"), answers(peer.sent.get(2)));
    }

    @Test
    void anAnswerThatComesOutsideARoundLeavesAtOnce() {
        comes(0, CallsService.ECHO_HEAVY, THREE);
        comes(1, CallsService.ECHO_HEAVY, THREE);
        handle();
        server.executor.run();
        handle();
        assertEquals(List.of("0 03000000010203", "1 03000000010203"), eachAlone());
    }

    @Test
    void whereTheMessageFindsNoRoomNothingMoreIsTaken() {
        peer.filling = true;
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO, THREE);
        peer.sent.clear();
        server.session.poll(StillServer.SLOTS);
        assertTrue(peer.behind);
        comes(2, CallsService.ECHO, THREE);
        server.session.poll(StillServer.SLOTS);
        assertEquals(1, peer.sent.size());
        assertTrue(server.session.isUnfinished());
        peer.filling = false;
        peer.behind = false;
        server.poll(); // finds that there is room
        server.poll();
        assertEquals(List.of("2 03000000010203"), answers(peer.last()));
    }

    @Test
    void whereTheEndOfARoundFindsNoRoomNothingMoreIsTaken() {
        peer.filling = true;
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO_HEAVY, THREE);
        peer.sent.clear();
        server.session.poll(2);
        assertEquals(List.of("0 03000000010203"), eachAlone());
        comes(2, CallsService.ECHO, THREE);
        server.session.poll(2);
        assertEquals(1, peer.sent.size());
    }

    @Test
    void creditsGoWithTheAnswerThatTookThem() {
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(3), NONE);
        comes(0, CallsService.ECHO, THREE);
        comes(1, CallsService.ECHO, THREE);
        handle();
        assertEquals(1, peer.sent.size());
        assertEquals(1, peer.last().credits());
        assertEquals(2, answers(peer.last()).size());
    }
}
