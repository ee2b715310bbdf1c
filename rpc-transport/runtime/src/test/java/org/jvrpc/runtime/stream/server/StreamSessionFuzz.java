package org.jvrpc.runtime.stream.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.GuardOptions;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.stream.SessionTurns;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.StreamSession;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any pieces at a server's session of streams. It sends no more pieces than its client grants and grants no more than
 * were sent; it ends by an {@link IllegalStateException} or an {@link RpcException} at most, and a session that does
 * not end serves the next good call; all memory is given back. The service is bound first where the first byte says so,
 * time leaps as it says, the client takes no messages that carry grants alone, or no trailers, and handlers put some.
 */
public final class StreamSessionFuzz {

    static final int WINDOW = 8;
    static final int PIECE_BYTES = 512;
    static final int STREAM_WINDOW = 4096;
    static final int BINDS = 1;
    private static final int LEAPS = 2;
    static final int DEAF = 4;
    static final int TAKES_NO_TRAILERS = 8;
    static final int PUTS_TRAILERS = 16;
    private static final long LEAP_NS = 20_000_000;
    private static final int MOST_POLLS = 20_000;
    private static final int GOOD = 0x7ffe << 16 | 900;
    private static final int WITNESS = 0x7ffe << 16 | 901;
    private static final byte[] BIND = bytes(out -> {
        out.writeShort((short) 0);
        ServiceTable.writeOpen(out, new FuzzStreamsService());
    });
    private static final Hello CLIENT = Hello.request(Protocol.STREAMS, WINDOW, PIECE_BYTES, STREAM_WINDOW);
    private static final Hello EARLIER = new Hello(
            Protocol.STREAMS, CLIENT.versions(), WINDOW, WINDOW, PIECE_BYTES, 0, STREAM_WINDOW, 0, false);
    private static final ByteBuffer[] BODIES = ScriptedLink.bodies(WINDOW + Protocol.CONTROLS, PIECE_BYTES);
    private static final Host HOST = new Host();
    private static ServerStreams streams;
    private static long nowNs;
    private static long stepNs;
    private static boolean putsTrailers;
    /** How many the last input's client was sent. */
    static int trailers;

    private StreamSessionFuzz() {
    }

