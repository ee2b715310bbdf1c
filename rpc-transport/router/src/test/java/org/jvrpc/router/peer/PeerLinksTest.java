package org.jvrpc.router.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.FixedView;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.tcp.tls.TlsKeys;
import org.jvrpc.testing.Waits;

/** Links between routers of one process. */
class PeerLinksTest {

    private static final long FOREVER = Long.MAX_VALUE / 4;

    private final FixedView view = new FixedView();
    private final List<Router> routers = new ArrayList<>();
    /** Passes by itself, and more when a test says so. */
    private final AtomicLong moreNs = new AtomicLong();

    /** A router's links, and what they tell. */
    private final class Router implements PeerEvents, PeerTalk.Lanes {

        final PeerLinks links;
        final List<String> told = new CopyOnWriteArrayList<>();
        final List<PeerMessage> heard = new CopyOnWriteArrayList<>();
        final List<byte[]> bodies = new CopyOnWriteArrayList<>();
        final List<String> audited = new CopyOnWriteArrayList<>();

        Router(String host, String certificate, int version, long incarnation, Times times)
                throws IOException {
            links = new PeerLinks(new PeerLinks.Settings(host, new InetSocketAddress("127.0.0.1", 0),
                    new TlsKeys(Certificates.get().options(certificate)), version), times, incarnation, view,
                    (tenant, what, refusal, detail) -> audited.add(what + " " + refusal + " " + detail),
                    () -> System.nanoTime() + moreNs.get());
            view.put(new RouterRecord(host, "127.0.0.1:" + links.address().getPort(), "roce://" + host,
                    Certificates.get().sha256(host), 0, false, version));
            routers.add(this);
            links.start(this, this);
        }

        Router(String host) throws IOException {
            this(host, host, PeerLinks.VERSION, host.hashCode(), new Times(FOREVER, FOREVER, FOREVER));
        }

        @Override
        public void up(Peer peer) {
            told.add("up " + peer.host());
        }

        @Override
        public void down(Peer peer, String why) {
            told.add("down " + peer.host());
        }

        @Override
        public void heard(Peer peer, PeerMessage message) {
            heard.add(message);
        }

        @Override
        public void message(Peer peer, byte[] body) {
            bodies.add(body);
        }

        void reach(Router other) {
            String host = other.links.address().toString();
            Waits.until("a link", () -> {
                links.want(hostOf(other));
                return links.hosts().contains(hostOf(other)) && other.links.hosts().contains(hostOf(this));
            }, () -> host + " " + links.trouble(hostOf(other)) + " " + audited + other.audited);
        }

        String refused(Router other) {
            Waits.until("a refusal", () -> {
                links.want(hostOf(other));
                return links.trouble(hostOf(other)) != null;
            });
            return links.trouble(hostOf(other));
        }
    }

    private String hostOf(Router router) {
        return "h" + (routers.indexOf(router) + 1);
    }

    @AfterEach
    void close() {
        routers.forEach(router -> router.links.close());
    }

    @Test
    void whatOneRouterSaysTheOtherHearsInOrder() throws IOException {
        Router one = new Router("h1");
        Router two = new Router("h2");
        two.reach(one);
        for (Router from : routers) {
            Router to = from == one ? two : one;
            assertEquals(List.of("up " + hostOf(to), "up " + hostOf(to)), from.told);
            PeerMessage.Connect said = new PeerMessage.Connect(-5, 0xffff, "red", "10.77.0.1", "10.77.0.2", 0xffff, 9,
                    true, new byte[PeerMessage.MAX_PRIVATE]);
            assertTrue(from.links.say(hostOf(to), said));
            byte[] body = new byte[PeerTalk.MAX_BODY];
            new Random(1).nextBytes(body);
            assertTrue(from.links.send(hostOf(to), body));
            assertTrue(from.links.say(hostOf(to), new PeerMessage.Accept(6, 1, new byte[] {1})));
            assertTrue(from.links.say(hostOf(to), new PeerMessage.Refuse(7, Refusal.POLICY, "why")));
            assertTrue(from.links.say(hostOf(to), new PeerMessage.Cut(8, true, "ende\u0007")));
            Waits.until("what was said", () -> to.heard.size() == 4 && to.bodies.size() == 1);
            PeerMessage.Connect heard = assertInstanceOf(PeerMessage.Connect.class, to.heard.get(0));
            assertEquals(said.toString().replaceAll("privateData.*", ""),
                    heard.toString().replaceAll("privateData.*", ""));
            assertEquals(PeerMessage.MAX_PRIVATE, heard.privateData().length);
            assertArrayEquals(body, to.bodies.get(0));
            assertEquals(1, ((PeerMessage.Accept) to.heard.get(1)).privateData()[0]);
            assertEquals(new PeerMessage.Refuse(7, Refusal.POLICY, "why"), to.heard.get(2));
            assertEquals(new PeerMessage.Cut(8, true, "ende?"), to.heard.get(3));
        }
    }

