package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.FuzzBodies;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.connection.DrainingSessions;
import org.jvrpc.runtime.connection.SessionFactory;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.ScriptedLink;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.OwnersClock;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any messages of a server at a client's session. The first byte says how time passes and how the client polls; eight
 * more say which calls it makes, {@code kind:3 | variant:1 | begun after so many messages:4}, by turns in four slots;
 * the messages follow. Each call ends once, with its own answer or an {@link RpcException}; no more is sent than
 * credits came for; a session ends for the server's wrongs alone; another serves the next good call; no memory is kept.
 */
public final class ClientSessionFuzz {

    private static final int OPS = 8;
    private static final int OP_SLOTS = 4;
    private static final int SLOTS = OP_SLOTS + 1; // the good call finds one
    private static final int SLOT_BYTES = 256;
    private static final int CREDITS = 2;
    private static final int LEAPS = 1;
    private static final int ONE_BY_ONE = 2;
    private static final long STEP_NS = 100_000;
    private static final long LEAP_NS = 20_000_000;
    private static final Duration DEADLINE = Duration.ofMillis(10);
    private static final int MOST_POLLS = 20_000;
    /** Metadata of thousands of entries is 0.8 MB, for which the fuzzer's own hooks of strings allocate 5 MB more. */
    private static final int MOST_BYTES = 8 << 20;
    private static final byte[] SHORT = {1, 2, 3};
    private static final byte[] LONG = new byte[2 * SLOT_BYTES];
    private static final ByteBuffer[] BODIES = ScriptedLink.bodies(SLOTS, SLOT_BYTES);
    private static final OwnersClock CLOCK = new OwnersClock();
    private static ClientCore client;
    private static SessionFactory factory;
    private static DrainingSessions draining;
    /** Calls that ended with an answer, among them the good ones of sessions that went on. */
    static int answered;

    private final Peer peer;
    private final FuzzBodyPool bodies = new FuzzBodyPool(FuzzBodyPool.BODY_BYTES);
    private final ClientSession session;
    private final byte[] ops = new byte[OPS];
    private final boolean[] begun = new boolean[OPS];
    private final boolean oneByOne;
    private final List<Pending> pending = new ArrayList<>();
    /** Until what was left last to the thread that makes memory is done. */
    private CountDownLatch memory = new CountDownLatch(0);
    /** The next poll finds the answer that it was made for, perhaps. */
    private boolean memoryCame;

