package org.jvrpc.samples.quickstart;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/**
 * A service, its server and a call: the example of README.md, which a test compares with the lines between the marks.
 * Server and client may as well be two programs; they need no more than the interface and the address in common.
 */
@SuppressWarnings("try") // The server is there to be closed, not to be named.
public final class TenLines {

    private TenLines() {
    }

    // README begins
    @RpcService
    public interface Greeter {
        String greet(String name);
    }

    public static void main(String[] args) {
        Greeter greeter = name -> "Hello, " + name;
        try (RpcServer server = RpcServer.builder().bind("shm://greeter").service(Greeter.class, greeter).start();
             RpcClient client = RpcClient.connect("shm://greeter")) {
            System.out.println(client.stub(Greeter.class).greet("world"));
        }
    }
    // README ends
}
