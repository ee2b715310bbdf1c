package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.invocation.StubCalls;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.verbs.StillDevice;
import org.jvrpc.runtime.verbs.StillDevices;
import org.jvrpc.verbs.ConnectionException;

/**
 * A client without an event thread, in a time of the test's own, with a session whose server is the test. Its threads
 * are made and not started, but for the one that makes memory. One thread.
 */
final class StillClient implements AutoCloseable {

    static final int SLOTS = 4;
    static final int SLOT_BYTES = 256;
    static final int CREDITS = 2;
    static final long DEADLINE_NS = 10_000_000;
    static final StubCalls CALLS = new StubCalls(null, CallOptions.DEFAULT, DEADLINE_NS);
    private static final String EVENT_THREAD = "jvrpc-client-server";

    final Time time = new Time();
    final StillDevice device = new StillDevice();
    final List<Thread> threads = new ArrayList<>();
    /** What a thread that is to start meets. */
    Error noThreads;
    final FuzzBodyPool bodies = new FuzzBodyPool(FuzzBodyPool.BODY_BYTES);
    final Peer peer = new Peer();
    final Settings settings = new Settings();
    final ClientCore core;
    /** The same, as sessions know it. */
    final SessionOwner owner;
    final ClientSession session;

    /** Time passes when somebody parks, or when the test says so, and a little with each look. */
    static final class Time implements Clock {

        volatile long nowNs = 1_000_000_000;
        volatile long stepNs;
        /** For how long somebody parked, and what happens meanwhile. */
        final List<Long> parks = new ArrayList<>();
        volatile Runnable whenParked = () -> { };

        @Override
        public long nanoTime() {
            nowNs += stepNs;
            return nowNs;
        }

        @Override
        public void parkNanos(Object blocker, long ns) {
            parks.add(ns);
            nowNs += Math.max(ns, 0);
            whenParked.run();
        }
    }

    /** A message of the client's. */
    record Sent(int slot, int kind, int flags, int method, int callId, int bodyLength, int extensionLength,
            byte[] bytes) {

        /** Returns kind and call, for control messages. */
        String brief() {
            return kind + " " + callId;
        }
    }

    /** The server. */
    static final class Peer extends FuzzBodyPool.Source {

        private static final ByteBuffer[] BODIES = ScriptedLink.bodies(SLOTS, SLOT_BYTES);
        final List<Sent> sent = new ArrayList<>();
        /** What the next message of the client meets. */
        RuntimeException fault;
        /** What the next fetch meets. */
        RuntimeException fetchFault;
        /** Done when a message was sent, before the sender goes on. */
        Runnable whenSent = () -> { };

        /** How often somebody looked for a message, and what happens before the look. */
        int looks;
        Runnable whenLooked = () -> { };
        /** What happens before a message is handed out. */
        Runnable whenPolled = () -> { };
        /** One-way messages are under way, and pieces of long answers. */
        boolean holdsOneWay;
        /** All slots of control messages are under way. */
        volatile boolean holdsControls;
        /** The long requests that lie elsewhere, by their slots. */
        final Body[] described = new Body[SLOTS];
        final List<String> arming = new ArrayList<>();

        Peer() {
            super(BODIES, new byte[0], 0);
        }

        @Override
        protected void fetch(Body into, int offset, int length, long source) {
            if (fetchFault != null) {
                throw fetchFault;
            }
            super.fetch(into, offset, length, source);
        }

        @Override
        public int describe(int slot, Body body) {
            described[slot] = body;
            return super.describe(slot, body);
        }

        @Override
        protected void looked() {
            looks++;
            whenLooked.run();
        }

        @Override
        protected void polled() {
            whenPolled.run();
        }

        @Override
        public boolean isSent(long number) {
            return !holdsOneWay;
        }

        @Override
        public boolean hasControl() {
            return !holdsControls;
        }

        @Override
        public void arm() {
            arming.add("arm");
        }

        @Override
        public void disarm() {
            arming.add("disarm");
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            if (fault != null) {
                throw fault;
            }
            byte[] bytes = new byte[bodyLength];
            if (slot >= 0) {
                body(slot).get(0, bytes);
            }
            sent.add(new Sent(slot, RpcHeader.kind(first), RpcHeader.flags(first), RpcHeader.method(first),
                    RpcHeader.callId(first), RpcHeader.bodyLength(second), RpcHeader.extensionLength(second), bytes));
            whenSent.run();
        }

        Sent last() {
            return sent.get(sent.size() - 1);
        }

        void answers(int callId, Status status, byte[] body) {
            add(RpcHeader.first(RpcHeader.RESPONSE, 0, status.code(), callId), RpcHeader.second(body.length, 0, 0),
                    body);
        }

        void answersLong(int callId, int bytes) {
            add(RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.RENDEZVOUS, 0, callId), RpcHeader.second(bytes, 0, 0),
                    new byte[RpcHeader.DESCRIPTOR_BYTES]);
        }

        void fails(int callId, Status status, String text) {
            answers(callId, status, text(text));
        }

