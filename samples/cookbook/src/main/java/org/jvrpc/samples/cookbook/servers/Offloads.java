package org.jvrpc.samples.cookbook.servers;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.Offload;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.OffloadedMethod;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Answers that a server has published are found by a program of verbs, without the server's CPU. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Offloads {

    private Offloads() {
    }

    // snippet begins
    @RpcService
    public interface Quotes {
        @Offload
        long quote(String instrument);
    }

    public static void main(String[] args) {
        Map<String, Long> book = new ConcurrentHashMap<>(Map.of("ABC", 100L, "XYZ", 7L));
        AtomicInteger handled = new AtomicInteger();
        Quotes quotes = instrument -> {
            handled.incrementAndGet();
            return book.get(instrument);
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-quotes").service(Quotes.class, quotes)
                     .start()) {
            OffloadedMethod<Quotes> published = server.offload(Quotes.class, "quote", new OffloadSettings());
            published.publish(q -> q.quote("ABC")); // again whenever it changes
            handled.set(0);
            try (RpcClient client = RpcClient.connect("shm://cookbook-quotes")) {
                Quotes stub = client.stub(Quotes.class);
                while (client.offloadedCalls() < 100) { // calls are ordinary ones until the program's queues are there
                    stub.quote("ABC");
                }
                int before = handled.get();
                System.out.println(stub.quote("XYZ") + " by the handler: " + (handled.get() - before));
                System.out.println(stub.quote("ABC") + " by the program");
            }
        }
    }
    // snippet ends
}