    @Test
    void aStrangersCertificateIsRefusedByWhicheverSideItIs() throws IOException {
        Router one = new Router("h1");
        Router two = new Router("h2", "h3", PeerLinks.VERSION, 2, Times.USUAL);
        assertTrue(one.refused(two).contains("host=h2 is a stranger"), one.links.trouble("h2"));
        assertTrue(two.refused(one).contains("host=h2 is a stranger"), two.links.trouble("h1"));
        assertTrue(one.audited.stream().anyMatch(text -> text.contains("h2 is a stranger")), one.audited.toString());
        assertEquals(List.of(), one.told);
        assertFalse(one.links.say("h2", new PeerMessage.Bound(1)));
    }

    @Test
    void aRouterOfAnotherVersionIsRefusedWithBothVersions() throws IOException {
        Router one = new Router("h1");
        Router two = new Router("h2", "h2", 7, 2, Times.USUAL);
        String why = one.refused(two);
        assertTrue(why.contains("versions=7 to 7") && why.contains("version=1")
                || why.contains("versions=1 to 1") && why.contains("version=7"), why);
        assertEquals(List.of(), one.told);
    }

    @Test
    void aRouterThatEndsIsToldOfAndAnotherOneTakesItsPlace() throws IOException {
        Router one = new Router("h1");
        Router two = new Router("h2");
        one.reach(two);
        two.links.close();
        Waits.until("the end", () -> one.told.size() == 4);
        assertEquals(List.of("up h2", "up h2", "down h2", "down h2"), one.told);
        routers.remove(two);
        Router again = new Router("h2", "h2", PeerLinks.VERSION, 3, Times.USUAL);
        again.reach(one);
    }

    @Test
    void aRouterThatTheControlPlaneKnowsAnewIsDialledAtOnce() throws IOException {
        Dials dials = new Dials(view, () -> { });
        dials.want("h1", 0);
        dials.due(0, FOREVER, host -> false);
        assertEquals("host=h1 has no router in the control plane", dials.trouble("h1"));
        new Router("h1");
        dials.due(1, FOREVER, host -> false);
        assertFalse(dials.isUnderWay("h1"), "it was tried a nanosecond ago");
        dials.known("h1");
        dials.due(2, FOREVER, host -> false);
        assertTrue(dials.isUnderWay("h1"));
        dials.close();
    }

    @Test
    void aRouterShakesHandsWithItselfBeforeOthersWaitForIt() throws IOException {
        assertTrue(new TlsKeys(Certificates.get().options("h1")).rehearse("127.0.0.1"));
    }

    @Test
    void aSilentRouterIsTakenForLost() throws IOException {
        Router one = new Router("h1", "h1", 1, 1, new Times(FOREVER, FOREVER, 10_000_000_000L));
        Router two = new Router("h2");
        one.reach(two);
        moreNs.addAndGet(10_000_000_001L);
        Waits.until("the end", () -> one.told.contains("down h2"));
    }

    @Test
    void linksThatBothDialAtOnceBecomeOne() throws IOException {
        Router one = new Router("h1");
        Router two = new Router("h2");
        for (int i = 0; i < 3; i++) {
            one.links.want("h2");
            two.links.want("h1");
        }
        one.reach(two);
        assertTrue(one.links.say("h2", new PeerMessage.Bound(4)));
        Waits.until("a word", () -> two.heard.contains(new PeerMessage.Bound(4)) || one.links.hosts().isEmpty()
                || one.links.say("h2", new PeerMessage.Bound(4)));
    }

    @Test
    void whoSpeaksNoTlsIsLeftAndOthersAreNot() throws IOException {
        Router one = new Router("h1");
        try (SocketChannel stranger = SocketChannel.open(one.links.address())) {
            stranger.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()));
            Waits.until("the end of the socket", () -> read(stranger) < 0);
        }
        one.reach(new Router("h2"));
    }

    private static int read(SocketChannel from) {
        try {
            return from.read(ByteBuffer.allocate(256));
        } catch (IOException e) {
            return -1;
        }
    }
}
