package org.jvrpc.samples.cookbook.watching;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.MethodCounters;

/** What a process counts of its clients and servers, without an interceptor, as jvrpc top sees it from outside. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class OwnCounters {

    private OwnCounters() {
    }

    // snippet begins
    @RpcService(name = "org.acme.Cubes")
    public interface Cubes {
        long cube(long x);
    }

    public static void main(String[] args) {
        try (RpcServer server = RpcServer.builder().bind("inproc://cubes").service(Cubes.class, x -> x * x * x).start();
             RpcClient client = RpcClient.connect("inproc://cubes")) {
            for (int i = 0; i < 7; i++) {
                client.stub(Cubes.class).cube(i);
            }
            for (EndpointCounters endpoint : Counters.own().read().endpoints()) {
                for (MethodCounters method : endpoint.methods()) {
                    if (endpoint.role() == EndpointCounters.Role.CLIENT && endpoint.address().endsWith("cubes")) {
                        System.out.println(endpoint.role() + " " + method.method() + " " + method.calls());
                    }
                }
            }
        }
    }
    // snippet ends
}
