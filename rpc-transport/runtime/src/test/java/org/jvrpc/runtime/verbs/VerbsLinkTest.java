package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** What a link sends, step by step, on a device that does only what it is told to. */
class VerbsLinkTest {

    private static final int SLOTS = 2;
    private static final int SEND_SLOTS = SLOTS + Protocol.CONTROLS;
    private static final int SLOT_BYTES = 64;
    /** How often a one-way message's acknowledgement is looked for at once. */
    private static final int LOOKS = 32;
    private static final long ROOM_NS = StillDevice.LONGEST_SEND_NS;

    private final StillDevice device = new StillDevice();
    private long nowNs = 1_000_000_000_000L;
    private long stepNs;
    private int clockLooks;
    private final VerbsLink link = new VerbsLink(this::look, device.device(),
            new SessionDomain(device.device(), null), null, LinkSize.fixed(SLOTS, SLOT_BYTES, SLOTS));

    private long look() {
        clockLooks++;
        nowNs += stepNs;
        return nowNs;
    }

    private boolean send(int slot) {
        return link.send(slot, 10 + slot, 20 + slot, 5 + slot);
    }

    private long sendOneWay() {
        return link.sendOneWay(0, 1, 2, 3);
    }

    private List<Long> signalled() {
        List<Long> numbers = new ArrayList<>();
        for (StillDevice.Posted posted : device.posted) {
            if (posted.signalled()) {
                numbers.add(posted.wrId());
            }
        }
        return numbers;
    }

    private void broken(String why) {
        assertEquals(why, link.failure());
    }

    // ---- sends

    @Test
    void aMessageIsAHeaderAndAsMuchOfItsSlotAsItSays() {
        assertTrue(send(1));
        StillDevice.Posted posted = device.posted.get(0);
        assertEquals(SendRequest.Opcode.SEND, posted.opcode());
        assertEquals(List.of(new Sge(StillDevice.ADDRESS + 64, RpcHeader.BYTES, StillDevice.LKEY),
                new Sge(StillDevice.ADDRESS + 64 * SEND_SLOTS + SLOT_BYTES, 6, StillDevice.LKEY)), posted.sges());
        assertFalse(posted.signalled());
        assertEquals(11, device.region().buffer(64, 16).getLong(0));
        assertEquals(21, device.region().buffer(64, 16).getLong(8));
        assertFalse(link.isBehind());
        assertEquals(1, link.sends());
    }

    @Test
    void everySixtyFourthMessageAsksForItsCompletion() {
        for (int i = 1; i <= 200; i++) {
            assertTrue(send(0));
        }
        assertEquals(200, device.posted.size());
        assertEquals(List.of(64L, 128L, 192L), signalled());
    }

    @Test
    void messagesThatFindNoRoomWaitInTheirOrder() {
        device.room = 0;
        assertTrue(send(1));
        assertTrue(link.isBehind());
        device.room = 5;
        assertTrue(send(0), "it is kept: nothing overtakes");
        assertEquals(List.of(), device.posted);
        assertEquals(3, link.sendOneWay(SLOTS, 1, 2, 0), "nor does this");
        assertFalse(link.isSent(1));
        assertEquals(0, link.ping(), "nor does a ping");
        link.catchUp();
        assertFalse(link.isBehind());
        assertEquals(List.of(1L, 2L, 3L), signalled());
        assertEquals(List.of(6, 5, 0), device.posted.stream().map(posted -> posted.bytes() - RpcHeader.BYTES).toList());
        assertTrue(send(1));
        assertFalse(device.posted.get(3).signalled(), "the last that was asked about is the one before");
    }

    @Test
    void roomForOneIsUsedForOne() {
        device.room = 0;
        send(0);
        send(1);
        device.did.clear();
        link.catchUp();
        assertEquals(List.of(), device.did(), "nobody is woken for nothing");
        device.room = 1;
        link.catchUp();
        assertEquals(List.of("wake"), device.did());
        assertEquals(List.of(1L), signalled());
        assertTrue(link.isBehind());
        device.room = 1;
        link.catchUp();
        assertEquals(List.of(1L, 2L), signalled());
        assertFalse(link.isBehind());
    }

