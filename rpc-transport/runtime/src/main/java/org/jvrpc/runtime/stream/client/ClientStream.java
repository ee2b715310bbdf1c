package org.jvrpc.runtime.stream.client;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.StreamSession;
import org.jvrpc.runtime.stream.piece.Beside;
import org.jvrpc.runtime.stream.piece.Failure;

/** A call with streams, from when it is made to its end. */
final class ClientStream extends Stream {

    private static final int RESULT = 5;
    private static final int OPEN = 2;
    private static final int ERROR = 6;
    private static final int TRAILERS = 11;

    private final ClientInvocation invocation;
    private final ObjectCodec objects;
    private final ResultReader<Void> declared;
    /** Null where nothing is counted. */
    private final Endpoint counters;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile RpcException failure;
    private volatile Answer answer;
    /** Whoever polls. */
    private boolean trailed;

    /** What hears of an answer that is no stream. Whoever polls, or whoever ends the call. */
    interface Answer {

        /** The call has a result, or a declared exception, which lies in {@code bytes} behind so many. */
        void answered(ByteBuffer bytes, int offset, int thrown);

        /** It has none. */
        void failed(RpcException cause);
    }

    /** @param declared reads a declared exception that a result's stream ends with; null for none */
    ClientStream(StreamSession session, ClientInvocation invocation, ObjectCodec objects,
            ResultReader<Void> declared, Endpoint counters) {
        super(session);
        this.counters = counters;
        this.invocation = invocation;
        this.objects = objects;
        this.declared = declared;
    }

    /** Has it receive a stream. Before {@link #start}. */
    void receiveElements(int fixed) {
        receive(fixed);
    }

    /** Has it receive an answer that is no stream. Before {@link #start}. */
    void receiveAnswer(Answer listener) {
        answer = listener;
    }

    /** Makes the call. @param head what {@link StreamClient} writes, borrowed from the session's memory */
    void start(ByteBuffer head, int length) {
        sendFirst(OPEN, head, length);
    }

    /** Begins to send its argument; see {@link Stream#produce}. */
    <T> Runnable argument(Flow.Publisher<T> publisher, StreamCodec<T> codec) {
        return produce(publisher, codec, objects);
    }

    boolean isOver() {
        return over.get();
    }

    @Override
    protected void message(int kind, ByteBuffer bytes, int length) {
        if (kind == RESULT && answer != null) {
            if (finish(Status.OK, null)) {
                answer.answered(bytes, 0, 0);
            }
        } else if (kind == ERROR) {
            error(bytes);
        } else if (kind == TRAILERS && !trailed) {
            trailed = true;
            invocation.responded(Beside.read(bytes, 0, length).metadata());
        } else {
            throw new IllegalStateException("message makes no sense: kind=" + kind);
        }
    }

    private void error(ByteBuffer bytes) {
        int thrown = Failure.thrown(bytes);
        if (thrown == 0) {
            RpcException cause = Failure.read(bytes);
            end(cause, cause, cause.getMessage());
        } else if (leave()) {
            Endpoint.thrown(counters, invocation.method());
            invocation.ended(Status.OK, null);
            if (answer != null) {
                answer.answered(bytes, Failure.HEAD_BYTES, thrown);
            } else {
                endInflow(readDeclared(bytes, thrown));
            }
        }
    }

    private Throwable readDeclared(ByteBuffer bytes, int thrown) {
        if (declared == null) {
            return new RpcException(Status.INTERNAL, "method declares no exception number=" + thrown);
        }
        WireReader in = new WireReader();
        in.reset(bytes, Failure.HEAD_BYTES, bytes.limit() - Failure.HEAD_BYTES, objects);
        try {
            declared.read(in, thrown);
            return new RpcException(Status.INTERNAL, "method declares no exception number=" + thrown);
        } catch (Throwable t) {
            return t;
        }
    }

    @Override
    protected void ended() {
        if (finish(Status.OK, null)) {
            endInflow(null);
            if (answer != null) {
                answer.failed(new RpcException(Status.INTERNAL, "server ends a call without its result"));
            }
        }
    }

    /** The server takes no more of the argument. */
    @Override
    protected void cancelled() {
        dropOutflow();
    }

    private void end(RpcException cause, Throwable told, String message) {
        failure = cause;
        if (finish(cause.status(), message)) {
            endInflow(told);
            if (answer != null) {
                answer.failed(cause);
            }
        }
    }

    /** Returns true when it has just ended. */
    private boolean finish(Status status, String message) {
        boolean now = leave();
        if (now) {
            Endpoint.ended(counters, invocation.method(), status);
            invocation.ended(status, message);
        }
        return now;
    }

    private boolean leave() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        sendNothing();
        session().table().remove(this);
        return true;
    }

    /** Gives the call up, and tells the server where it may hear of it. Any thread. */
    @Override
    public void fail(RpcException cause) {
        if (over.get()) {
            return;
        }
        boolean unheard = sendCancel();
        if (over.compareAndSet(false, true)) {
            RpcException told = unheard ? Failure.notRun(cause) : cause;
            failure = told;
            session().table().remove(this);
            if (session().isOver()) {
                sendNothing();
            } else {
                dropOutflow();
            }
            Endpoint.ended(counters, invocation.method(), told.status());
            invocation.ended(told.status(), told.getMessage());
            endInflow(told);
            if (answer != null) {
                answer.failed(told);
            }
        }
    }

    @Override
    protected void stopReceiving(String why) {
        fail(new RpcException(Status.CANCELLED, why));
        closeInflow(failure);
    }

    @Override
    protected void outgoingEnded() {
        sendEnd();
    }

    @Override
    protected void outgoingFailed(Throwable cause) {
        RpcException told = cause instanceof RpcException known ? known
                : new RpcException(Status.UNKNOWN, cause.toString(), cause);
        ByteBuffer bytes = Failure.of(told.status(), told, false);
        sendLast(ERROR, bytes, bytes.limit());
    }

    @Override
    protected RpcException failure() {
        return failure;
    }

    @Override
    protected Executor executor() {
        return null;
    }

    @Override
    protected RpcContext above() {
        return invocation.above();
    }

    @Override
    protected boolean isCancelTheEnd() {
        return true;
    }
}
