package org.jvrpc.runtime.stream.server;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.stream.IncomingPublisher;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.piece.Failure;

/** A call with streams at the server, from its opening to its end. */
final class ServerStream extends Stream {

    private static final int OPEN = 2;
    private static final int RESULT = 5;
    private static final int ERROR = 6;
    private static final int TRAILERS = 11;

    private final ServerStreamSession session;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile RpcException failure;
    /** Its elements' end is the call's. */
    private volatile boolean ending;
    private volatile ServiceTable.Method method;
    private volatile HandledStream call;
    private volatile Gate.Held held;
    /** What waits for the executor: its handler, or what writes its elements. */
    private volatile StreamHost.Place place;
    private boolean begun;
    /** Its OPEN has come, whatever that said. Whoever polls. */
    private boolean opened;

    ServerStream(ServerStreamSession session) {
        super(session);
        this.session = session;
    }

    ServerStreamSession host() {
        return session;
    }

    // ---- its beginning

    @Override
    protected void message(int kind, ByteBuffer bytes, int length) {
        if (kind == OPEN && !opened) {
            opened = true;
            open(bytes);
        } else if (kind == ERROR && opened) {
            endInflow(Failure.read(bytes));
        } else {
            throw new IllegalStateException("message makes no sense: kind=" + kind);
        }
    }

    private void open(ByteBuffer bytes) {
        try {
            call = HandledStream.read(this, bytes);
            method = call.target();
            if (method.descriptor().streams().argument()) {
                receive(-1);
            }
            long leftNs = call.remainingNs();
            endNs(leftNs == Long.MAX_VALUE ? 0 : Math.max(1, session.clock().nanoTime() + leftNs));
            session.streams().checkTaken();
            letIn(bytes.limit());
            if (session.isOver()) { // whoever ended it may not have found this one
                fail(new RpcException(Status.UNAVAILABLE, "connection is lost"));
                return;
            }
            begin();
        } catch (RpcException e) {
            refuse(e);
        }
    }

    /** @throws RpcException when its caller may not make it */
    private void letIn(int bytes) {
        session.expectWelcome();
        if (session.gate().isWatching()) {
            Gate.Held pass = session.letIn(method.descriptor(), call.metadata(), bytes);
            held = pass;
            call.pass(pass.pass());
            if (over.get()) {
                pass.close();
            }
        }
    }

    private void begin() {
        if (method.descriptor().heavy()) {
            await(call, this::refuse);
        } else {
            tellLater();
        }
    }

    /** A light handler runs where users are told of what comes. */
    @Override
    protected void run() {
        if (!begun && !method.descriptor().heavy()) {
            begun = true;
            call.run();
        }
        super.run();
    }

    @Override
    protected Executor executor() {
        ServiceTable.Method known = method;
        return known != null && known.descriptor().heavy() ? session.streams().host().executor() : null;
    }

    /** Ends the call before its handler has run, which it never does then. Any thread. */
    void refuse(RpcException why) {
        if (call != null) {
            call.claim();
        }
        ByteBuffer bytes = Failure.of(why.status(), why, true);
        sendException(bytes, bytes.limit(), null);
    }

    // ---- what the handler does

    /** Returns the argument. */
    <T> Flow.Publisher<T> elements(StreamCodec<T> codec) {
        receives(codec.fixedBytes());
        return new IncomingPublisher<T>(codec, method.objects()) {
            @Override
            protected Stream stream() {
                return ServerStream.this;
            }

            @Override
            protected void begin(Stream stream) {
                // it comes already
            }
        };
    }

    /** Sends what a publisher brings. */
    <T> void publish(Flow.Publisher<T> publisher, StreamCodec<T> codec) {
        Runnable writing = produce(publisher, codec, method.objects());
        if (writing == null) {
            return;
        }
        if (call.isHeavyThread()) {
            writing.run();
        } else {
            await(RpcContext.of(call).wrap(writing), call::failed);
        }
    }

    /** Has something run by the executor, unless it is over before. */
    private void await(Runnable work, Consumer<RpcException> refused) {
        place = session.line().execute(work, refused);
        if (over.get()) {
            place.leave();
        }
    }

