package org.jvrpc.samples.cookbook.waits;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** How threads wait: what it costs in processors, and what the first call after a pause costs. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class IdleStrategies {

    private IdleStrategies() {
    }

    // snippet begins
    @RpcService
    public interface Beat {
        long beat(long number);
    }

    public static void main(String[] args) {
        for (IdleStrategy idle : IdleStrategy.values()) {
            String address = "shm://cookbook-beat-" + idle.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            try (RpcServer server = RpcServer.builder().bind(address).service(Beat.class, number -> number + 1)
                         .idle(idle).start();
                 RpcClient client = RpcClient.builder(address).idle(idle).connect()) {
                System.out.println(idle + " " + client.stub(Beat.class).beat(41));
            }
        }
    }
    // snippet ends
}
