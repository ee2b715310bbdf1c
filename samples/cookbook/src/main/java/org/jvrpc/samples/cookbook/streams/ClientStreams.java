package org.jvrpc.samples.cookbook.streams;

import java.util.concurrent.Flow;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** An argument that is a stream, of primitives without a box. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class ClientStreams {

    private ClientStreams() {
    }

    // snippet begins
    @RpcService
    public interface Adder {
        long sum(Flow.Publisher<Long> values);
    }

    public static void main(String[] args) {
        Adder adder = values -> {
            long sum = 0;
            try (StreamReader.OfLong reader = Streams.longReader(values)) { // on the executor: may wait
                while (reader.hasNext()) {
                    sum += reader.nextLong();
                }
            }
            return sum;
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-adder").service(Adder.class, adder).start();
             RpcClient client = RpcClient.connect("shm://cookbook-adder")) {
            System.out.println(client.stub(Adder.class).sum(Streams.writingLongs(writer -> {
                for (long i = 1; i <= 100_000; i++) {
                    writer.writeLong(i);
                }
            })));
        }
    }
    // snippet ends
}
