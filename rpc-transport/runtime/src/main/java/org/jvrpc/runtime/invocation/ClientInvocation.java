package org.jvrpc.runtime.invocation;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call with options or interceptors: what the plain path does without. One thread until it is sent. */
public final class ClientInvocation implements ClientContext {

    private static final Logger LOG = LoggerFactory.getLogger(ClientInvocation.class);

    private final Clock clock;
    private List<ClientInterceptor> interceptors;
    private final MethodDescriptor method;
    private final Metadata metadata = new Metadata();
    private final Consumer<Metadata> responseListener;
    /** What travelled beside the answer, null where nothing did: written before the call ends. */
    private volatile Metadata response;
    private ObjectCodec layouts;
    /** The call that this one is made for, or null. */
    private RpcContext above;
    private long limitNs;
    private long endNs;
    private BiConsumer<Status, String> listener;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** The connection by which an attempt goes, of several; null where there is one. */
    private Object way;
    /** Those that refused earlier attempts of the same call; null for none. */
    private List<Object> refusers;
    /** The call was begun, and did not say that its handler did not run. */
    private boolean mayHaveRun;

    /**
     * @param limitNs the time that the call has
     * @param endNs when it is over
     */
    public ClientInvocation(
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
        this.responseListener = options.responseMetadata();
        options.copyMetadataTo(metadata);
    }

    /**
     * Bounds this call by the one that its thread works for, if there is one, before it begins.
     *
     * @throws RpcException CANCELLED when that is cancelled
     */
    public void within(RpcContext context) {
        if (context == null) {
            return;
        }
        above = context;
        if (context.isCancelled()) {
            throw RpcException.notRun(Status.CANCELLED, "the call that it is made for is cancelled: "
                    + method.fullName());
        }
        long leftNs = context.remainingNs();
        if (leftNs < deadlineNs()) {
            limitNs = Math.max(1, leftNs);
            endNs = Deadline.after(clock, leftNs);
        }
    }

    /** Returns the call that this one is made for, or null. Any thread. */
    public RpcContext above() {
        return above;
    }

    /** Returns true when the call that this one is made for is cancelled. Any thread. */
    public boolean isCancelledAbove() {
        return above != null && above.isCancelled();
    }

    /** Adds interceptors of the way that is taken, behind those that there are. Before it runs. */
    public void innermost(List<ClientInterceptor> added) {
        if (!added.isEmpty()) {
            interceptors = Stream.concat(interceptors.stream(), added.stream()).toList();
        }
    }

    /** Returns what the arguments were written with, null where they are not written yet. */
    public ObjectCodec layouts() {
        return layouts;
    }

    /**
     * Makes one attempt of this call, with a copy of its metadata and the time that is left to it.
     *
     * @param written what its arguments were written with
     */
    public ClientInvocation attempt(ObjectCodec written) {
        ClientInvocation attempt = new ClientInvocation(
                clock, List.of(), method, CallOptions.DEFAULT, Math.max(1, deadlineNs()), endNs);
        attempt.metadata.putAll(metadata);
        attempt.layouts = written;
        attempt.above = above;
        return attempt;
    }

    /** This attempt goes by a connection. The thread that begins it. */
    public void goesBy(Object connection) {
        way = connection;
    }

    /** Returns the connection by which this attempt went, or null. */
    public Object way() {
        return way;
    }

    /** This attempt is better made by other connections than these; null for any. Before it begins. */
    public void avoid(List<Object> connections) {
        refusers = connections;
    }

    /** Returns true when an earlier attempt was refused there. */
    public boolean avoids(Object connection) {
        return refusers != null && refusers.contains(connection);
    }

    /** The attempt was the last: what travelled beside its answer is this call's. */
    public void adopt(ClientInvocation attempt) {
        response = attempt.response;
    }

    /** What travelled beside the answer, which comes next. The thread that takes it. */
    public void responded(Metadata came) {
        response = came;
    }

    @Override
    public Metadata responseMetadata() {
        Metadata came = response;
        return came == null ? new Metadata() : came;
    }

    /** Runs a synchronous or one-way call through the interceptors. */
    public void run(Runnable call) {
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
            throw ofThisCall(e);
        } catch (RuntimeException | Error e) {
            ended(Status.UNKNOWN, e.toString());
            throw e;
        }
    }

    /** Runs the sending of an asynchronous call through the interceptors. */
    public void start(Runnable send) {
        try {
            proceed(0, send);
        } catch (RpcException e) {
            throw ofThisCall(e);
        } catch (RuntimeException | Error e) {
            ended(Status.UNKNOWN, e.toString());
            throw e;
        }
    }

    /**
     * What an interceptor throws behind a call may be another call's, whose handler did not run where this one's did.
     */
    private RpcException ofThisCall(RpcException e) {
        return mayHaveRun ? e.thatMayHaveRun() : e;
    }

    private void send(Runnable last) {
        mayHaveRun = true;
        try {
            last.run();
        } catch (RpcException e) {
            mayHaveRun = e.mayHaveRun();
            throw e;
        }
    }

    private void proceed(int index, Runnable last) {
        if (index == interceptors.size()) {
            send(last);
            return;
        }
        boolean[] once = new boolean[1];
        AtomicBoolean returned = new AtomicBoolean();
        try {
            interceptors.get(index).intercept(this, () -> next(index, last, once, returned));
        } finally {
            returned.set(true);
        }
        if (!once[0]) {
            throw RpcException.notRun(Status.CANCELLED,
                    "an interceptor did not let the call go on: " + method.fullName());
        }
    }

    private void next(int index, Runnable last, boolean[] once, AtomicBoolean returned) {
        if (returned.get()) { // the caller was told so, and the slot is another call's
            throw new IllegalStateException("proceed() was called behind the end of an interceptor of "
                    + method.fullName());
        }
        if (once[0]) {
            throw new IllegalStateException("proceed() was called twice by an interceptor of " + method.fullName());
        }
        once[0] = true;
        proceed(index + 1, last);
    }

    /** Tells the listeners, once. */
    public void ended(Status status, String message) {
        if (ended.compareAndSet(false, true)) {
            if (responseListener != null) {
                tell(() -> responseListener.accept(responseMetadata()));
            }
            if (listener != null) {
                tell(() -> listener.accept(status, message));
            }
        }
    }

    private void tell(Runnable end) {
        try {
            end.run();
        } catch (Throwable e) { // it must not end the thread that completes calls
            LOG.warn("listener for the end of {} threw", method.fullName(), e);
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
    public long limitNs() {
        return limitNs;
    }

    /** Returns when the call's time is over, on the clock of its client. */
    public long endNs() {
        return endNs;
    }

    @Override
    public void whenEnded(BiConsumer<Status, String> consumer) {
        listener = listener == null ? consumer : listener.andThen(consumer);
    }
}
