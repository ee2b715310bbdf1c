package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.FuzzBodies;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.EndlessExecutor;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any messages at a server's session. Each request is answered once, and no other; no more credits come back than were
 * used; a session that does not end for a protocol error serves the next good call; all memory is given back. The
 * service is opened first where the first byte says so, and time stands still or leaps as it says.
 */
public final class ServerSessionFuzz {

    static final int SLOTS = 4;
    private static final int SLOT_BYTES = 512;
    private static final int CREDITS = Protocol.CALLS.oneWayCredits(SLOTS);
    private static final int OPENS = 1;
    private static final int LEAPS = 2;
    private static final long LEAP_NS = 20_000_000;
    private static final int MOST_POLLS = 20_000;
    private static final byte[] GOOD = {3, 0, 0, 0, 1, 2, 3};
    private static final byte[] OPEN = open();
    private static final ByteBuffer[] BODIES = ScriptedLink.bodies(SLOTS, SLOT_BYTES);
    private static ServerCore server;
    private static long nowNs;
    private static long stepNs;

    private ServerSessionFuzz() {
    }

    private static byte[] open() {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 14);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        ServiceTable.writeOpen(writer, new CallsService());
        byte[] open = new byte[writer.length()];
        memory.get(0, open);
        return open;
    }

    public static void fuzzerInitialize() {
        System.setProperty("org.slf4j.simpleLogger.log." + ServerSession.class.getName(), "off"); // each input's end
        ServerOptions options = new ServerOptions();
        options.address(ShmFolder.address());
        options.service(new CallsService(), FuzzBodies.harmless());
        options.settings().maxBodyBytes(FuzzBodyPool.SOON_BYTES);
        options.settings().environment(new Environment(() -> nowNs += stepNs, Threads.DAEMONS));
        options.executor(new SameThread());
        server = new ServerCore(options);
    }

    public static void fuzzerTearDown() {
        server.shutdownNow();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        int how = input.length == 0 ? 0 : input[0];
        stepNs = (how & LEAPS) != 0 ? LEAP_NS : 0;
        Peer peer = new Peer(input);
        FuzzBodyPool bodies = new FuzzBodyPool(FuzzBodyPool.SOON_BYTES);
        ServerSession session = new ServerSession(server, server.poller(0), 1, peer, bodies,
                Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.SOON_BYTES), CREDITS);
        if ((how & OPENS) != 0) {
            peer.openFirst(session);
        }
        pollAll(session);
        if (session.isConnected()) {
            FuzzCheck.that(session.open() == 0 && peer.answered(), "requests without an answer=" + session.open());
            peer.callWell(session);
        }
        session.bury();
        FuzzCheck.that(bodies.isWhole() && peer.isClosed(), "memory is kept");
        FuzzCheck.done();
    }

    private static void pollAll(ServerSession session) {
        for (int polls = 0; session.poll(SLOTS) > 0; polls++) {
            FuzzCheck.that(polls < MOST_POLLS, "it never ends");
        }
    }

    /** Runs what is given to it at once. */
    private static final class SameThread extends EndlessExecutor {

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    /** What the client did, and heard. */
    private static final class Peer extends FuzzBodyPool.Source {

        private static final int NONE = -1;
        /** Calls by slot, in the order of their requests: a backlog may have several of one. */
        private final List<ArrayDeque<Integer>> calls = new ArrayList<>();
        private int used;
        private int returned;
        private int watched = NONE;
        private boolean heard;

        Peer(byte[] input) {
            super(BODIES, input, 1);
            for (int i = 0; i < SLOTS; i++) {
                calls.add(new ArrayDeque<>());
            }
        }

        @Override
        protected void polled() {
            int kind = RpcHeader.kind(first());
            if (kind == RpcHeader.REQUEST) {
                parts().forEach(this::requested);
            } else if (kind == RpcHeader.ONE_WAY || kind == RpcHeader.CANCEL || kind == RpcHeader.RELEASE) {
                used++;
            }
        }

        private void requested(Part part) {
            int callId = RpcHeader.callId(part.first());
            if (RpcHeader.slot(callId) < SLOTS) {
                calls.get(RpcHeader.slot(callId)).add(callId);
            }
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            returned += RpcHeader.credits(second);
            FuzzCheck.that(returned <= used, "credits used=" + used + " returned=" + returned);
            if (RpcHeader.kind(first) == RpcHeader.CREDIT) {
                return;
            }
            FuzzCheck.that(RpcHeader.kind(first) == RpcHeader.RESPONSE && bodyLength <= SLOT_BYTES, first);
            parts(slot, first, second, bodyLength).forEach(this::answered);
        }

        private void answered(Part part) {
            int callId = RpcHeader.callId(part.first());
            int slot = RpcHeader.slot(callId);
            FuzzCheck.that(slot < SLOTS && Objects.equals(callId, calls.get(slot).poll()),
                    "an answer to no call: slot=" + slot);
            if (slot == watched) {
                heard = RpcHeader.method(part.first()) == Status.OK.code();
            }
        }

        boolean answered() {
            return calls.stream().allMatch(ArrayDeque::isEmpty);
        }

        /** Opens the service before anything of the script comes. */
        void openFirst(ServerSession session) {
            addFirst(request(0, RpcHeader.OPEN), RpcHeader.second(OPEN.length, 0, 0), OPEN);
            FuzzCheck.that(session.poll(1) > 0, "no message");
        }

        private static long request(int slot, int method) {
            return RpcHeader.first(RpcHeader.REQUEST, 0, method, RpcHeader.callId(slot, 77));
        }

        void callWell(ServerSession session) {
            good(session, RpcHeader.OPEN, OPEN);
            good(session, CallsService.ECHO.index(), GOOD);
            byte[] echo = new byte[GOOD.length];
            BODIES[1].get(0, echo);
            FuzzCheck.that(Arrays.equals(GOOD, echo), Arrays.toString(echo));
        }

        private void good(ServerSession session, int method, byte[] body) {
            heard = false;
            watched = 1;
            add(request(1, method), RpcHeader.second(body.length, 0, 0), body);
            pollAll(session);
            FuzzCheck.that(heard, "a good call is not answered: method=" + method);
        }
    }
}
