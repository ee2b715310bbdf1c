package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.ControlView;
import org.jvrpc.router.Home;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.Rule;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.testing.Waits;

/** What tenants may say, with an engine that does nothing and notes what it is asked. */
class SessionsTest {

    private static final TenantId ONE = new TenantId("one");
    private static final TenantId TWO = new TenantId("two");
    private static final String HERE = "here";
    private static final long BOUND_NS = 30_000_000_000L;

    @TempDir
    Path folder;

    /** What the engine and the tenants' records were asked, in order. */
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<Talk> talks = new ArrayList<>();
    private final AtomicLong nowNs = new AtomicLong(1);
    private volatile Home home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 1, Home.State.SERVING);
    private volatile long confirmedNs = 1;
    private volatile List<Rule> rules = List.of(new Rule(null, null, 0, 0xffff, true));
    private Sessions sessions;

    /** A tenant's end of a socket, by hand. One thread. */
    private final class Talk implements AutoCloseable {

        private final SocketChannel socket;
        private final FrameReader reader = new FrameReader();

        Talk(TenantId tenant) throws IOException {
            socket = SocketChannel.open(StandardProtocolFamily.UNIX);
            socket.connect(UnixDomainSocketAddress.of(folder.resolve(tenant.name())));
            socket.configureBlocking(false);
            talks.add(this);
        }

        void say(ControlFrame frame) throws IOException {
            socket.write(frame.encode());
        }

        ControlFrame hear() {
            ControlFrame[] heard = new ControlFrame[1];
            Waits.until("a frame", () -> (heard[0] = look()) != null);
            return heard[0];
        }

        private ControlFrame look() {
            try {
                return reader.read(socket);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        ControlFrame ask(ControlFrame frame) throws IOException {
            say(frame);
            return hear();
        }

        void refused(Refusal why, ControlFrame frame) throws IOException {
            ControlFrame answer = ask(frame);
            assertEquals(Command.REFUSED, answer.command(), answer.toString());
            assertEquals(why.ordinal(), Refused.decode(answer).reason(), Refused.decode(answer).message());
            assertEquals(frame.id(), answer.id());
        }

        void done(ControlFrame frame) throws IOException {
            ControlFrame answer = ask(frame);
            assertEquals(Command.DONE, answer.command(), () -> new String(answer.body()));
        }

        void isLeft() {
            Waits.until("the end of the socket", () -> {
                try {
                    look();
                    return false;
                } catch (IllegalStateException e) {
                    return e.getCause() instanceof IOException;
                }
            });
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @BeforeEach
    void open() throws IOException {
        Admission admission = (tenant, peer, hello) -> noting(Membership.class, tenant.name(), tenant);
        Engine engine = new Engine() {
            @Override
            public EngineDevice open(TenantId tenant, int number, Told told) {
                return noting(EngineDevice.class, tenant.name(), tenant);
            }

            @Override
            public void connect(EngineDevice from, int qp, EngineDevice to, int peer) {
                asked.add("connect " + qp + " " + peer);
            }
        };
        ControlView view = (ControlView) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ControlView.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "home" -> arguments[0].equals(new VirtualAddress("10.77.0.1")) ? home : null;
                    case "confirmedNs" -> confirmedNs;
                    case "rules" -> rules;
                    case "epoch" -> 1L;
                    default -> null;
                });
        sessions = new Sessions(Sessions.Settings.of(HERE, true), 77, view, admission, engine,
                (tenant, what, refusal, detail) -> { }, nowNs::get);
        for (TenantId tenant : List.of(ONE, TWO)) {
            ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            door.bind(UnixDomainSocketAddress.of(folder.resolve(tenant.name())));
            sessions.listen(tenant, door);
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Talk talk : talks) {
            talk.close();
        }
        sessions.close();
    }

    private <T> T noting(Class<T> type, String whose, TenantId tenant) {
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "tenant" -> tenant;
                    case "addresses" -> List.of(new VirtualAddress(tenant.equals(ONE) ? "10.77.0.1" : "10.77.0.2"));
                    case "register" -> 0x77;
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> {
                        asked.add(whose + " " + method.getName() + (arguments == null ? "" : " " + arguments[0]));
                        yield null;
                    }
                }));
    }

    private Talk attached(TenantId tenant) throws IOException {
        Talk talk = new Talk(tenant);
        assertEquals(Command.WELCOME, talk.ask(new Hello(1, 1, 0, "d-1-a", new byte[0]).frame(1)).command());
        return talk;
    }

    private static ControlFrame qp(int number) {
        return new QpNote(number, 1, 2L << 40, 16, 64, 16, 1280, 1, 1, 0, 0, 0, 7, 0, 0).frame(number);
    }

    private static ControlFrame connect(int id, int qp, String address) {
        return new ConnectNote(address, 7000, 0, 0, 0, new byte[] {5}).frame(id, qp, 0);
    }

    private static ControlFrame destroy(int qp) {
        return new ControlFrame(Command.DESTROY, 0, 1, qp, new byte[0]);
    }

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
        ControlFrame answer = talk.ask(new Hello(2, 9, 0, "d-1-a", new byte[0]).frame(1));
        assertEquals(Refusal.VERSION.ordinal(), Refused.decode(answer).reason());
        String said = Refused.decode(answer).message();
        assertTrue(said.contains("2 to 9") && said.contains("version=1"), said);
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

    @Test
    void whoConnectsMeetsWhoListensAndBothSend() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
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
        assertTrue(asked.containsAll(List.of("connect 6 5", "connect 5 6")), asked.toString());
        one.done(destroy(5));
        assertEquals(Command.DISCONNECTED, two.hear().command());
        assertTrue(asked.contains("two fail 6"), asked.toString());
        for (String tenant : List.of("one", "two")) {
            assertEquals(1, asked.stream().filter((tenant + " take CONNECTIONS")::equals).count(), asked.toString());
            assertEquals(1, asked.stream().filter((tenant + " give CONNECTIONS")::equals).count(), asked.toString());
        }
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
        home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 1, Home.State.MOVING);
        Talk two = attached(TWO);
        two.done(qp(6));
        two.say(connect(9, 6, "10.77.0.1"));
        Waits.until("the connector to wait", () -> counts().asking() == 1);
        Talk one = attached(ONE);
        home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 2, Home.State.SERVING);
        one.say(new ListenNote(1, "10.77.0.1", 7000).frame(2));
        assertEquals(Set.of(Command.DONE, Command.OFFER), Set.of(one.hear().command(), one.hear().command()));
        assertNull(two.look());
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

    private Sessions.Counts counts() {
        try {
            return sessions.counts();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
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
        slow.socket.write(new Hello(1, 1, 0, "d-1-a", new byte[0]).frame(1).encode().limit(9));
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
