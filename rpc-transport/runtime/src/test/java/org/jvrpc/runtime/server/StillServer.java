package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.EndlessExecutor;
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
    static final int CREDITS = Protocol.CALLS.oneWayCredits(SLOTS);
    private static final int CALL = 77;
    private static final int MOST_POLLS = 1000;

    final CallsImpl impl = new CallsImpl();
    final Held executor = new Held();
    final FuzzBodyPool bodies = new FuzzBodyPool(FuzzBodyPool.SOON_BYTES);
    final Peer peer;
    final ServerCore core;
    final ServerSession session;
    final List<Long> ended = new ArrayList<>();
    long nowNs = 1_000_000_000;

    /** Runs nothing until it is told to. */
    static final class Held extends EndlessExecutor {

        final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        Throwable refusal;

        @Override
        public void execute(Runnable task) {
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

        Peer() {
            super(BODIES, new byte[0], 0);
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            byte[] bytes = new byte[bodyLength];
            if (slot >= 0) {
                body(slot).get(0, bytes);
            }
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
        ServerOptions options = new ServerOptions();
        options.address(ShmFolder.address());
        options.service(new CallsService(), impl);
        options.settings().maxBodyBytes(FuzzBodyPool.SOON_BYTES);
        options.settings().environment(new Environment(() -> nowNs, Threads.DAEMONS));
        options.executor(executor);
        options.sessionEnd(ended::add);
        more.accept(options);
        core = new ServerCore(options);
        peer = new Peer();
        session = session(peer);
    }

    ServerSession session(Peer other) {
        return new ServerSession(core, 1, other, bodies,
                Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.SOON_BYTES), CREDITS);
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

    void open() {
        byte[] open = bytes(writer -> ServiceTable.writeOpen(writer, new CallsService()));
        comes(RpcHeader.REQUEST, RpcHeader.OPEN, callId(0), open);
        poll();
        if (peer.last().status() != Status.OK.code()) {
            throw new AssertionError(peer.last().text());
        }
        peer.sent.clear();
    }

    void poll() {
        for (int polls = 0; session.poll(SLOTS) > 0; polls++) {
            if (polls == MOST_POLLS) {
                throw new AssertionError("there is always more");
            }
        }
    }

    static byte[] bytes(Consumer<WireWriter> writes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 14);
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
