package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** A way to a service of another host. One thread. */
final class SimulatedChannel implements RpcChannel {

    private static final long DEADLINE_NS = Duration.ofSeconds(30).toNanos();

    private final SimulatedNetwork network;
    private final SimulatedConnection connection;
    private final String service;
    private final CallOptions options;

    SimulatedChannel(SimulatedNetwork network, SimulatedConnection connection, String service, CallOptions options) {
        this.network = network;
        this.connection = connection;
        this.service = service;
        this.options = options;
    }

    SimulatedNetwork network() {
        return network;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        network.checkThread();
        return new SimulatedClientCall(this, method);
    }

    /** Sends a call, whose answer comes when time passes. */
    PendingCall send(MethodDescriptor method, Body arguments) {
        PendingCall call = new PendingCall(connection.nextNumber());
        long deadlineNs = options.deadlineNs() > 0 ? options.deadlineNs()
                : method.deadlineNs() > 0 ? method.deadlineNs() : DEADLINE_NS;
        ByteBuffer request = request(method, call.number(), network.nowNs() + deadlineNs, arguments);
        if (method.oneWay()) {
            connection.send(request, null);
            return call;
        }
        connection.send(request, call);
        network.later(deadlineNs, () -> {
            connection.forget(call);
            call.failed(new RpcException(Status.DEADLINE_EXCEEDED, "no answer of " + method.fullName() + " within "
                    + Duration.ofNanos(deadlineNs)));
        });
        return call;
    }

    private ByteBuffer request(MethodDescriptor method, long number, long endNs, Body arguments) {
        Metadata metadata = new Metadata();
        options.copyMetadataTo(metadata);
        Body request = new Body();
        WireWriter out = request.writer();
        out.writeString(service);
        out.writeLong(number);
        out.writeInt(method.index());
        out.writeLong(endNs);
        out.writeCount(metadata.size());
        metadata.forEach((name, value) -> {
            out.writeString(name);
            out.writeString(value);
        });
        request.append(arguments);
        return request.bytes();
    }
}
