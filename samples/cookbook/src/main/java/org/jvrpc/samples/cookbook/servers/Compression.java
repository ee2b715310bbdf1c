package org.jvrpc.samples.cookbook.servers;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Messages that shrink go compressed over tcp://, for clients that ask for it. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Compression {

    private Compression() {
    }

    // snippet begins
    @RpcService
    public interface Documents {
        int words(String text);
    }

    public static void main(String[] args) {
        Documents documents = text -> text.split(" ").length;
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Documents.class, documents)
                     .start();
             RpcClient client = RpcClient.connect(server.address() + "?compression=gzip")) {
            System.out.println(client.stub(Documents.class).words("all work and no play ".repeat(10_000)));
        }
    }
    // snippet ends
}
