package org.jvrpc.runtime.server;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.CallsImpl;
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

/**
 * A server whose threads do not run, in a time of the test's own, with a session whose client is the test. Heavy calls
 * run when the test says so. One thread.
 */
final class StillServer implements AutoCloseable {

    static final int SLOTS = 4;
    static final int SLOT_BYTES = 512;
    static final int CREDITS = 12;
    static final Hello HELLO = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.SOON_BYTES);
    private static final int CALL = 77;
    private static final int MOST_POLLS = 1000;

    final CallsImpl impl = new CallsImpl();
    final Held executor = new Held();
    final FuzzBodyPool bodies;
    final Peer peer;
    final ServerCore core;
    final ServerSession session;
    final List<Long> ended = new ArrayList<>();
    long nowNs = 1_000_000_000;

    /** Runs nothing until it is told to. */
    static final class Held extends EndlessExecutor {

        final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        Throwable refusal;
        /** Runs what it took before it refuses. */
        boolean runsFirst;
        /** Runs what it refuses. */
        boolean runsRefused;
        int shutdowns;

        @Override
        public List<Runnable> shutdownNow() {
            shutdowns++;
            return List.of();
        }

        @Override
        public void execute(Runnable task) {
            if (runsFirst) {
                run();
            }
            if (runsRefused) {
                task.run();
            }
            if (refusal instanceof RejectedExecutionException e) {
                throw e;
            }
            if (refusal instanceof Error e) {
                throw e;
            }
            tasks.add(task);
        }

        void run() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    /** A message of the server's. */
    record Sent(int slot, int kind, int flags, int status, int callId, int bodyLength, int credits, byte[] bytes) {

        /** Returns what a failure says. */
        String text() {
            WireReader in = new WireReader();
            in.reset(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), 0, bytes.length, null);
            return in.readString();
        }
    }

    /** The client. */
    static final class Peer extends FuzzBodyPool.Source {

        private static final ByteBuffer[] BODIES = ScriptedLink.bodies(SLOTS, SLOT_BYTES);
        final List<Sent> sent = new ArrayList<>();
        /** Answers find no room. */
        boolean behind;
        /** The next answer is the last that finds room. */
        boolean filling;
        int catchUps;
        /** Control messages find no room. */
        boolean full;
        /** READs do not complete. */
        boolean holds;
        /** So many fetches more can be done on the spot, and how long they were. */
        int nows;
        final List<Integer> nowBytes = new ArrayList<>();
        private final byte[] found;
        /** What happens before a message is handed out. */
        Runnable whenPolled = () -> { };

        Peer() {
            this(BODIES, new byte[0]);
        }

        /** @param memory what READs find */
        Peer(ByteBuffer[] slots, byte[] memory) {
            super(slots, memory, memory.length);
            this.found = memory;
        }

        @Override
        public boolean fetchNow(long source, int key, ByteBuffer into, int at, int length) {
            if (nows == 0) {
                return false;
            }
            nows--;
            nowBytes.add(length);
            into.put(at, found, (int) source, length);
            return true;
        }

        @Override
        protected void polled() {
            whenPolled.run();
        }

        @Override
        public boolean isBehind() {
            return behind;
        }

        @Override
        public void catchUp() {
            catchUps++;
        }

        @Override
        public boolean hasControl() {
            return !full;
        }

        @Override
        public boolean isSent(long number) {
            return !holds;
        }

        @Override
        public InetAddress peerHost() {
            return InetAddress.getLoopbackAddress();
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            byte[] bytes = new byte[bodyLength];
            if (slot >= 0) {
                body(slot).get(0, bytes);
            }
            behind |= filling;
            sent.add(new Sent(slot, RpcHeader.kind(first), RpcHeader.flags(first), RpcHeader.method(first),
                    RpcHeader.callId(first), RpcHeader.bodyLength(second), RpcHeader.credits(second), bytes));
        }

        Sent last() {
            return sent.get(sent.size() - 1);
        }
    }

    StillServer() {
        this(options -> { });
    }

    StillServer(Consumer<ServerOptions> more) {
        this(more, new Peer());
    }

    StillServer(Consumer<ServerOptions> more, Peer client) {
        ServerOptions options = new ServerOptions();
        options.address(ShmFolder.address());
        options.service(new CallsService(), impl);
        options.settings().maxBodyBytes(FuzzBodyPool.SOON_BYTES);
        options.settings().environment(new Environment(() -> nowNs, Threads.DAEMONS));
        options.executor(executor);
        options.sessionEnd(ended::add);
        more.accept(options);
        bodies = new FuzzBodyPool((int) options.settings().maxBodyBytes());
        core = new ServerCore(options);
        peer = client;
        session = session(peer);
    }

    ServerSession session(Peer other) {
        return new ServerSession(core, core.poller(0), 1, other, bodies, HELLO, CREDITS);
    }

    static int callId(int slot) {
        return RpcHeader.callId(slot, CALL);
    }

    /** Has a message come that is no long one. */
    void comes(int kind, int method, int callId, byte[] body) {
        peer.add(RpcHeader.first(kind, 0, method, callId), RpcHeader.second(body.length, 0, 0), body);
    }

    /** Has a call come and be handled. */
    void call(int slot, MethodDescriptor method, byte[] body) {
        comes(RpcHeader.REQUEST, method.index(), callId(slot), body);
        poll();
    }

    /** Returns what a client sends that opens a service. */
    static byte[] open(ServiceDescriptor<?> service) {
        return bytes(writer -> ServiceTable.writeOpen(writer, service));
    }

    StillServer open() {
        comes(RpcHeader.REQUEST, RpcHeader.OPEN, callId(0), open(new CallsService()));
        poll();
        if (peer.last().status() != Status.OK.code()) {
            throw new AssertionError(peer.last().text());
        }
        peer.sent.clear();
        return this;
    }

    /** Shuts down, and has told the client so; what the client sent before was taken. */
    void drain() {
        close();
        session.goAway();
        poll();
    }

    void poll() {
        for (int polls = 0; session.poll(SLOTS) > 0; polls++) {
            if (polls == MOST_POLLS) {
                throw new AssertionError("there is always more");
            }
        }
    }

    /** Has a call come with a deadline or metadata behind its body. */
    void callExtended(int slot, MethodDescriptor method, byte[] body, byte[] extension) {
        byte[] both = Arrays.copyOf(body, body.length + extension.length);
        System.arraycopy(extension, 0, both, body.length, extension.length);
        peer.add(RpcHeader.first(RpcHeader.REQUEST, 0, method.index(), callId(slot)),
                RpcHeader.second(body.length, 0, extension.length), both);
        poll();
    }

    /** Has a call come whose arguments are to be fetched. */
    void longCall(int slot, int method, int bodyLength) {
        longComes(slot, method, bodyLength);
        poll();
    }

    /** As {@link #longCall}, which is not polled yet. */
    void longComes(int slot, int method, int bodyLength) {
        peer.add(RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, method, callId(slot)),
                RpcHeader.second(bodyLength, 0, 0), new byte[RpcHeader.DESCRIPTOR_BYTES]);
    }

    /** Takes the answer that was sent last and is a failure: {@code slot STATUS text}. */
    String failure() {
        Sent last = peer.last();
        return RpcHeader.slot(last.callId()) + " " + Status.ofCode(last.status()) + " " + last.text();
    }

    static byte[] bytes(Consumer<WireWriter> writes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 21);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        writes.accept(writer);
        byte[] bytes = new byte[writer.length()];
        memory.get(0, bytes);
        return bytes;
    }

    @Override
    public void close() {
        core.shutdownNow();
    }
}
