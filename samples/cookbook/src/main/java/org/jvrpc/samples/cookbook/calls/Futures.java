package org.jvrpc.samples.cookbook.calls;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Asynchronous calls: by the generated twin of any interface, or by an interface that returns futures. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Futures {

    private Futures() {
    }

    // snippet begins
    @RpcService
    public interface Squares {
        long square(int x);

        CompletableFuture<Long> cube(int x); // asynchronous at both sides: the handler answers when it can
    }

    public static void main(String[] args) {
        Squares squares = new Squares() {
            @Override
            public long square(int x) {
                return (long) x * x;
            }

            @Override
            public CompletableFuture<Long> cube(int x) {
                return CompletableFuture.supplyAsync(() -> (long) x * x * x);
            }
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-squares").service(Squares.class, squares)
                     .start();
             RpcClient client = RpcClient.connect("shm://cookbook-squares")) {
            Futures_SquaresAsync async = client.asyncStub(Squares.class, Futures_SquaresAsync.class);
            CompletableFuture<Long> nine = async.square(3);
            CompletableFuture<Long> sixteen = async.square(4);
            System.out.println(nine.thenCombine(sixteen, Long::sum).join());
            System.out.println(client.stub(Squares.class).cube(3).join());
        }
    }
    // snippet ends
}
