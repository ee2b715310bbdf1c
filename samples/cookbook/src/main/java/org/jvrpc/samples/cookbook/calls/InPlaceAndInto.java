package org.jvrpc.samples.cookbook.calls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Bytes there and back without a copy of their own, and without garbage. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class InPlaceAndInto {

    private InPlaceAndInto() {
    }

    // snippet begins
    @RpcService
    public interface Reverse {
        void reverse(@InPlace ByteBuffer in, @Into ByteBuffer out);
    }

    public static void main(String[] args) {
        Reverse reverse = (in, out) -> { // views of the session's memory, which end when this returns
            for (int i = in.limit() - 1; i >= 0; i--) {
                out.put(in.get(i));
            }
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-reverse").service(Reverse.class, reverse)
                     .start();
             RpcClient client = RpcClient.connect("shm://cookbook-reverse")) {
            ByteBuffer in = StandardCharsets.US_ASCII.encode("stressed");
            ByteBuffer out = ByteBuffer.allocateDirect(64); // kept, and used for each call
            client.stub(Reverse.class).reverse(in, out);
            System.out.println(StandardCharsets.US_ASCII.decode(out.flip()));
        }
    }
    // snippet ends
}
