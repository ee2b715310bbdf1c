package hello;

import java.time.Duration;
import org.jvrpc.runtime.RpcServer;

public final class Server {

    public static void main(String[] args) throws InterruptedException {
        Greeter greeter = name -> "Hello, " + name;
        try (RpcServer server = RpcServer.builder().bind(args[0]).service(Greeter.class, greeter).start()) {
            System.out.println("serving at " + server.address());
            while (!server.awaitTermination(Duration.ofDays(1))) {
                // until Ctrl-C
            }
        }
    }
}
