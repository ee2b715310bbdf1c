package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.ClientInvocation;

/** The arguments of a call, kept until it has ended, and what each attempt begins with. One thread at a time. */
final class Request implements WireWriter.Spill {

    /** Metadata that says how many attempts came before; absent from the first. */
    static final String PREVIOUS_ATTEMPTS = "jvrpc-previous-attempts";
    private static final long MOST_BYTES = 1L << 30;

    private final Retries retries;
    private final AttemptChannel channel;
    private final MethodDescriptor method;
    private final ClientInvocation call;
    private final ObjectCodec layouts;
    private final WireWriter writer = new WireWriter();
    private ByteBuffer memory;
    private List<Object> refusers;

    Request(Retries retries, AttemptChannel channel, MethodDescriptor method, ClientInvocation call) {
        this.retries = retries;
        this.channel = channel;
        this.method = method;
        this.call = call;
        this.layouts = channel.layouts();
        this.memory = retries.buffers().take();
        writer.reset(memory, 0, memory.capacity(), this, layouts);
    }

    @Override
    public void grow(WireWriter full, int needed) {
        long wanted = (long) full.length() + needed;
        if (wanted > MOST_BYTES) {
            throw RpcException.notRun(Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=" + wanted
                    + " limit=" + MOST_BYTES + " method=" + method.fullName());
        }
        try {
            ByteBuffer old = memory;
            memory = retries.buffers().take((int) Math.max(wanted, Math.min(2L * full.length(), MOST_BYTES)));
            full.moveTo(memory, 0, memory.capacity());
            retries.buffers().give(old);
        } catch (OutOfMemoryError e) {
            throw RpcException.notRun(Status.RESOURCE_EXHAUSTED, "no memory to keep arguments: bytes=" + wanted
                    + " method=" + method.fullName(), e);
        }
    }

    WireWriter arguments() {
        return writer;
    }

    Retries retries() {
        return retries;
    }

    /** Returns what the arguments are written with, and the answers of all attempts read. */
    ObjectCodec layouts() {
        return layouts;
    }

    MethodDescriptor method() {
        return method;
    }

    /** Returns the call as its interceptors see it. */
    ClientInvocation call() {
        return call;
    }

    /** Returns when the call is attempted again; not at all where its arguments are longer than the limit. */
    RetryPlan plan(RetryPolicy policy) {
        boolean keeps = writer.length() <= retries.settings().bufferLimit();
        return new RetryPlan(
                policy, method.idempotent(), keeps ? transparentAttempts() : 0, retries.throttle());
    }

    /** As {@link AttemptChannel#transparentAttempts}. */
    int transparentAttempts() {
        return channel.transparentAttempts();
    }

    /** Makes what an attempt has of the call. */
    ClientInvocation attempt(int previous) {
        ClientInvocation attempt = call.attempt(layouts);
        if (previous > 0) {
            attempt.metadata().put(PREVIOUS_ATTEMPTS, Integer.toString(previous));
        }
        attempt.avoid(refusers);
        return attempt;
    }

    /** An attempt failed: the next one goes by another connection where it was refused, if there is one. */
    void failed(ClientInvocation attempt, RpcException failure) {
        Object way = attempt.way();
        if (way != null && RetryPlan.isRefusal(failure)) {
            List<Object> all = new ArrayList<>(refusers == null ? List.of() : refusers);
            all.add(way);
            refusers = all;
        }
    }

    /** Begins an attempt, with the arguments. */
    ClientCall begin(ClientInvocation attempt) {
        ClientCall begun = channel.begin(method, attempt);
        try {
            begun.arguments().writeRaw(writer.buffer(), writer.start(), writer.length());
        } catch (Throwable t) {
            throw begun.abandon(t);
        }
        return begun;
    }

    /** The call has ended, and nobody copies its arguments. Idempotent. Any thread. */
    synchronized void release() {
        if (memory != null) {
            retries.buffers().give(memory);
            memory = null;
        }
    }
}