    @Test
    void aPollThatFindsNothingSendsWhatWaitsAndWakesThePeer() {
        device.room = 0;
        send(0);
        device.room = 1;
        device.did.clear();
        assertFalse(link.poll());
        assertEquals(List.of("wake", "wake"), device.did(), "for what was sent before, and for what was sent now");
        assertEquals(1, device.posted.size());
        assertFalse(link.poll());
        assertEquals(List.of(), device.did());
    }

    @Test
    void aPeerThatTakesNothingForTooLongEndsTheLink() {
        device.room = 0;
        send(0);
        send(1);
        nowNs += ROOM_NS;
        link.catchUp();
        assertNull(link.failure(), "exactly the time");
        nowNs++;
        link.catchUp();
        broken("peer takes no messages: waiting=2 ms=7000");
        device.room = 2;
        link.catchUp();
        assertEquals(List.of(), device.posted, "a broken link sends nothing");
    }

    @Test
    void moreMessagesThanThereAreSlotsEndTheLink() {
        device.room = 0;
        for (int i = 0; i < SEND_SLOTS; i++) {
            assertTrue(send(i));
        }
        assertFalse(send(0));
        broken("more is sent than there are slots: slots=" + SEND_SLOTS);
    }

    @Test
    void aMessageThatFindsNoRoomInABrokenLinkIsNotSent() {
        device.room = 0;
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertFalse(send(0));
        broken("send failed: RETRY_EXC_ERR");
        assertFalse(send(0));
    }

    @Test
    void aMessageThatIsSignalledTellsThatTheLinkIsBroken() {
        for (int i = 1; i < 64; i++) {
            send(0);
        }
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertFalse(send(0));
        broken("send failed: RETRY_EXC_ERR");
    }

    // ---- one-way messages

    @Test
    void aMessageWithoutAnAnswerIsLookedForUntilItIsAcknowledged() {
        device.quick = true;
        assertEquals(1, sendOneWay());
        assertTrue(link.isSent(1));
        assertFalse(link.isSent(2));
        assertEquals(2, device.sends.polls(), "one finds it, one finds no more");
        assertEquals("wake", device.did.get(device.did.size() - 1));
        device.quick = false;
        device.sends.latePolls = 5;
        device.sends.late = () -> device.sends.done(2);
        assertEquals(2, sendOneWay());
        assertTrue(link.isSent(2));
        assertEquals(6, device.sends.polls());
    }

    @Test
    void aMessageWithoutAnAnswerIsNotWaitedFor() {
        assertEquals(1, sendOneWay());
        assertFalse(link.isSent(1));
        assertEquals(1 + LOOKS, device.sends.polls());
        device.sends.done(1);
        link.reap();
        assertTrue(link.isSent(1));
    }

    @Test
    void aMessageWithoutAnAnswerSaysThatTheLinkIsBroken() {
        device.sends.latePolls = 3;
        device.sends.late = () -> device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertEquals(-1, sendOneWay());
        assertEquals(3, device.sends.polls(), "and looks no more");
        assertEquals(-1, sendOneWay());
    }

    // ---- pings, and the end of what was sent

    @Test
    void aPingIsAWriteOfNothing() {
        device.quick = true;
        assertEquals(1, link.ping());
        assertTrue(link.isSent(1), "it was looked for at once");
        assertEquals(1, link.sends());
        StillDevice.Posted posted = device.posted.get(0);
        assertEquals(SendRequest.Opcode.RDMA_WRITE, posted.opcode());
        assertEquals(0, posted.bytes());
        assertEquals(List.of(1L), signalled());
        for (int i = 2; i <= 64; i++) {
            send(0);
        }
        assertEquals(List.of(1L), signalled(), "64 after it comes the next");
        send(0);
        assertEquals(List.of(1L, 65L), signalled());
    }

    @Test
    void aPingWithoutRoomMakesRoom() {
        sendOneWay();
        device.room = 0;
        device.sends.done(1);
        assertEquals(0, link.ping());
        assertTrue(link.isSent(1));
        assertEquals(1, link.sends(), "it was not sent");
    }

    @Test
    void whereNothingWasSentAllHasLeft() {
        assertTrue(link.hasLeft());
        assertEquals(List.of(), device.posted);
    }

    @Test
    void whatAsksForNoCompletionIsFollowedByAPingThatDoes() {
        send(0);
        assertFalse(link.hasLeft());
        assertEquals(List.of(2L), signalled());
        assertFalse(link.hasLeft());
        assertEquals(2, device.posted.size(), "one ping is enough");
        device.sends.done(2);
        assertTrue(link.hasLeft());
    }

