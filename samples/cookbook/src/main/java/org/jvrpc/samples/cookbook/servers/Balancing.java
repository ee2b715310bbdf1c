package org.jvrpc.samples.cookbook.servers;

import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.ServerState;

/** One client and several servers: who gets a call is a policy of the library, or one of your own. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Balancing {

    private Balancing() {
    }

    // snippet begins
    @RpcService
    public interface Whoami {
        String name();
    }

    public static void main(String[] args) {
        try (RpcServer a = serve("a"); RpcServer b = serve("b"); RpcServer c = serve("c")) {
            String target = "list:" + a.address() + "," + b.address() + "," + c.address();
            try (RpcClient client = RpcClient.builder(target).loadBalancing(LoadBalancing.roundRobin()).connect();
                 RpcClient byKey = RpcClient.builder(target).loadBalancing(LoadBalancing.ringHash()).connect()) {
                awaitReady(client); // calls need not: they go to those that are ready
                Whoami turns = client.stub(Whoami.class);
                Map<String, Integer> calls = new TreeMap<>();
                for (int i = 0; i < 9; i++) {
                    calls.merge(turns.name(), 1, Integer::sum);
                }
                System.out.println(calls);
                Whoami same = byKey.stub(Whoami.class, CallOptions.DEFAULT.withHashKey("customer-17"));
                awaitReady(byKey);
                System.out.println(same.name().equals(same.name()));
            }
        }
    }

    private static void awaitReady(RpcClient client) {
        while (client.servers().stream().anyMatch(server -> server.state() != ServerState.READY)) {
            Thread.onSpinWait();
        }
    }

    private static RpcServer serve(String name) {
        return RpcServer.builder().bind("inproc://whoami-" + name).service(Whoami.class, () -> name).start();
    }
    // snippet ends
}
