package org.jvrpc.samples.cookbook.calls;

import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What stands around every call, at the client and at the server. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Interceptors {

    private Interceptors() {
    }

    // snippet begins
    @RpcService
    public interface Echo {
        String echo(String text);
    }

    public static void main(String[] args) {
        ClientInterceptor tagging = (call, next) -> {
            call.metadata().put("request-id", "r-1");
            call.whenEnded((status, message) -> System.out.println("client: " + call.method().name() + " " + status));
            next.proceed();
        };
        ServerInterceptor demanding = (call, next) -> {
            if (call.metadata().get("request-id") == null) {
                throw new RpcException(Status.INVALID_ARGUMENT, "a call needs a request-id");
            }
            next.proceed();
            System.out.println("server: " + call.metadata().get("request-id") + " done");
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://echo").service(Echo.class, text -> text)
                     .intercept(demanding).start();
             RpcClient client = RpcClient.builder("inproc://echo").intercept(tagging).connect();
             RpcClient plain = RpcClient.connect("inproc://echo")) {
            System.out.println(client.stub(Echo.class).echo("hello"));
            try {
                plain.stub(Echo.class).echo("hello");
            } catch (RpcException e) {
                System.out.println(e.getMessage());
            }
        }
    }
    // snippet ends
}