    @Test
    void whatAskedForItsCompletionNeedsNoPing() {
        sendOneWay();
        assertFalse(link.hasLeft());
        assertEquals(1, device.posted.size());
        device.sends.done(1);
        assertTrue(link.hasLeft());
    }

    @Test
    void whatWaitsForRoomHasNotLeft() {
        send(0);
        device.room = 0;
        send(1);
        device.room = 5;
        assertFalse(link.hasLeft());
        assertEquals(1, device.posted.size(), "a ping would be before it");
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertTrue(link.hasLeft(), "nothing of a broken link leaves any more");
    }

    // ---- control messages

    private boolean control() {
        return link.sendControl(1, 2);
    }

    @Test
    void whereNoControlMessageIsUnderWayNoneIsLookedFor() {
        assertTrue(link.hasControl());
        assertEquals(0, device.sends.polls());
    }

    @Test
    void controlMessagesTakeTheirSlotsInTurns() {
        for (int lap = 0; lap < 2; lap++) {
            for (int i = 0; i < Protocol.CONTROLS; i++) {
                assertTrue(link.hasControl());
                assertTrue(control());
                StillDevice.Posted posted = device.posted.get(lap * Protocol.CONTROLS + i);
                assertEquals(StillDevice.ADDRESS + 64L * (SLOTS + i), posted.sges().get(0).address());
                assertEquals(RpcHeader.BYTES, posted.bytes());
            }
            assertFalse(link.hasControl());
            device.sends.done(link.sends());
        }
        assertTrue(link.hasControl(), "a look finds that they have left");
    }

    private void sendAllControls() {
        for (int i = 0; i < Protocol.CONTROLS; i++) {
            control();
        }
        device.sends.polls();
        clockLooks = 0;
    }

    @Test
    void whereAllAreUnderWayTheOldestIsWaitedFor() {
        sendAllControls();
        device.sends.latePolls = 3000;
        device.sends.late = () -> device.sends.done(1);
        assertTrue(control());
        assertEquals(2, clockLooks, "the clock is looked at now and then");
        assertEquals(Protocol.CONTROLS + 1, device.posted.size());
    }

    @Test
    void oneThatDoesNotLeaveInTimeEndsTheLink() {
        sendAllControls();
        stepNs = ROOM_NS / 2;
        assertFalse(control());
        assertEquals(4, clockLooks, "time begins with the first look, and half of it passes with each");
        assertEquals(4 * 1024, device.sends.polls());
        broken("a send did not complete within ms=7000");
        assertEquals(Protocol.CONTROLS, device.posted.size());
    }

    @Test
    void oneWhoseLinkBreaksMeanwhileIsNotSent() {
        sendAllControls();
        device.sends.latePolls = 10;
        device.sends.late = () -> device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertFalse(control());
        assertEquals(Protocol.CONTROLS, device.posted.size());
    }

    @Test
    void oneThatIsSentIntoABrokenLinkSaysSo() {
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        assertFalse(control());
        broken("send failed: RETRY_EXC_ERR");
    }

    // ---- why a link is broken

    @Test
    void theOneThatFailedByItselfIsTheCause() {
        device.sends.failed(WcStatus.WR_FLUSH_ERR);
        device.sends.failed(WcStatus.RNR_RETRY_EXC_ERR);
        device.sends.failed(WcStatus.WR_FLUSH_ERR);
        link.reap();
        broken("send failed: RNR_RETRY_EXC_ERR");
    }

    @Test
    void whereNoneFailedByItselfTheConnectionEnded() {
        device.sends.failed(WcStatus.WR_FLUSH_ERR);
        device.sends.failed(WcStatus.WR_FLUSH_ERR);
        link.reap();
        broken("the connection ended");
        assertEquals(3, device.sends.polls(), "to the last of them");
    }

    @Test
    void whatFollowsAFailureIsNoCompletion() {
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        device.sends.done(1);
        link.reap();
        assertFalse(link.isSent(1));
    }

    @Test
    void aQueueThatOverranEndsTheLink() {
        device.sends.fault = new VerbsException("poll_cq", "planted");
        link.reap();
        broken("poll_cq: planted");
    }
}
