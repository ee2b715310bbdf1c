package org.jvrpc.samples.cookbook.watching;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Times and errors of each method by an interceptor of a few lines. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class CallMetrics {

    private CallMetrics() {
    }

    // snippet begins
    record Key(String method, Status status) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return toString().compareTo(other.toString());
        }
    }

    @RpcService(name = "org.acme.Roots")
    public interface Roots {
        double root(double x);
    }

    public static void main(String[] args) {
        Map<Key, LongAdder> calls = new ConcurrentSkipListMap<>();
        ClientInterceptor counting = (call, next) -> {
            call.whenEnded((status, message) ->
                    calls.computeIfAbsent(new Key(call.method().fullName(), status), k -> new LongAdder()).increment());
            next.proceed();
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://roots").service(Roots.class, Math::sqrt).start();
             RpcClient client = RpcClient.builder("inproc://roots").intercept(counting).connect()) {
            for (int i = 0; i < 5; i++) {
                client.stub(Roots.class).root(i);
            }
        }
        calls.forEach((key, count) -> System.out.println(key.method() + " " + key.status() + " " + count));
    }
    // snippet ends
}