    static byte[] bytes(Consumer<WireWriter> write) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 12);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        write.accept(writer);
        byte[] bytes = new byte[writer.length()];
        memory.get(0, bytes);
        return bytes;
    }

    /** Returns what opens a call without arguments beside its stream. */
    static byte[] open(int method) {
        return bytes(out -> {
            out.writeShort((short) 0);
            out.writeShort((short) method);
            Extension.write(out, 0, null);
        });
    }

    static long head(int kind, int credits, int stream) {
        return kind | (credits & 0xffffL) << 16 | (long) stream << 32;
    }

    static long lengths(int length, int more) {
        return length & 0xffffffffL | (long) more << 32;
    }

    public static void fuzzerInitialize() {
        System.setProperty("org.slf4j.simpleLogger.log." + StreamSession.class.getName(), "off"); // each input's end
        streams = new ServerStreams(HOST, new NoEvents(), "fuzz", () -> { });
    }

    public static void fuzzerTestOneInput(byte[] input) {
        end(input);
    }

    /** Runs an input; returns why the session ended before the input did, or null. */
    static String end(byte[] input) {
        return end(input, 0);
    }

    /** The same, where another thread ends the session while that piece is taken, from 1 on; 0 for none. */
    static String end(byte[] input, int endsAt) {
        int how = input.length == 0 ? 0 : input[0];
        stepNs = (how & LEAPS) != 0 ? LEAP_NS : 0;
        putsTrailers = (how & PUTS_TRAILERS) != 0;
        trailers = 0;
        Peer peer = new Peer(input, (how & DEAF) != 0);
        FuzzBodyPool bodies = new FuzzBodyPool(FuzzBodyPool.SOON_BYTES);
        ServerStreamSession session = new ServerStreamSession(streams, 1,
                (how & TAKES_NO_TRAILERS) != 0 ? EARLIER : CLIENT, peer, bodies);
        session.gate().begin();
        peer.endsAt(endsAt, () -> session.end(new RpcException(Status.UNAVAILABLE, "ended elsewhere")));
        Witness witness = new Witness(session);
        if ((how & BINDS) != 0) {
            peer.addFirst(head(Script.BIND, 0, 0), lengths(BIND.length, BIND.length), BIND);
        }
        pollAll(session);
        if (!session.isOver() && (how & BINDS) != 0 && !peer.deaf && session.table().inPlaceOf(GOOD) == null) {
            peer.callWell(session);
        }
        witness.check();
        String ended = witness.cause == null ? null : witness.cause.getMessage();
        session.end(new RpcException(Status.UNAVAILABLE, "the input ends"));
        SessionTurns.tellAll(session);
        session.bury();
        FuzzCheck.that(streams.memory().borrowed() == 0, "memory is borrowed: " + streams.memory().borrowed());
        FuzzCheck.that(bodies.isWhole() && peer.isClosed(), "memory is kept");
        FuzzCheck.done();
        return ended;
    }

    private static void pollAll(ServerStreamSession session) {
        for (int polls = 0; SessionTurns.take(session, WINDOW) > 0; polls++) {
            FuzzCheck.that(polls < MOST_POLLS, "it never ends");
            SessionTurns.expire(session, nowNs);
        }
    }

    /** What the client sends, and hears. */
    private static final class Peer extends ScriptedLink {

        private final boolean deaf;
        private int sent;
        private int granted;
        private int pieces;
        private int returned;
        private long answer;
        private int untilEnd;
        private Runnable endElsewhere;

        Peer(byte[] input, boolean deaf) {
            super(BODIES, input, 1);
            this.deaf = deaf;
        }

        void endsAt(int piece, Runnable end) {
            untilEnd = piece;
            endElsewhere = end;
        }

        @Override
        public boolean hasControl() {
            return !deaf;
        }

        @Override
        protected void polled() {
            granted += (int) first() >>> 16;
            pieces += ((int) first() & 0xff) == Script.CREDIT ? 0 : 1;
            if (--untilEnd == 0) {
                endElsewhere.run();
            }
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            int kind = (int) first & 0xff;
            sent += kind == Script.CREDIT ? 0 : 1;
            returned += (int) first >>> 16;
            trailers += kind == Script.TRAILERS ? 1 : 0;
            FuzzCheck.that(sent <= WINDOW + granted, "pieces sent=" + sent + " granted=" + granted);
            FuzzCheck.that(returned <= pieces, "granted=" + returned + " of pieces=" + pieces);
            FuzzCheck.that(bodyLength <= PIECE_BYTES, bodyLength);
            if (kind == Script.RESULT && (int) (first >>> 32) == GOOD) {
                answer = BODIES[slot].order(ByteOrder.LITTLE_ENDIAN).getLong(1); // behind the mark that it is not null
            }
        }

        void callWell(ServerStreamSession session) {
            byte[] open = open(FuzzStreamsService.SUM.index());
            byte[] longs = bytes(out -> {
                out.writeLong(1);
                out.writeLong(2);
                out.writeLong(3);
            });
            add(head(Script.CREDIT, sent - granted, 0), 0, new byte[0]);
            add(head(Script.OPEN, 0, GOOD), lengths(open.length, open.length), open);
            add(head(Script.DATA, 0, GOOD), lengths(longs.length, 0), longs);
            add(head(Script.END, 0, GOOD), 0, new byte[0]);
            stepNs = 0;
            for (int turns = 0; answer != 6 && !session.isOver() && turns < MOST_POLLS; turns++) {
                pollAll(session);
                add(head(Script.CREDIT, sent - granted, 0), 0, new byte[0]); // those of the script may have much to say
            }
            FuzzCheck.that(answer == 6, "a good call is not answered: " + answer + " over=" + session.isOver());
        }
    }

    /** A stream that hears why its session ends. */
    private static final class Witness extends Stream {

        private RpcException cause;

        Witness(ServerStreamSession session) {
            super(session);
            FuzzCheck.that(session.table().add(this, WITNESS), "no place");
        }

        void check() {
            Throwable reason = cause == null ? null : cause.getCause();
            FuzzCheck.that(reason == null || reason instanceof IllegalStateException || reason instanceof RpcException,
                    reason);
        }

        @Override
        public void fail(RpcException why) {
            cause = why;
        }

        @Override
        protected void message(int kind, ByteBuffer bytes, int length) {
            // the script found it
        }

        @Override
        protected void ended() {
            // as before
        }

        @Override
        protected void cancelled() {
            // as before
        }

        @Override
        protected void stopReceiving(String why) {
            // nothing comes
        }

        @Override
        protected void outgoingEnded() {
            // nothing leaves
        }

        @Override
        protected void outgoingFailed(Throwable failure) {
            // as before
        }

        @Override
        protected RpcException failure() {
            return cause;
        }

        @Override
        protected Executor executor() {
            return null;
        }

        @Override
        protected boolean isCancelTheEnd() {
            return false;
        }
    }

    /** The server. */
    private static final class Host implements StreamHost {

        private final Settings settings = new Settings();
        private final SessionLimits limits = new SessionLimits();
        private final ServiceTable services = new ServiceTable();
        private final Guard guard;

        Host() {
            settings.environment(new Environment(() -> nowNs += stepNs, Threads.DAEMONS));
            settings.streamWindow(STREAM_WINDOW);
            services.add(new FuzzStreamsService(), new FuzzStreamsImpl());
            guard = new Guard(new GuardOptions(), settings.environment(), "fuzz");
        }

        @Override
        public Settings settings() {
            return settings;
        }

        @Override
        public ServiceTable services() {
            return services;
        }

        @Override
        public Gate gate(long session, Who who, Consumer<String> end) {
            return guard.gate(session, who, end);
        }

        @Override
        public SessionLimits limits() {
            return limits;
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }

        @Override
        public Line newLine() {
            return (work, refused) -> {
                work.run();
                return () -> { };
            };
        }

        @Override
        public void dispatch(RpcContext own, ServiceTable.Method method, HandledCall call) throws Throwable {
            if (putsTrailers) {
                call.responseMetadata().put("took", "1");
            }
            method.skeleton().dispatch(method.descriptor().index(), call);
        }

        @Override
        public boolean isDraining() {
            return false;
        }

        @Override
        public void bury(Runnable burial) {
            // the target does
        }

        @Override
        public void ended(long session) {
            // nobody hears of it
        }
    }

    private static final class NoEvents implements Events {

        @Override
        public void await(long timeoutNs) {
            throw new AssertionError("nobody waits");
        }

        @Override
        public void wakeup() {
            // nobody sleeps
        }
    }
}
