package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** An idle connection over a network is asked whether it is alive; a lost one is made again. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class KeepAlive {

    private KeepAlive() {
    }

    // snippet begins
    @RpcService
    public interface Ping {
        String ping();
    }

    public static void main(String[] args) {
        Ping ping = () -> "pong";
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Ping.class, ping)
                     .keepAlive(Duration.ofSeconds(20)).start(); // clients that vanished are forgotten after 40 s
             RpcClient client = RpcClient.builder(server.address())
                     .keepAlive(Duration.ofSeconds(10)) // a server that vanished is missed after 20 s, calls or none
                     .reconnect(true) // the default: the next call finds a new connection
                     .connect()) {
            System.out.println(client.stub(Ping.class).ping() + ", connected: " + client.isConnected());
        }
    }
    // snippet ends
}
