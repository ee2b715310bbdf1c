package org.jvrpc.testkit.fault;

import java.util.List;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.ClientInvocation;

/** A way to a service, some of whose attempts suffer. Many threads. */
final class FaultyChannel implements AttemptChannel {

    private final AttemptChannel channel;
    private final Faults faults;

    FaultyChannel(AttemptChannel channel, Faults faults) {
        this.channel = channel;
        this.faults = faults;
    }

    /** Of a client that makes nothing again. */
    @Override
    public ClientCall begin(MethodDescriptor method) {
        Fault fault = faults.next(method);
        return suffers(channel.begin(method), fault, method, channel.limitNs(method));
    }

    @Override
    public ClientCall begin(MethodDescriptor method, ClientInvocation attempt) {
        Fault fault = faults.next(method);
        return suffers(channel.begin(method, attempt), fault, method, attempt.deadlineNs());
    }

    private ClientCall suffers(ClientCall call, Fault fault, MethodDescriptor method, long leftNs) {
        return fault == null ? call : new FaultyCall(call, fault, faults.victims(), method, leftNs);
    }

    @Override
    public StreamCall beginStream(MethodDescriptor method, List<ClientInterceptor> outer) {
        Fault fault = faults.next(method);
        StreamCall call = channel.beginStream(method, outer);
        return fault == null ? call
                : new FaultyStreamCall(call, fault.ofStream(), faults.victims(), method, channel.limitNs(method));
    }

    @Override
    public ObjectCodec layouts() {
        return channel.layouts();
    }

    @Override
    public int transparentAttempts() {
        return channel.transparentAttempts();
    }

    @Override
    public long limitNs(MethodDescriptor method) {
        return channel.limitNs(method);
    }
}
