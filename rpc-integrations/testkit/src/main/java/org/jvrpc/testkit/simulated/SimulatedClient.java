package org.jvrpc.testkit.simulated;

import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;

/** What calls from a simulated host. One thread. */
public final class SimulatedClient {

    private final SimulatedNetwork network;
    private final SimulatedHost host;

    SimulatedClient(SimulatedNetwork network, SimulatedHost host) {
        this.network = network;
        this.host = host;
    }

    /** Returns a stub of a service at a host. @throws org.jvrpc.api.RpcException UNIMPLEMENTED when it has none */
    public <T> T stub(int server, Class<T> service) {
        return stub(server, service, CallOptions.DEFAULT);
    }

    /** As the other, with options: deadlines are of virtual time, metadata travels, and the rest is not looked at. */
    public <T> T stub(int server, Class<T> service, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        return descriptor.stub(channel(server, descriptor, options));
    }

    /** Returns a stub of the generated asynchronous twin of a service. */
    public <A> A asyncStub(int server, Class<?> service, Class<A> twin) {
        ServiceDescriptor<?> descriptor = ServiceDescriptor.of(service);
        return twin.cast(descriptor.asyncStub(channel(server, descriptor, CallOptions.DEFAULT)));
    }

    private RpcChannel channel(int server, ServiceDescriptor<?> service, CallOptions options) {
        SimulatedHost there = network.host(server);
        there.expect(service.name());
        return new SimulatedChannel(network, host.to(there), service.name(), options);
    }
}
