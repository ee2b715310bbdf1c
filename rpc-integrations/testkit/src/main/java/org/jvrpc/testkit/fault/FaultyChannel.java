package org.jvrpc.testkit.fault;

import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;

/** A channel some of whose calls suffer. Many threads. */
final class FaultyChannel implements RpcChannel {

    private final RpcChannel channel;
    private final Faults faults;
    private final long ownDeadlineNs;
    private final long defaultDeadlineNs;

    /** @param ownDeadlineNs of all calls; 0 for the method's, or the default one */
    FaultyChannel(RpcChannel channel, Faults faults, long ownDeadlineNs, long defaultDeadlineNs) {
        this.channel = channel;
        this.faults = faults;
        this.ownDeadlineNs = ownDeadlineNs;
        this.defaultDeadlineNs = defaultDeadlineNs;
    }

    private long deadlineNs(MethodDescriptor method) {
        return ownDeadlineNs > 0 ? ownDeadlineNs : method.deadlineNs() > 0 ? method.deadlineNs() : defaultDeadlineNs;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        Fault fault = faults.next(method);
        ClientCall call = channel.begin(method);
        return fault == null ? call : new FaultyCall(call, fault, faults.victims(), method, deadlineNs(method));
    }

    @Override
    public StreamCall beginStream(MethodDescriptor method) {
        Fault fault = faults.next(method);
        StreamCall call = channel.beginStream(method);
        return fault == null ? call : new FaultyStreamCall(call, fault, faults.victims(), method, deadlineNs(method));
    }
}