    /** @param beside what travels beside the end, or null */
    void sendResult(ByteBuffer bytes, int length, ByteBuffer beside) {
        end(RESULT, bytes, length, beside);
    }

    /**
     * @param bytes what {@link Failure} says
     * @param beside what travels beside the end, or null
     */
    void sendException(ByteBuffer bytes, int length, ByteBuffer beside) {
        end(ERROR, bytes, length, beside);
    }

    private void end(int kind, ByteBuffer bytes, int length, ByteBuffer beside) {
        if (over.compareAndSet(false, true)) {
            if (kind == ERROR && Failure.thrown(bytes) > 0) {
                Endpoint.thrown(session.streams().host().counters(), descriptor());
            } else {
                count(kind == RESULT ? Status.OK : Failure.status(bytes));
            }
            closeInflow(new RpcException(Status.CANCELLED, "the call has ended"));
            beside(TRAILERS, beside);
            sendLast(kind, bytes, length);
        }
    }

    private void count(Status status) {
        Endpoint.ended(session.streams().host().counters(), descriptor(), status);
    }

    private MethodDescriptor descriptor() {
        ServiceTable.Method known = method;
        return known == null ? null : known.descriptor();
    }

    /** Its handler has failed, or what that publishes. */
    void sendFailure(Status status, RpcException cause, ByteBuffer beside) {
        ByteBuffer bytes = Failure.of(status, cause, false);
        sendException(bytes, bytes.limit(), beside);
    }

    @Override
    protected void stopReceiving(String why) {
        if (!over.get()) {
            sendCancel();
        }
        closeInflow(new RpcException(Status.CANCELLED, why));
    }

    @Override
    protected void outgoingEnded() {
        ByteBuffer beside;
        try {
            beside = call.beside();
        } catch (RpcException e) {
            outgoingFailed(e);
            return;
        }
        if (over.compareAndSet(false, true)) {
            ending = true;
            count(Status.OK);
            call.tellEnd(Status.OK, null);
            closeInflow(new RpcException(Status.CANCELLED, "the call has ended"));
            beside(TRAILERS, beside);
            sendEnd();
            if (failure != null) { // its elements were dropped meanwhile, and their end with them
                vanish();
            }
        }
    }

    @Override
    protected void outgoingFailed(Throwable cause) {
        call.failed(cause);
    }

    // ---- what the client does

    @Override
    protected void ended() {
        endInflow(null);
    }

    @Override
    protected void cancelled() {
        fail(new RpcException(Status.CANCELLED, "caller gave up"), false);
    }

    /** The client is gone, or the time is over, or the handler's wait. Any thread. */
    @Override
    public void fail(RpcException cause) {
        fail(cause, !session.isOver());
    }

    /** @param tell false where the client does not wait for an end any more */
    private void fail(RpcException cause, boolean tell) {
        HandledStream now = call;
        boolean notRun = now == null || now.claim();
        boolean first = over.compareAndSet(false, true);
        if (first) {
            count(cause.status());
        }
        if (first || failure == null) {
            failure = cause;
        }
        StreamHost.Place waiting = place;
        if (waiting != null) {
            waiting.leave();
        }
        if (now != null) {
            now.cancel(); // behind that: its handler's wait fails by this, and is not to tell the client so
            now.tellEnd(cause.status(), cause.getMessage());
        }
        dropOutflow();
        closeInflow(cause);
        if (tell && first) {
            ByteBuffer bytes = Failure.of(cause.status(), cause, notRun);
            sendLast(ERROR, bytes, bytes.limit());
        } else if (!tell || ending) { // else what came first is on its way
            vanish();
        }
    }

    /** Nothing is sent any more, and it is no stream of the session. */
    void vanish() {
        sendNothing();
        leave();
    }

    @Override
    protected RpcException failure() {
        return failure;
    }

    @Override
    protected void allSent() {
        leave();
    }

    /** Returns true when its call has ended. Any thread. */
    boolean isOver() {
        return over.get();
    }

    /** It is no stream of the session any more. Idempotent. */
    void leave() {
        session.table().remove(this);
        Gate.Held pass = held;
        if (pass != null) {
            pass.close();
        }
    }

    @Override
    protected boolean isCancelTheEnd() {
        return false;
    }
}
