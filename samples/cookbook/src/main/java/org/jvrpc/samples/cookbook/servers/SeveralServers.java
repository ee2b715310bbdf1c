package org.jvrpc.samples.cookbook.servers;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LeastSecurity;

/** A list of servers, each with the addresses that it has; the nearest that may be used is taken. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class SeveralServers {

    private SeveralServers() {
    }

    // snippet begins
    @RpcService
    public interface Home {
        String where();
    }

    public static void main(String[] args) {
        try (RpcServer near = RpcServer.builder().bind("shm://cookbook-home").service(Home.class, () -> "here").start();
             RpcServer far = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Home.class, () -> "there").start();
             RpcClient client = RpcClient.builder("list:shm://cookbook-home," + far.address())
                     .leastSecurity(LeastSecurity.LOCAL_OR_ENCRYPTED) // never tcp://, whatever fails
                     .connect()) {
            System.out.println(client.stub(Home.class).where());
            client.servers().forEach(server -> System.out.println(server.state()));
        }
    }
    // snippet ends
}
