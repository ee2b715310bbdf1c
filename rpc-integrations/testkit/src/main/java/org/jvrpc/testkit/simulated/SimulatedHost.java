package org.jvrpc.testkit.simulated;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** A host: what it serves, and its connections to others. One thread. */
final class SimulatedHost {

    private record Served(ServiceDescriptor<?> descriptor, Skeleton skeleton, long takesNs) {
    }

    private final SimulatedNetwork network;
    private final int index;
    private final Map<String, Served> services = new TreeMap<>();
    private final Map<SimulatedHost, SimulatedConnection> connections = new HashMap<>();
    private long busyUntilNs;

    SimulatedHost(SimulatedNetwork network, int index) {
        this.network = network;
        this.index = index;
    }

    int index() {
        return index;
    }

    <T> void serve(ServiceDescriptor<T> service, T implementation, long takesNs) {
        Served served = new Served(service, service.skeleton(implementation), takesNs);
        if (services.putIfAbsent(service.name(), served) != null) {
            throw new IllegalArgumentException("host " + index + " serves " + service.name() + " already");
        }
    }

    /** @throws RpcException UNIMPLEMENTED when it is not served here */
    void expect(String service) {
        if (!services.containsKey(service)) {
            throw RpcException.notRun(Status.UNIMPLEMENTED, "host " + index + " has no service " + service + ": it has "
                    + services.keySet());
        }
    }

    /** Returns the connection to another host, which comes again when it was lost. */
    SimulatedConnection to(SimulatedHost other) {
        if (other == this) {
            throw new IllegalArgumentException("host " + index + " calls itself: a simulated call is between two");
        }
        return connections.computeIfAbsent(other, there -> new SimulatedConnection(network, this, there));
    }

    /** A request came: it is handled when those before it are. */
    void take(ByteBuffer request, Consumer<ByteBuffer> answers) {
        WireReader in = new WireReader();
        in.reset(request, 0, request.capacity(), NoGraphs.INSTANCE);
        Served served = services.get(in.readString());
        long startNs = Math.max(network.nowNs(), busyUntilNs);
        busyUntilNs = startNs + served.takesNs;
        network.later(busyUntilNs - network.nowNs(), () -> handle(served, in, answers));
    }

    private void handle(Served served, WireReader in, Consumer<ByteBuffer> answers) {
        long number = in.readLong();
        int method = in.readInt();
        long endNs = in.readLong();
        Metadata metadata = new Metadata();
        int entries = in.readCount(2);
        for (int i = 0; i < entries; i++) {
            metadata.put(in.readString(), in.readString());
        }
        SimulatedServerCall call = new SimulatedServerCall(network, served.descriptor.methods().get(method), number,
                metadata, endNs, in, answers);
        call.run(served.skeleton);
    }
}
