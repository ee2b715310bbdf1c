package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.testing.Waits;

/** What tenants may say. */
class SessionsTest extends Switchboard {

    @Test
    void whoSaysSomethingBeforeItsNameIsLeft() throws IOException {
        Talk talk = new Talk(ONE);
        talk.refused(Refusal.BAD_FRAME, new ControlFrame(Command.READY, 0, 0, 1, new byte[0]));
        talk.isLeft();
        assertTrue(asked.isEmpty(), asked.toString());
    }

    @Test
    void aVersionThatIsNotSpokenIsRefusedWithBoth() throws IOException {
        Talk talk = new Talk(ONE);
        ControlFrame answer = talk.ask(new Hello(ControlFrame.VERSION + 1, 9, 0, "d-1-a", new byte[0]).frame(1));
        assertEquals(Refusal.VERSION.ordinal(), Refused.decode(answer).reason());
        String said = Refused.decode(answer).message();
        assertTrue(said.contains("3 to 9") && said.contains("version=2"), said);
        talk.isLeft();
    }

    @Test
    void anotherDevicesQpCannotBeNamed() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        one.done(qp(5));
        asked.clear();
        two.refused(Refusal.NOT_YOURS, ControlFrame.of(Command.ERROR, 2, 5));
        two.refused(Refusal.NOT_YOURS, destroy(5));
        two.refused(Refusal.NOT_YOURS, connect(3, 5, "10.77.0.1"));
        assertTrue(asked.isEmpty(), asked.toString());
        two.say(ControlFrame.of(Command.RING, 1, 5));
        two.isLeft();
        assertTrue(asked.stream().noneMatch(what -> what.contains("ring")), asked.toString());
    }

    @Test
    void theEngineLetsGoOfADeviceBeforeItsMemoryIsGivenBackAndItsSocketEnds() throws IOException {
        Talk one = attached(ONE);
        one.say(ControlFrame.of(Command.LEAVE, 0, 0));
        one.isLeft();
        assertEquals(List.of("one end", "one leave"), asked);
    }

    @Test
    void aTenantListensAtItsOwnAddressesAlone() throws IOException {
        Talk two = attached(TWO);
        two.refused(Refusal.NOT_YOURS, new ListenNote(1, "10.77.0.1", 7000).frame(2));
        two.done(new ListenNote(1, "10.77.0.2", 7000).frame(3));
    }

    /** Connects QP 6 of the second tenant to QP 5 of the first, by an address. */
    private void connected(Talk one, Talk two) throws IOException {
        one.done(qp(5));
        two.done(qp(6));
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        two.say(connect(9, 6, "10.77.0.1"));
        Offer offer = Offer.decode(one.hear(), Command.OFFER);
        assertEquals("two 10.77.0.2", offer.tenant() + " " + offer.address());
        one.done(new Offer(offer.offer(), "", "", new byte[0]).frame(Command.ACCEPT, 3, 5));
        ControlFrame answer = two.hear();
        assertEquals(Command.CONNECTED, answer.command());
        assertEquals(9, answer.id());
    }

    @Test
    void whoConnectsMeetsWhoListensAndBothSend() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        connected(one, two);
        assertTrue(asked.containsAll(List.of("connect 6 5", "connect 5 6")), asked.toString());
        one.done(destroy(5));
        assertEquals(Command.DISCONNECTED, two.hear().command());
        assertTrue(asked.contains("two fail [6]"), asked.toString());
        for (String tenant : List.of("one", "two")) {
            assertEquals(1, asked.stream().filter((tenant + " take CONNECTIONS")::equals).count(), asked.toString());
            assertEquals(1, asked.stream().filter((tenant + " give CONNECTIONS")::equals).count(), asked.toString());
        }
    }

    /** The engine has let go of the peer's device already, and its session is yet to be told. */
    @Test
    void whoLeavesBehindAPeerThatWasExpelledGivesBackAllThatItHas() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        connected(one, two);
        unfailing.put("two", Refusal.NOT_YOURS);
        one.say(ControlFrame.of(Command.LEAVE, 0, 0));
        one.isLeft();
        assertTrue(asked.containsAll(List.of("one end", "two fail [6]", "one leave")), asked.toString());
        assertEquals(0, counts().connections());
        assertEquals(1, counts().devices());
        two.say(ControlFrame.of(Command.LEAVE, 0, 0));
        two.isLeft();
        assertTrue(asked.contains("two leave"), asked.toString());
    }

    @Test
    void whoDestroysAQpWhosePeerWasExpelledIsToldThatItIsDone() throws IOException {
        Talk one = attached(ONE);
        connected(one, attached(TWO));
        unfailing.put("two", Refusal.NOT_YOURS);
        one.done(destroy(5));
        assertEquals(0, counts().connections());
    }

    /** Else its QP would go on sending to where it may not. */
    @Test
    void aDeviceWhoseQpCannotBeEndedInTimeEnds() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        connected(one, two);
        unfailing.put("two", Refusal.BUSY);
        one.done(destroy(5));
        two.isLeft();
        assertTrue(asked.contains("two leave"), asked.toString());
    }

    @Test
    void aDeviceThatEndsHasEachPeersDeviceEndAllOfItsQpsAtOnce() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        for (int qp = 10; qp < 15; qp++) {
            one.done(qp(qp));
            two.done(qp(qp));
            two.say(connect(9, qp, "10.77.0.1"));
            Offer offer = Offer.decode(one.hear(), Command.OFFER);
            one.done(new Offer(offer.offer(), "", "", new byte[0]).frame(Command.ACCEPT, 3, qp));
            two.hear();
        }
        one.say(ControlFrame.of(Command.LEAVE, 0, 0));
        one.isLeft();
        Set<Integer> told = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            ControlFrame frame = two.hear();
            assertEquals(Command.DISCONNECTED, frame.command());
            told.add(frame.object());
        }
        assertEquals(Set.of(10, 11, 12, 13, 14), told);
        assertEquals(1, asked.stream().filter(line -> line.startsWith("two fail")).count(), asked.toString());
    }

    @Test
    void aDeviceThatCannotBeEndedInTimeIsGivenBackWhenItHasEnded() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        connected(one, two);
        unending = true;
        one.say(ControlFrame.of(Command.LEAVE, 0, 0));
        one.isLeft();
        assertEquals(1, counts().devices());
        assertEquals(1, whenEnded.size());
        assertFalse(asked.contains("one leave"), asked.toString());
        assertFalse(asked.contains("two fail [6]"), asked.toString());
        whenEnded.get(0).run();
        assertEquals(Command.DISCONNECTED, two.hear().command());
        Waits.until("its quota to be given back", () -> asked.contains("one leave"));
        assertEquals(0, counts().connections());
    }

    @Test
    void aConnectorIsToldThatItsQpWasClosedMeanwhile() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        two.done(qp(6));
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        two.say(connect(9, 6, "10.77.0.1"));
        one.hear();
        two.say(destroy(6));
        ControlFrame answer = two.hear();
        assertEquals("REFUSED 9", answer.command() + " " + answer.id());
        assertEquals(Command.DONE, two.hear().command());
        assertEquals(0, counts().asking());
    }

    @Test
    void anOfferIsItsListenersAlone() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        two.done(qp(6));
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        two.say(connect(9, 6, "10.77.0.1"));
        Offer offer = Offer.decode(one.hear(), Command.OFFER);
        Talk thief = attached(TWO);
        thief.done(qp(7));
        thief.refused(Refusal.ROUTER_GONE, new Offer(offer.offer(), "", "", new byte[0]).frame(Command.ACCEPT, 3, 7));
    }

    @Test
    void whoAsksForAnAddressOnItsWayWaitsUntilItIsHere() throws IOException {
        Talk one = attached(ONE);
        home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 1, Home.State.MOVING);
        Talk two = attached(TWO);
        two.done(qp(6));
        two.say(connect(9, 6, "10.77.0.1"));
        Waits.until("the connector to wait", () -> counts().asking() == 1);
        home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 2, Home.State.SERVING);
        one.say(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        assertEquals(Set.of(Command.DONE, Command.OFFER), Set.of(one.hear().command(), one.hear().command()));
        assertNull(two.look());
    }

    /** A connector that was there before the address, which lives here now, and has been looked at since. */
    private Talk early(Home.State state) throws IOException {
        confirmedNs = Meetings.LONGEST_NS; // rules do not get old meanwhile
        home = state == null ? null : new Home(new VirtualAddress("10.77.0.1"), ONE, "there", 1, state);
        Talk two = attached(TWO);
        two.done(qp(6));
        two.say(connect(9, 6, "10.77.0.1"));
        Waits.until("the connector to wait", () -> counts().asking() == 1);
        home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 2, Home.State.SERVING);
        sessions.homesChanged(null); // which looks at who waits
        return two;
    }

    private void offered(Talk one, Talk two) throws IOException {
        one.say(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        assertEquals(Set.of(Command.DONE, Command.OFFER), Set.of(one.hear().command(), one.hear().command()));
        assertNull(two.look());
    }

    @Test
    void whoWaitedForAnAddressWaitsForItsListenerForWhatIsLeftOfTheSamePatience() throws IOException {
        Talk one = attached(ONE);
        Talk two = early(Home.State.GONE);
        nowNs.addAndGet(Meetings.LONGEST_NS - 2);
        sessions.homesChanged(null);
        assertEquals(1, counts().asking());
        offered(one, two);
    }

    @Test
    void whoWaitedForAnAddressThatNobodyListensAtIsRefusedWhenPatienceIsSpent() throws IOException {
        Talk two = early(Home.State.MOVING);
        nowNs.addAndGet(Meetings.LONGEST_NS);
        assertEquals(Refusal.NOBODY_LISTENS.ordinal(), Refused.decode(two.hear()).reason());
        assertEquals(0, counts().asking());
    }

    @Test
    void whoWaitedForAnAddressThatNobodyKnewWaitsForItsListenerFromThenOn() throws IOException {
        Talk one = attached(ONE);
        Talk two = early(null);
        nowNs.addAndGet(Meetings.UNKNOWN_NS - 1);
        sessions.homesChanged(null);
        assertEquals(1, counts().asking());
        offered(one, two);
    }

    @Test
    void whoAsksForAnAddressThatLivesHereAllTheWhileIsRefusedAtOnceWhereNobodyListens() throws IOException {
        Talk two = attached(TWO);
        two.done(qp(6));
        two.refused(Refusal.NOBODY_LISTENS, connect(9, 6, "10.77.0.1"));
    }

    @Test
    void anAddressThatNobodyKnowsIsRefusedAfterAWhile() throws IOException {
        Talk two = attached(TWO);
        two.done(qp(6));
        two.say(connect(9, 6, "10.77.0.9"));
        Waits.until("the connector to wait", () -> counts().asking() == 1);
        nowNs.addAndGet(Meetings.UNKNOWN_NS);
        ControlFrame answer = two.hear();
        assertEquals(Refusal.UNKNOWN_ADDRESS.ordinal(), Refused.decode(answer).reason());
        assertEquals(0, counts().asking());
    }

    @Test
    void rulesThatAreTooOldConnectNobody() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        two.done(qp(6));
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        nowNs.addAndGet(BOUND_NS + 1);
        two.refused(Refusal.POLICY_OLD, connect(9, 6, "10.77.0.1"));
        confirmedNs = nowNs.get();
        two.say(connect(10, 6, "10.77.0.1"));
        assertEquals(Command.OFFER, one.hear().command());
    }

    @Test
    void whoeverSaysNothingIsLeft() throws IOException {
        Talk silent = new Talk(ONE);
        Talk slow = new Talk(ONE);
        slow.socket.write(Switchboard.hello().encode().limit(9));
        attached(ONE);
        nowNs.addAndGet(60_000_000_000L);
        silent.isLeft();
        slow.isLeft();
        assertEquals(1, counts().devices());
    }

    @Test
    void theNumbersOfRefusalsThatADeviceActsOnAreTheRouters() {
        assertEquals(List.of(Refusal.VERSION.ordinal(), Refusal.QUOTA.ordinal(), Refusal.UNKNOWN_ADDRESS.ordinal(),
                        Refusal.POLICY.ordinal(), Refusal.POLICY_OLD.ordinal(), Refusal.DRAINING.ordinal(),
                        Refusal.NOBODY_LISTENS.ordinal(), Refusal.ROUTER_GONE.ordinal()),
                List.of(Refused.VERSION, Refused.QUOTA, Refused.UNKNOWN_ADDRESS, Refused.POLICY, Refused.POLICY_OLD,
                        Refused.DRAINING, Refused.NOBODY_LISTENS, Refused.ROUTER_GONE));
    }
}