        void controls(int kind, int credits) {
            add(RpcHeader.first(kind, 0, 0, 0), RpcHeader.second(0, credits, 0), new byte[0]);
        }
    }

    StillClient() {
        settings.deadline(Duration.ofNanos(DEADLINE_NS));
        settings.initialSlots(SLOTS); // as many as the server grants at first
        settings.maxBodyBytes(FuzzBodyPool.BODY_BYTES);
        settings.connectTimeout(Duration.ofHours(1));
        settings.environment(new Environment(time, this::thread));
        StillDevices.next(device);
        serve(true);
        core = ClientCore.connect("still://server", settings, List.of());
        owner = core;
        serve(false); // a client is not made without one
        session = newSession(peer);
        core.replace(core.session(), session);
    }

    /** Has whoever connects find a server, or none. */
    void serve(boolean there) {
        device.privateData = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, 1).grant(1 << 20, 1).encode();
        device.connecting = (name, arguments) -> {
            if (there) {
                return device.connection();
            }
            throw new ConnectionException(ConnectionException.Reason.UNREACHABLE, "nobody is there", null);
        };
    }

    /** Has something happen while the event thread sleeps for lack of calls; returns how often it is woken by that. */
    int wakesFromSleep(Runnable meanwhile) {
        int[] woken = new int[1];
        device.whenAwaiting = () -> {
            wakes();
            meanwhile.run();
            woken[0] = wakes();
            core.events().stop();
        };
        core.events().run();
        return woken[0];
    }

    /** Returns how often the event thread was woken since this was asked last. */
    int wakes() {
        return (int) device.did().stream().filter("wakeup"::equals).count();
    }

    ClientSession newSession(Peer other) {
        Hello asked = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.BODY_BYTES);
        return new ClientSession(core, other, bodies, new Hello(asked.protocol(), asked.versions(), SLOTS, SLOT_BYTES,
                CREDITS, FuzzBodyPool.BODY_BYTES, 1), "still");
    }

    /** Makes a session whose server takes several requests in a message, for new calls. */
    ClientSession packing(Peer other) {
        Hello hello = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.BODY_BYTES)
                .grant(FuzzBodyPool.BODY_BYTES, 1);
        ClientSession packing = new ClientSession(core, other, bodies, hello, "still");
        core.replace(core.session(), packing);
        return packing;
    }

    /** A thread that may do something else in the place of its task. */
    private final class Made extends Thread {

        private Runnable instead;

        Made(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }

        @Override
        public void start() {
            if (noThreads != null) {
                throw noThreads;
            }
            threads.add(this);
            if (getName().contains("-memory-")) {
                super.start();
            }
        }

        @Override
        public void run() {
            if (instead != null) {
                instead.run();
            } else {
                super.run();
            }
        }

        void begin(Runnable other) {
            instead = other;
            super.start();
        }
    }

    private Thread thread(Runnable task, String name) {
        return new Made(task, name);
    }

    Thread.State stateOfEventThread() {
        return made(EVENT_THREAD).getState();
    }

    private Made made(String name) {
        return (Made) threads.stream().filter(thread -> thread.getName().equals(name)).findFirst().orElseThrow();
    }

    /** Has a thread that was made do something in the place of its task, once. */
    CompletableFuture<Void> beginOn(String name, Executable what) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        made(name).begin(() -> {
            try {
                what.execute();
                done.complete(null);
            } catch (Throwable t) {
                done.completeExceptionally(t);
            }
        });
        return done;
    }

    /** Has the event thread do something in the place of its rounds, once. */
    CompletableFuture<Void> beginOnEventThread(Executable what) {
        return beginOn(EVENT_THREAD, what);
    }

    /** The same, and waits for that. */
    void onEventThread(Executable what) {
        Await.join(beginOnEventThread(what));
    }

    /** Returns a string as it is on the wire. */
    static byte[] text(String text) {
        ByteBuffer memory = ByteBuffer.allocateDirect(8 * text.length() + 16).order(ByteOrder.LITTLE_ENDIAN);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        writer.writeString(text);
        byte[] bytes = new byte[writer.length()];
        memory.get(0, bytes);
        return bytes;
    }

    /** Claims a slot and writes a call to it. @param invocation null for a plain call */
    ClientSlot write(MethodDescriptor method, ClientInvocation invocation, int bodyBytes) {
        ClientSlot slot = session.tryClaim();
        slot.begin(CALLS, method, method.index(), invocation, time.nowNs + DEADLINE_NS);
        byte[] body = new byte[bodyBytes];
        Arrays.fill(body, (byte) 7);
        for (byte b : body) {
            slot.arguments().writeByte(b);
        }
        return slot;
    }

    ClientInvocation invocation(MethodDescriptor method) {
        return new ClientInvocation(time, List.of(), method, CallOptions.DEFAULT, DEADLINE_NS,
                time.nowNs + DEADLINE_NS);
    }

    /** Returns what a call ended with, which it has. */
    static Object outcome(CompletableFuture<?> call) {
        if (!call.isDone()) {
            throw new AssertionError("the call has not ended");
        }
        return Await.outcome(call);
    }

    /** Polls as a thread does that waits for futures. */
    boolean poll() {
        boolean any = session.tryPoll(ClientEvents.Where.HERE);
        core.events().publishWaiting();
        return any;
    }

    @Override
    public void close() {
        core.close();
    }
}
