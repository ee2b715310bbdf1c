package hello;

import org.jvrpc.runtime.RpcClient;

public final class Client {

    public static void main(String[] args) {
        try (RpcClient client = RpcClient.connect(args[0])) {
            System.out.println(client.stub(Greeter.class).greet("world"));
        }
    }
}