    private ClientSessionFuzz(byte[] input) {
        CLOCK.own(this::makesMemory);
        int how = input.length == 0 ? 0 : input[0];
        oneByOne = (how & ONE_BY_ONE) != 0;
        CLOCK.step((how & LEAPS) != 0 ? LEAP_NS : STEP_NS);
        System.arraycopy(input, Math.min(1, input.length), ops, 0, Math.max(0, Math.min(OPS, input.length - 1)));
        peer = new Peer(input);
        Hello asked = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, FuzzBodyPool.BODY_BYTES);
        session = new ClientSession(client, peer, bodies, new Hello(asked.protocol(), asked.versions(), SLOTS,
                SLOT_BYTES, CREDITS, FuzzBodyPool.BODY_BYTES, 1), "fuzz");
    }

    /** The client has no event thread: the target does what it does. Long memory is made by a thread, as ever. */
    private static Thread thread(Runnable task, String name) {
        boolean makesMemory = name.contains("-memory-");
        Thread thread = new Thread(task, name) {
            @Override
            public void start() {
                if (makesMemory) {
                    super.start();
                }
            }
        };
        thread.setDaemon(true);
        return thread;
    }

    public static void fuzzerInitialize() {
        CLOCK.own(() -> false);
        System.setProperty("org.slf4j.simpleLogger.log." + SessionOwner.class.getName(), "off"); // each input's end
        Settings settings = new Settings();
        settings.maxBodyBytes(FuzzBodyPool.BODY_BYTES);
        settings.deadline(DEADLINE);
        settings.connectTimeout(Duration.ofHours(1));
        settings.environment(new Environment(CLOCK, ClientSessionFuzz::thread));
        RpcServer server = RpcServer.builder().bind(ShmFolder.address())
                .service(Calls.class, FuzzBodies.harmless()).start();
        client = ClientCore.connect(server.address(), settings, List.of());
        server.shutdownNow(); // a client is not made without one
        factory = new SessionFactory(server.address(), settings);
        draining = new DrainingSessions(CLOCK);
    }

    public static void fuzzerTearDown() {
        client.close();
        factory.close();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        FuzzCheck.allocates(MOST_BYTES, () -> new ClientSessionFuzz(input).run());
    }

    private void run() {
        int polls = 0;
        while (begin() | poll()) {
            FuzzCheck.that(polls++ < MOST_POLLS, "it never ends");
        }
        if (session.isLost()) {
            FuzzCheck.that(peer.failure() != null, session.lost());
        } else {
            callWell();
        }
        end();
        pending.forEach(Pending::check);
        FuzzCheck.that(bodies.isWhole() && peer.isClosed(), "memory is kept");
        FuzzCheck.done();
    }

    /** Polls for what comes next, and does what an event thread does. */
    private boolean poll() {
        boolean any;
        if (oneByOne) {
            session.lock();
            try {
                any = session.pollOnce(null) > 0;
                any |= session.longAnswers().poll();
            } finally {
                session.unlock();
            }
        } else {
            any = session.tryPoll(ClientEvents.Where.HERE);
        }
        if (makesMemory() | memoryCame) {
            Await.latch("memory", memory);
            memoryCame = false;
            any = true;
        }
        client.events().publishWaiting();
        session.tick(CLOCK.nanoTime());
        return any;
    }

    /** Returns true while memory is made for a long answer. */
    private boolean makesMemory() {
        if (bodies.wasLeft()) {
            memory = new CountDownLatch(1);
            memoryCame = true;
            ((SessionOwner) client).allocate(memory::countDown); // behind what was left
        }
        return memory.getCount() > 0;
    }

    private void end() {
        session.end();
        client.events().publishWaiting();
        draining.add(session);
        draining.lookAfter(factory);
        FuzzCheck.that(draining.isEmpty(), "a call is left");
    }

    // ---- calls

    /** Begins the calls whose time has come; true for any. */
    private boolean begin() {
        boolean any = false;
        for (int i = 0; i < OPS; i++) {
            ClientSlot slot = session.attendance().slots().all()[i % OP_SLOTS];
            int after = ops[i] >> 4 & 0xf;
            if (!begun[i] && after <= peer.messages && !session.isLost() && slot.tryClaim()) {
                begun[i] = true;
                any = true;
                begin(slot, ops[i] & 7, (ops[i] & 8) != 0);
            }
            Thread.interrupted();
        }
        return any;
    }

    private void begin(ClientSlot slot, int kind, boolean variant) {
        switch (kind) {
            case 1 -> async(slot, CallsService.ECHO, SHORT, variant);
            case 2 -> cancelled(async(slot, CallsService.ECHO_HEAVY, SHORT, false), variant);
            case 3 -> sync(slot, SHORT, variant);
            case 4 -> oneWay(slot, variant);
            case 5 -> async(slot, CallsService.ECHO, LONG, variant);
            case 6 -> {
                Thread.currentThread().interrupt();
                sync(slot, LONG, variant);
            }
            case 7 -> open(slot);
            default -> slot.abandon(new IllegalStateException()); // its arguments were not to be written
        }
    }

    /** @param invoked as with options of its own */
    private void write(ClientSlot slot, MethodDescriptor method, byte[] body, boolean invoked) {
        long endNs = CLOCK.nanoTime() + DEADLINE.toNanos();
        ClientInvocation invocation = invoked
                ? new ClientInvocation(CLOCK, List.of(), method, CallOptions.DEFAULT, DEADLINE.toNanos(), endNs) : null;
        slot.begin(StillClient.CALLS, method, method.index(), invocation, endNs);
        try {
            slot.arguments().writeBytes(body);
        } catch (RuntimeException | Error e) {
            throw slot.abandon(e);
        }
    }

    /** Returns null when the call was not begun. */
    private Pending async(ClientSlot slot, MethodDescriptor method, byte[] body, boolean invoked) {
        try {
            write(slot, method, body, invoked);
        } catch (RpcException e) {
            return null; // no memory
        }
        Pending call = new Pending(slot.callId());
        pending.add(call);
        call.future = slot.invokeAsync(call::read);
        return call;
    }

    private void cancelled(Pending call, boolean atOnce) {
        if (call == null) {
            return;
        }
        if (!atOnce) {
            poll();
        }
        call.cancelled = call.future.cancel(true);
    }

    private void sync(ClientSlot slot, byte[] body, boolean invoked) {
        try {
            write(slot, CallsService.ECHO, body, invoked);
            int callId = slot.callId();
            try {
                WireReader in = slot.invoke();
                peer.check(callId, Answer.of(in, slot.thrown()));
            } finally {
                slot.close();
            }
        } catch (RpcException e) {
            return; // so it may end
        }
    }

    private void oneWay(ClientSlot slot, boolean invoked) {
        try {
            write(slot, CallsService.TELL, SHORT, invoked);
            slot.send();
        } catch (RpcException e) {
            return; // no credit, or no session
        }
    }

    /** Opens a service, in any slot. */
    private void open(ClientSlot slot) {
        slot.abandon(new IllegalStateException());
        try {
            var bound = client.unopened(new CallsService(), null, CallOptions.DEFAULT)
                    .bind(session, CLOCK.nanoTime() + DEADLINE.toNanos());
            int last = bound == null ? 0 : bound.base() + new CallsService().methods().size() - 1;
            FuzzCheck.that(last >= 0 && last < RpcHeader.OPEN, "methods up to " + last);
        } catch (RpcException e) {
            return; // the server does not have it
        }
    }

    private void callWell() {
        peer.answersWell();
        pollAll(); // late answers free the slots of calls that were given up
        ClientSlot slot = session.tryClaim();
        FuzzCheck.that(slot != null, "all calls are answered, and no slot is free");
        write(slot, CallsService.ECHO, SHORT, false);
        int callId = slot.callId();
        WireReader in = slot.invoke();
        peer.check(callId, Answer.of(in, slot.thrown()));
        slot.close();
        slot = session.tryClaim();
        Pending call = async(slot, CallsService.ECHO, SHORT, false);
        pollAll();
        FuzzCheck.that(call.future.isDone() && !call.future.isCompletedExceptionally(), "a good call is not answered");
    }

    private void pollAll() {
        while (poll()) {
            FuzzCheck.that(!session.isLost(), session.lost());
        }
    }

    /** An asynchronous call. */
    private final class Pending {

        private final int callId;
        private CompletableFuture<Answer> future;
        private boolean cancelled;
        private int reads;

        Pending(int callId) {
            this.callId = callId;
        }

        Answer read(WireReader in, int thrown) {
            FuzzCheck.that(reads++ == 0, "two answers to one call");
            return Answer.of(in, thrown);
        }

        void check() {
            FuzzCheck.that(future.isDone(), "a call never ends");
            future.whenComplete((answer, error) -> {
                if (error == null) {
                    peer.check(callId, answer);
                } else {
                    FuzzCheck.that(error instanceof RpcException || cancelled && error instanceof CancellationException,
                            error);
                }
            });
        }
    }

    /** What there is of an answer: enough to tell it from another. */
    private record Answer(int thrown, int length, long head) {

        static Answer of(WireReader in, int thrown) {
            int length = in.remaining();
            long head = 0;
            for (int i = 0; i < Math.min(length, Long.BYTES); i++) {
                head = head << Byte.SIZE | in.readByte() & 0xff;
            }
            return new Answer(thrown, length, head);
        }
    }

    /** What the server said, and heard. */
    private static final class Peer extends FuzzBodyPool.Source {

        private final byte[] script;
        /** By the calls that were sent: the answer of each, or null. */
        private final Map<Integer, Answer> answers = new HashMap<>();
        private int messages;
        private int given = CREDITS;
        private int used;
        private boolean answersWell;

        Peer(byte[] input) {
            super(BODIES, input, 1 + OPS);
            this.script = input;
        }

        void check(int callId, Answer answer) {
            FuzzCheck.that(answer.equals(answers.get(callId)), answer + " instead of " + answers.get(callId));
            answered++;
        }

        /** Answers the calls that were not, and from now on each. */
        void answersWell() {
            answersWell = true;
            answers.forEach((callId, answer) -> {
                if (answer == null) {
                    answerWell(callId);
                }
            });
        }

        @Override
        protected void polled() {
            messages++;
            if (RpcHeader.kind(first()) == RpcHeader.CREDIT) {
                given += RpcHeader.credits(second());
            } else if (RpcHeader.kind(first()) == RpcHeader.RESPONSE) {
                parts().forEach(this::answered);
            }
        }

        private void answered(Part part) {
            given += RpcHeader.credits(part.second());
            if (answers.containsKey(RpcHeader.callId(part.first()))) {
                answers.putIfAbsent(RpcHeader.callId(part.first()), answer(part));
            }
        }

        private Answer answer(Part part) {
            int flags = RpcHeader.flags(part.first());
            int at = part.at();
            int length = part.length();
            ByteBuffer body = payload();
            if ((flags & RpcHeader.RENDEZVOUS) != 0) {
                body = ByteBuffer.allocate(Long.BYTES);
                if (length >= Long.BYTES) {
                    int from = (int) Math.min(Long.reverseBytes(payload().getLong(at)) & 0xffff, script.length);
                    body.put(0, script, from, Math.min(Long.BYTES, script.length - from));
                }
                at = 0;
                length = RpcHeader.bodyLength(part.second());
            }
            long head = 0;
            for (int i = 0; i < Math.min(length, Long.BYTES); i++) {
                head = head << Byte.SIZE | body.get(at + i) & 0xff;
            }
            return new Answer((flags & RpcHeader.THROWN) != 0 ? RpcHeader.method(part.first()) : 0, length, head);
        }

        @Override
        protected void sent(int slot, long first, long second, int bodyLength) {
            int kind = RpcHeader.kind(first);
            FuzzCheck.that(bodyLength >= 0 && bodyLength <= SLOT_BYTES, "bytes=" + bodyLength);
            if (kind != RpcHeader.REQUEST) {
                used++;
                FuzzCheck.that(used <= given, "credits given=" + given + " used=" + used);
                return;
            }
            FuzzCheck.that(!answers.containsKey(RpcHeader.callId(first)), "two calls of one number");
            answers.put(RpcHeader.callId(first), null);
            if (answersWell) {
                answerWell(RpcHeader.callId(first));
            }
        }

        private void answerWell(int callId) {
            add(RpcHeader.first(RpcHeader.RESPONSE, 0, 0, callId), RpcHeader.second(SHORT.length, 0, 0), SHORT);
        }
    }
}
