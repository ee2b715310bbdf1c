package org.jvrpc.runtime.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call with options or interceptors: what the plain path does without. One thread until it is sent. */
final class ClientInvocation implements ClientContext {

    private static final Logger LOG = LoggerFactory.getLogger(ClientInvocation.class);

    private final Clock clock;
    private final List<ClientInterceptor> interceptors;
    private final MethodDescriptor method;
    private final Metadata metadata = new Metadata();
    private long limitNs;
    private long endNs;
    private BiConsumer<Status, String> listener;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * @param limitNs the time that the call has
     * @param endNs when it is over
     */
    ClientInvocation(
            Clock clock,
            List<ClientInterceptor> interceptors,
            MethodDescriptor method,
            CallOptions options,
            long limitNs,
            long endNs) {
        this.clock = clock;
        this.interceptors = interceptors;
        this.method = method;
        this.limitNs = limitNs;
        this.endNs = endNs;
        options.copyMetadataTo(metadata);
    }

    /** Runs a synchronous or one-way call through the interceptors. */
    void run(Runnable call) {
        RpcException[] failure = new RpcException[1];
        try {
            proceed(0, () -> {
                try {
                    call.run();
                } catch (RpcException e) {
                    failure[0] = e;
                    throw e;
                }
            });
            if (failure[0] != null) { // an interceptor kept it to itself, but there is no answer to return
                throw failure[0];
            }
            ended(Status.OK, null);
        } catch (RpcException e) {
            ended(e.status(), e.getMessage());
            throw e;
        } catch (RuntimeException | Error e) {
            ended(Status.UNKNOWN, e.toString());
            throw e;
        }
    }

    /** Runs the sending of an asynchronous call through the interceptors. */
    void start(Runnable send) {
        try {
            proceed(0, send);
        } catch (RpcException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            ended(Status.UNKNOWN, e.toString());
            throw e;
        }
    }

    private void proceed(int index, Runnable last) {
        if (index == interceptors.size()) {
            last.run();
            return;
        }
        boolean[] once = new boolean[1];
        interceptors.get(index).intercept(this, () -> {
            if (once[0]) {
                throw new IllegalStateException("proceed() was called twice by an interceptor of " + method.fullName());
            }
            once[0] = true;
            proceed(index + 1, last);
        });
        if (!once[0]) {
            throw RpcException.notRun(Status.CANCELLED, "an interceptor did not let the call go on: " + method.fullName());
        }
    }

    /** Tells the listener, once. */
    void ended(Status status, String message) {
        if (ended.compareAndSet(false, true) && listener != null) {
            try {
                listener.accept(status, message);
            } catch (Throwable e) { // it must not end the thread that completes calls
                LOG.warn("listener for the end of {} threw", method.fullName(), e);
            }
        }
    }

    @Override
    public MethodDescriptor method() {
        return method;
    }

    @Override
    public Metadata metadata() {
        return metadata;
    }

    @Override
    public long deadlineNs() {
        return Deadline.leftNs(clock, endNs);
    }

    @Override
    public void deadlineNs(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("deadlineNs must be positive, deadlineNs=" + value);
        }
        limitNs = value;
        endNs = Deadline.after(clock, value);
    }

    /** Returns the nanoseconds that the call had from when they were last set. */
    long limitNs() {
        return limitNs;
    }

    /** Returns when the call's time is over, on the clock of its client. */
    long endNs() {
        return endNs;
    }

    @Override
    public void whenEnded(BiConsumer<Status, String> consumer) {
        listener = listener == null ? consumer : listener.andThen(consumer);
    }
}
