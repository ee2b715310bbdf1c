package org.jvrpc.runtime.service;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who are told how a handler's work ended, once. Made by the thread that runs the handler; told by any. */
public final class CallEnd {

    private static final Logger LOG = LoggerFactory.getLogger(CallEnd.class);

    private final HandledCall call;
    private final AtomicBoolean told = new AtomicBoolean();
    private BiConsumer<Status, String> listeners;

    CallEnd(HandledCall call, BiConsumer<Status, String> first) {
        this.call = call;
        this.listeners = first;
    }

    void and(BiConsumer<Status, String> next) {
        listeners = listeners.andThen(next);
    }

    /** The handler's work ended. */
    public void tell(Status status, String message) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        try {
            listeners.accept(status, message);
        } catch (Throwable t) { // it must not end the thread that ends calls
            LOG.warn("listener for the end of a handled call threw", t);
        }
    }

    /** The handler's work failed. */
    void fail(Throwable thrown) {
        RpcException e = Failures.toRpcUnlogged(thrown);
        tell(call.blame(e.status()), e.getMessage());
    }

    /** Returns what tells once the result of a stage is written. */
    <R> Told<R> around(ServerCall.ResultWriter<R> writer) {
        return new Told<>(this, writer);
    }

    /** A writer of a result whose end is told of. */
    static final class Told<R> implements ServerCall.ResultWriter<R> {

        private final CallEnd end;
        private final ServerCall.ResultWriter<R> writer;

        private Told(CallEnd end, ServerCall.ResultWriter<R> writer) {
            this.end = end;
            this.writer = writer;
        }

        @Override
        public void write(ServerCall call, R result, Throwable thrown) throws Throwable {
            try {
                writer.write(call, result, thrown);
            } catch (Throwable t) {
                end.fail(t);
                throw t;
            }
            end.tell(Status.OK, null);
        }
    }

    /** What a stage completed with is not written, as its session has ended: tells those who wait for that. */
    public static void unwritten(ServerCall.ResultWriter<?> writer) {
        if (writer instanceof Told<?> told) {
            told.end.tell(Status.CANCELLED, "the session ended before the answer was there");
        }
    }
}
