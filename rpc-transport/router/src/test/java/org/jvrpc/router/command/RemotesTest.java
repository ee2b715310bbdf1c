package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.testing.Waits;

/** What another host's router may say, which is the test here. The tenant "two" lives there, too. */
class RemotesTest extends Switchboard {

    private static final Peer THERE = new Peer("there", 5, "roce://there", true);
    private static final Peer THIRD = new Peer("third", 6, "roce://third", true);
    private static final String AWAY = "10.77.0.3";

    private final Deque<PeerMessage> said = new ConcurrentLinkedDeque<>();
    private volatile String trouble = "no route";
    private final Deque<String> wanted = new ConcurrentLinkedDeque<>();

    RemotesTest() {
        links = new Links() {
            @Override
            public void want(String host) {
                wanted.add(host);
            }

            @Override
            public boolean say(String host, PeerMessage message) {
                return host.equals("there") && said.add(message);
            }

            @Override
            public String trouble(String host) {
                return trouble;
            }
        };
        homes.put(new VirtualAddress(AWAY), new Home(new VirtualAddress(AWAY), TWO, "there", 4, Home.State.SERVING));
    }

    @BeforeEach
    void up() {
        sessions.events().up(THERE);
        sessions.events().up(THIRD);
    }

    private <T extends PeerMessage> T heard(Class<T> type) {
        Waits.until("the other router to be told", () -> !said.isEmpty());
        return assertInstanceOf(type, said.poll());
    }

    private static PeerMessage.Connect asks(long epoch, String address, long homeEpoch) {
        return new PeerMessage.Connect(epoch, 7, "two", address, "10.77.0.1", 7000, homeEpoch, false, new byte[] {9});
    }

