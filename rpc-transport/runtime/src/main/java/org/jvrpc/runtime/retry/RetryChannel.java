package org.jvrpc.runtime.retry;

import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;

/** A channel whose calls are attempts of another's. Many threads. */
final class RetryChannel implements RpcChannel {

    private final Retries retries;
    private final AttemptChannel attempts;
    private final CallOptions options;
    /** By the methods' indices. */
    private final MethodPolicy[] policies;

    RetryChannel(Retries retries, AttemptChannel attempts, List<MethodDescriptor> methods, CallOptions options) {
        this.retries = retries;
        this.attempts = attempts;
        this.options = options;
        this.policies = methods.stream().map(retries.settings()::policyOf).toArray(MethodPolicy[]::new);
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        Clock clock = retries.clock();
        long limitNs = attempts.limitNs(method);
        ClientInvocation call = new ClientInvocation(
                clock, retries.interceptors().of(method), method, options, limitNs, Deadline.after(clock, limitNs));
        call.within(RpcContext.current());
        return new RetryCall(new Request(retries, attempts, method, call), policies[method.index()]);
    }

    /** A call with a stream is made once: what was sent of it is not kept. */
    @Override
    public StreamCall beginStream(MethodDescriptor method) {
        return attempts.beginStream(method, retries.interceptors().of(method));
    }
}
