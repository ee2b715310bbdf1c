package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.peer.Links;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.testing.Waits;

/** Sessions with an engine that does nothing and notes what it is asked, two tenants, and a clock of the test. */
abstract class Switchboard {

    static final TenantId ONE = new TenantId("one");
    static final TenantId TWO = new TenantId("two");
    static final String HERE = "here";
    static final long BOUND_NS = 30_000_000_000L;

    @TempDir
    Path folder;

    /** What the engine and the tenants' records were asked, in order. */
    final List<String> asked = new CopyOnWriteArrayList<>();
    /** The QPs that tenants made, in order. */
    final List<QpNote> qps = new CopyOnWriteArrayList<>();
    final List<Talk> talks = new ArrayList<>();
    final AtomicLong nowNs = new AtomicLong(1);
    volatile Home home = new Home(new VirtualAddress("10.77.0.1"), ONE, HERE, 1, Home.State.SERVING);
    volatile long confirmedNs = 1;
    volatile List<Rule> rules = List.of(new Rule(null, null, 0, 0xffff, true));
    Function<SlabNote, CompletableFuture<Slab>> opening = note -> CompletableFuture.completedFuture(null);
    final List<String> audited = new CopyOnWriteArrayList<>();
    Function<Membership, CompletableFuture<Membership>> admitting = CompletableFuture::completedFuture;
    /** Those of other addresses. */
    final Map<VirtualAddress, Home> homes = new ConcurrentHashMap<>();
    final List<Engine.Told> tolds = new CopyOnWriteArrayList<>();
    /** How the engine refuses to have a tenant's QP fail. */
    final Map<String, Refusal> unfailing = new ConcurrentHashMap<>();
    /** The engine has no time to end devices; it gets {@link #whenEnded} to do then. */
    volatile boolean unending;
    final List<Runnable> whenEnded = new CopyOnWriteArrayList<>();
    /** What is sent to other hosts goes there. */
    volatile boolean reaches = true;
    /** To be set before it is opened. */
    Links links;
    Sessions sessions;

    /** A tenant's end of a socket, by hand. One thread. */
    final class Talk implements AutoCloseable {

        final SocketChannel socket;
        private ByteBuffer unsaid;
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

        /** Says the next piece of a frame; true when it has gone. */
        boolean tryToSay(ControlFrame frame) {
            try {
                if (unsaid == null) {
                    unsaid = frame.encode();
                }
                socket.write(unsaid);
                if (unsaid.hasRemaining()) {
                    return false;
                }
                unsaid = null;
                return true;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        ControlFrame hear() {
            ControlFrame[] heard = new ControlFrame[1];
            Waits.until("a frame", () -> (heard[0] = look()) != null);
            return heard[0];
        }

        ControlFrame look() {
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
        Admission admission = (tenant, peer, hello) ->
                admitting.apply(noting(Membership.class, tenant.name(), tenant));
        Engine engine = new Engine() {
            @Override
            public EngineDevice open(TenantId tenant, int number, Told told) {
                tolds.add(told);
                return noting(EngineDevice.class, tenant.name(), tenant);
            }

            @Override
            public void connect(EngineDevice from, int qp, EngineDevice to, int peer) {
                asked.add("connect " + qp + " " + peer);
            }

            @Override
            public void connect(EngineDevice from, int qp, RemoteConnection to) {
                asked.add("connect " + qp + " to " + to.host() + " " + to.peer());
            }
        };
        ControlView view = (ControlView) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ControlView.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "home" -> arguments[0].equals(new VirtualAddress("10.77.0.1")) ? home
                            : homes.get(arguments[0]);
                    case "confirmedNs" -> confirmedNs;
                    case "rules" -> rules;
                    case "epoch" -> 1L;
                    default -> null;
                });
        sessions = new Sessions(Sessions.Settings.of(HERE, true), 77, view, admission, engine, links,
                (tenant, what, refusal, detail) -> audited.add(tenant + " " + what + " " + refusal), nowNs::get);
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

    <T> T noting(Class<T> type, String whose, TenantId tenant) {
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "tenant" -> tenant;
                    case "description" -> "folder=d-1-a";
                    case "addresses" -> List.of(new VirtualAddress(tenant.equals(ONE) ? "10.77.0.1" : "10.77.0.2"));
                    case "register" -> 0x77;
                    case "reaches" -> reaches;
                    case "route" -> {
                        asked.add(whose + " route");
                        yield 9;
                    }
                    case "open" -> {
                        asked.add(whose + " open");
                        yield opening.apply((SlabNote) arguments[0]);
                    }
                    case "endLater" -> {
                        asked.add(whose + " endLater");
                        whenEnded.add((Runnable) arguments[0]);
                        yield null;
                    }
                    case "end" -> {
                        asked.add(whose + " end");
                        if (unending) {
                            throw new RefusedException(Refusal.BUSY, "as the test has it");
                        }
                        yield null;
                    }
                    case "failAll" -> {
                        asked.add(whose + " fail " + arguments[0]);
                        if (unfailing.containsKey(whose)) {
                            throw new RefusedException(unfailing.get(whose), "as the test has it");
                        }
                        yield null;
                    }
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> {
                        if (arguments != null && arguments[0] instanceof QpNote note) {
                            qps.add(note);
                        }
                        asked.add(whose + " " + method.getName() + (arguments == null ? "" : " " + arguments[0]));
                        yield null;
                    }
                }));
    }

    Talk attached(TenantId tenant) throws IOException {
        Talk talk = new Talk(tenant);
        assertEquals(Command.WELCOME, talk.ask(hello()).command());
        return talk;
    }

    static ControlFrame hello() {
        return new Hello(ControlFrame.VERSION, ControlFrame.VERSION, 0, "d-1-a", new byte[0]).frame(1);
    }

    static ControlFrame qp(int number) {
        return new QpNote(number, 1, 2L << 40, 16, 64, 16, 1280, 1, 1, 0, 0, 0, 7, 0, 0).frame(number);
    }

    static ControlFrame connect(int id, int qp, String address) {
        return new ConnectNote(address, 7000, 0, 0, 0, new byte[] {5}).frame(id, qp, 0);
    }

    static ControlFrame destroy(int qp) {
        return new ControlFrame(Command.DESTROY, 0, 1, qp, new byte[0]);
    }

    Sessions.Counts counts() {
        try {
            return sessions.counts();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
