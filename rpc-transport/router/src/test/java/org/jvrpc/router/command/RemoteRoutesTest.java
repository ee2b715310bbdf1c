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
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.softrnic.router.wire.RouteNote;
import org.jvrpc.testing.Waits;

/** Ways of datagrams to devices of another host, and from there: the other router is the test. */
class RemoteRoutesTest extends Switchboard {

    private static final Peer THERE = new Peer("there", 5, "roce://there", true);
    private static final String AWAY = "10.77.0.3";
    private static final int WAYS = 3;

    private final Deque<PeerMessage> said = new ConcurrentLinkedDeque<>();

    RemoteRoutesTest() {
        links = new Links() {
            @Override
            public void want(String host) {
                // it comes when the test says so
            }

            @Override
            public boolean say(String host, PeerMessage message) {
                said.add(message);
                return true;
            }

            @Override
            public String trouble(String host) {
                return "nobody is there";
            }
        };
    }

    @BeforeEach
    void away() {
        VirtualAddress address = new VirtualAddress(AWAY);
        homes.put(address, new Home(address, TWO, "there", 1, Home.State.SERVING));
    }

    private <T extends PeerMessage> T heard(Class<T> type) {
        Waits.until("the other router to be told", () -> !said.isEmpty());
        return assertInstanceOf(type, said.poll());
    }

    private static ControlFrame route() {
        return new RouteNote(1, AWAY, 4, 123).frame(40);
    }

    private Talk asking() throws IOException {
        Talk one = attached(ONE);
        one.say(route());
        return one;
    }

    private void accept(long epoch) {
        sessions.events().heard(THERE, new PeerMessage.Accept(epoch, 70, new byte[0]));
    }

    private static PeerMessage.Route asks(long epoch, String tenant, String address, int device, long incarnation) {
        return new PeerMessage.Route(epoch, 7, tenant, address, device, incarnation);
    }

    private Refusal refused(PeerMessage.Route route) {
        sessions.events().heard(THERE, route);
        return heard(PeerMessage.Refuse.class).refusal();
    }

    @Test
    void aWayIsThereOnceTheOtherRouterTookItAndCanBeSentTo() throws IOException {
        reaches = false;
        Talk one = asking();
        sessions.events().up(THERE);
        PeerMessage.Route asked = heard(PeerMessage.Route.class);
        assertEquals("one 10.77.0.1 4 123", asked.tenant() + " " + asked.address() + " " + asked.device() + " "
                + asked.incarnation());
        accept(asked.epoch());
        Waits.until("the way to lead there", () -> this.asked.contains("one lead 9"));
        assertNull(one.look());
        reaches = true;
        ControlFrame answer = one.hear();
        assertEquals("DONE 40 9", answer.command() + " " + answer.id() + " " + answer.object());
        one.done(new ControlFrame(Command.DESTROY, WAYS, 41, 9, new byte[0]));
        assertEquals(asked.epoch(), heard(PeerMessage.Cut.class).epoch());
        assertTrue(this.asked.contains("one unroute 9"));
    }

    @Test
    void whoGetsNoWayIsToldWhy() throws IOException {
        Talk one = asking();
        ControlFrame[] answer = new ControlFrame[1];
        Waits.until("an answer", () -> {
            confirmedNs = nowNs.addAndGet(1_000_000_000L);
            return (answer[0] = one.look()) != null;
        });
        Refused why = refusal(answer[0]);
        assertEquals(Refusal.PEER_ROUTER.ordinal(), why.reason(), why.message());
        assertTrue(why.message().contains("nobody is there"), why.message());
        sessions.events().up(THERE);
        one.say(route());
        sessions.events().heard(THERE, new PeerMessage.Refuse(
                heard(PeerMessage.Route.class).epoch(), Refusal.POLICY, "rules"));
        assertEquals(Refusal.POLICY.ordinal(), refusal(one.hear()).reason());
        assertEquals(0, said.size());
    }

    private static Refused refusal(ControlFrame answer) throws IOException {
        assertEquals(Command.REFUSED, answer.command());
        return Refused.decode(answer);
    }

    @Test
    void aWayIsAskedForAgainWhenThereIsAnotherLink() throws IOException {
        Talk one = asking();
        sessions.events().up(THERE);
        accept(heard(PeerMessage.Route.class).epoch());
        one.hear();
        asked.clear();
        sessions.events().down(THERE, "test");
        Waits.until("the way to lead nowhere", () -> asked.contains("one lead 9"));
        Peer again = new Peer("there", 6, "roce://there", true);
        sessions.events().up(again);
        PeerMessage.Route second = heard(PeerMessage.Route.class);
        sessions.events().heard(again, new PeerMessage.Accept(second.epoch(), 71, new byte[0]));
        Waits.until("the way to lead there", () -> asked.equals(List.of("one lead 9", "one lead 9")));
        one.close();
        assertEquals(second.epoch(), heard(PeerMessage.Cut.class).epoch());
    }

    @Test
    void aWayFromAnotherHostIsJudgedHereToo() throws IOException {
        attached(ONE);
        sessions.events().up(THERE);
        assertEquals(Refusal.STALE_EPOCH, refused(asks(11, "two", "10.77.0.1", 1, 77)), "an address of here");
        assertEquals(Refusal.STALE_EPOCH, refused(asks(12, "one", AWAY, 1, 77)), "another tenant's");
        assertEquals(Refusal.BAD_FRAME, refused(asks(13, "no tenant!", AWAY, 1, 77)));
        assertEquals(Refusal.NOBODY_LISTENS, refused(asks(14, "two", AWAY, 2, 77)));
        assertEquals(Refusal.NOBODY_LISTENS, refused(asks(15, "two", AWAY, 1, 76)), "of an earlier router");
        rules = List.of(new Rule(null, null, 0, 0xffff, false));
        assertEquals(Refusal.POLICY, refused(asks(16, "two", AWAY, 1, 77)));
        assertTrue(asked.stream().noneMatch(what -> what.contains("admit")), asked.toString());
    }

    @Test
    void aWayFromAnotherHostEndsWithTheRulesItsRouterOrItsLink() throws IOException {
        attached(ONE);
        sessions.events().up(THERE);
        for (long epoch : new long[] {11, 12, 13}) {
            sessions.events().heard(THERE, asks(epoch, "two", AWAY, 1, 77));
            assertEquals(epoch, heard(PeerMessage.Accept.class).epoch());
            asked.clear();
            if (epoch == 11) {
                rules = List.of(new Rule(null, null, 0, 0xffff, false));
                assertEquals(1, sessions.applyRules());
                assertEquals(11, heard(PeerMessage.Cut.class).epoch());
                rules = List.of(new Rule(null, null, 0, 0xffff, true));
            } else if (epoch == 12) {
                sessions.events().heard(THERE, new PeerMessage.Cut(12, true, "over"));
            } else {
                sessions.events().down(THERE, "test");
            }
            Waits.until("it to be dismissed", () -> asked.stream().anyMatch(what -> what.startsWith("one dismiss")));
        }
    }
}