    private Talk listener() throws IOException {
        Talk one = attached(ONE);
        one.done(qp(5));
        one.done(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        return one;
    }

    private Offer offered(Talk one, long epoch) throws IOException {
        sessions.events().heard(THERE, asks(epoch, AWAY, 1));
        return Offer.decode(one.hear(), Command.OFFER);
    }

    private static ControlFrame accept(Offer offer) {
        return new Offer(offer.offer(), "", "", new byte[] {3}).frame(Command.ACCEPT, 30, 5);
    }

    @Test
    void aListenerTakesMessagesBeforeTheOtherEndIsToldAndIsToldItselfBehindIt() throws IOException {
        Talk one = listener();
        Offer offer = offered(one, 11);
        assertEquals("two " + AWAY + " 9", offer.tenant() + " " + offer.address() + " " + offer.privateData()[0]);
        one.say(accept(offer));
        PeerMessage.Accept accept = heard(PeerMessage.Accept.class);
        assertEquals("11 3", accept.epoch() + " " + accept.privateData()[0]);
        assertTrue(asked.contains("connect 5 to there 7"), asked.toString());
        assertNull(one.look());
        sessions.events().heard(THERE, new PeerMessage.Bound(11));
        assertEquals(30, one.hear().id());
        one.done(destroy(5));
        assertEquals(new PeerMessage.Cut(11, false, "the QP is gone"), heard(PeerMessage.Cut.class));
    }

    @Test
    void aListenerWhoseConnectorsRouterSaysNothingMoreIsRefused() throws IOException {
        Talk one = listener();
        one.say(accept(offered(one, 11)));
        heard(PeerMessage.Accept.class);
        nowNs.addAndGet(4_000_000_001L);
        assertEquals(Command.REFUSED, one.hear().command());
        assertEquals(Command.DISCONNECTED, one.hear().command());
        assertEquals(11, heard(PeerMessage.Cut.class).epoch());
        assertEquals(0, counts().connections());
    }

    @Test
    void aRouterThatSpeaksForAnAddressThatLivesElsewhereIsRefused() throws IOException {
        Talk one = listener();
        VirtualAddress own = new VirtualAddress("10.77.0.2");
        homes.put(own, new Home(own, TWO, HERE, 1, Home.State.SERVING)); // of the tenant that it names
        sessions.events().heard(THERE, asks(11, own.text(), 1));
        sessions.events().heard(THERE, asks(12, "10.77.0.1", 1)); // of another tenant
        Waits.until("both to wait", () -> counts().asking() == 2);
        nowNs.addAndGet(Meetings.UNKNOWN_NS);
        assertEquals(Refusal.NOT_YOURS, heard(PeerMessage.Refuse.class).refusal());
        assertEquals(Refusal.NOT_YOURS, heard(PeerMessage.Refuse.class).refusal());
        assertNull(one.look());
    }

    @Test
    void aRouterThatKnowsAnOlderHomeIsRefused() throws IOException {
        listener();
        sessions.events().heard(THERE, asks(11, AWAY, 0));
        assertEquals(Refusal.STALE_EPOCH, heard(PeerMessage.Refuse.class).refusal());
    }

    @Test
    void rulesCountAtTheListenersHostToo() throws IOException {
        listener();
        rules = List.of();
        sessions.events().heard(THERE, asks(11, AWAY, 1));
        assertEquals(Refusal.POLICY, heard(PeerMessage.Refuse.class).refusal());
    }

    @Test
    void whoIsAskedForTooOftenIsRefused() throws IOException {
        attached(ONE);
        homes.remove(new VirtualAddress(AWAY)); // so all of them wait
        for (int i = 0; i <= 64; i++) {
            sessions.events().heard(THERE, asks(i + 1, AWAY, 1));
        }
        PeerMessage.Refuse refuse = heard(PeerMessage.Refuse.class);
        assertEquals("65 " + Refusal.BUSY, refuse.epoch() + " " + refuse.refusal());
    }

    @Test
    void aThirdRoutersWordForAConnectionIsNothing() throws IOException {
        Talk one = listener();
        one.say(accept(offered(one, 11)));
        heard(PeerMessage.Accept.class);
        sessions.events().heard(THIRD, new PeerMessage.Bound(11));
        sessions.events().heard(THIRD, new PeerMessage.Cut(11, true, "no"));
        sessions.events().down(THIRD, "gone");
        assertEquals(1, counts().connections());
        assertNull(one.look());
    }

    private Talk connector() throws IOException {
        Talk two = attached(TWO);
        two.done(qp(6));
        two.say(new ConnectNote(AWAY, 7000, 0, 0, 0, new byte[] {5}).frame(9, 6, 0));
        return two;
    }

    @Test
    void whoConnectsIsToldOnceBothEndsTakeMessages() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        assertEquals("two 10.77.0.2 " + AWAY + " 4 5", connect.tenant() + " " + connect.address() + " " + connect.to()
                + " " + connect.homeEpoch() + " " + connect.privateData()[0]);
        sessions.events().heard(THIRD, new PeerMessage.Accept(connect.epoch(), 1, new byte[0]));
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[] {4}));
        ControlFrame answer = two.hear();
        assertEquals(Command.CONNECTED, answer.command());
        assertEquals(4, Offer.decode(answer, Command.CONNECTED).privateData()[0]);
        assertTrue(asked.contains("connect 6 to there 8"), asked.toString());
        assertEquals(connect.epoch(), heard(PeerMessage.Bound.class).epoch());
        sessions.events().heard(THERE, new PeerMessage.Cut(connect.epoch(), false, "over"));
        assertEquals(Command.DISCONNECTED, two.hear().command());
        assertEquals(0, counts().connections());
        two.done(destroy(6));
        assertTrue(said.isEmpty(), said.toString());
    }

    @Test
    void anAcceptThatNobodyAskedForConnectsNothing() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        for (long epoch : new long[] {connect.epoch() + 1, connect.epoch() - 1, 0, -1, Long.MIN_VALUE}) {
            sessions.events().heard(THERE, new PeerMessage.Accept(epoch, 8, new byte[] {4}));
            assertEquals(epoch, heard(PeerMessage.Cut.class).epoch());
        }
        sessions.events().heard(THIRD, new PeerMessage.Accept(connect.epoch(), 8, new byte[] {4}));
        sessions.events().heard(THERE, new PeerMessage.Refuse(connect.epoch(), Refusal.POLICY, "no"));
        assertEquals(Refusal.POLICY.ordinal(), Refused.decode(two.hear()).reason());
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[] {4})); // after all
        assertEquals(connect.epoch(), heard(PeerMessage.Cut.class).epoch());
        noneIsConnected(two);
    }

    private void noneIsConnected(Talk talk) throws IOException {
        assertNull(talk.look());
        assertEquals(0, counts().connections());
        assertTrue(asked.stream().noneMatch(line -> line.startsWith("connect ")), asked.toString());
    }

    @Test
    void anAcceptThatComesTwiceCountsOnce() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[] {4}));
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 9, new byte[] {5}));
        assertEquals(4, Offer.decode(two.hear(), Command.CONNECTED).privateData()[0]);
        heard(PeerMessage.Bound.class);
        assertEquals(connect.epoch(), heard(PeerMessage.Cut.class).epoch());
        assertNull(two.look());
        assertEquals(1, counts().connections());
        assertEquals(List.of("connect 6 to there 8"),
                asked.stream().filter(line -> line.startsWith("connect ")).toList());
    }

    @Test
    void aConnectorsRouterDoesNotAcceptInTheListenersPlace() throws IOException {
        Talk one = listener();
        Offer offer = offered(one, 11);
        sessions.events().heard(THERE, new PeerMessage.Accept(11, 7, new byte[] {4}));
        assertEquals(11, heard(PeerMessage.Cut.class).epoch());
        noneIsConnected(one);
        one.say(accept(offer)); // whose word counts
        assertEquals(11, heard(PeerMessage.Accept.class).epoch());
        assertEquals(1, counts().connections());
    }

    @Test
    void anAcceptWhoseTimeIsOverConnectsNothing() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        VirtualAddress away = new VirtualAddress(AWAY);
        homes.put(away, new Home(away, TWO, "there", 5, Home.State.SERVING)); // claimed anew since it was asked for
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[] {4}));
        assertEquals(Refusal.MOVED.ordinal(), Refused.decode(two.hear()).reason());
        assertEquals(connect.epoch(), heard(PeerMessage.Cut.class).epoch());
        noneIsConnected(two);
    }

    @Test
    void whoseRouterKnowsLessOfHomesIsAskedForAgainForAWhile() throws IOException {
        Talk two = connector();
        PeerMessage.Connect first = heard(PeerMessage.Connect.class);
        sessions.events().heard(THERE, new PeerMessage.Refuse(first.epoch(), Refusal.STALE_EPOCH, "older"));
        Waits.until("it to wait", () -> counts().asking() == 1);
        nowNs.addAndGet(1_000_000_000L);
        PeerMessage.Connect second = heard(PeerMessage.Connect.class);
        assertTrue(second.epoch() != first.epoch(), "a number of a connection was used again");
        nowNs.addAndGet(2_000_000_000L);
        sessions.events().heard(THERE, new PeerMessage.Refuse(second.epoch(), Refusal.STALE_EPOCH, "older"));
        assertEquals(Refusal.STALE_EPOCH.ordinal(), Refused.decode(two.hear()).reason());
    }

    @Test
    void whoGivesUpIsAskedForNoMore() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        two.say(ControlFrame.of(Command.ERROR, 10, 6));
        assertEquals(Refusal.NOT_YOURS.ordinal(), Refused.decode(two.hear()).reason());
        assertEquals(Command.DONE, two.hear().command());
        assertEquals(connect.epoch(), heard(PeerMessage.Cut.class).epoch());
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[0]));
        assertEquals(connect.epoch(), heard(PeerMessage.Cut.class).epoch());
        assertEquals(0, counts().connections());
    }

    @Test
    void whoConnectsWithoutALinkIsRefusedAfterAWhile() throws IOException {
        sessions.events().down(THERE, "gone");
        Talk two = connector();
        Waits.until("it to wait", () -> counts().asking() == 1);
        nowNs.addAndGet(5_000_000_001L);
        Refused refused = Refused.decode(two.hear());
        assertEquals(Refusal.PEER_ROUTER.ordinal(), refused.reason());
        assertTrue(refused.message().contains("no route"), refused.message());
    }

    @Test
    void whoConnectsWhileTheFirstAttemptIsUnderWayIsAskedForOnceThereIsALink() throws IOException {
        sessions.events().down(THERE, "gone");
        trouble = null;
        connector();
        Waits.until("it to wait", () -> counts().asking() == 1);
        passes(5_000_000_001L);
        assertEquals(1, counts().asking());
        sessions.events().up(THERE);
        heard(PeerMessage.Connect.class);
    }

    @Test
    void whoConnectsWhereTheFirstAttemptDoesNotEndIsRefusedAllTheSame() throws IOException {
        sessions.events().down(THERE, "gone");
        trouble = null;
        Talk two = connector();
        Waits.until("it to wait", () -> counts().asking() == 1);
        passes(Remotes.FIRST_LINK_NS + 1);
        Refused refused = Refused.decode(two.hear());
        assertTrue(refused.message().contains("its router does not answer"), refused.message());
    }

    /** Has time pass, and waits until whoever waits for a link was looked at. */
    private void passes(long ns) {
        nowNs.addAndGet(ns);
        int before = wanted.size();
        Waits.until("a look", () -> wanted.size() > before + 1 || counts().asking() == 0);
    }

    @Test
    void aLinkThatIsLostEndsItsConnections() throws IOException {
        Talk two = connector();
        PeerMessage.Connect connect = heard(PeerMessage.Connect.class);
        sessions.events().heard(THERE, new PeerMessage.Accept(connect.epoch(), 8, new byte[0]));
        assertEquals(Command.CONNECTED, two.hear().command());
        sessions.events().down(THERE, "gone");
        assertEquals(Command.DISCONNECTED, two.hear().command());
        assertEquals(0, counts().connections());
    }
}
