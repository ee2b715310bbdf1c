package org.jvrpc.samples.cookbook.calls;

import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** One callback object hears of many calls: no future, no box, nothing allocated. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Callbacks {

    private Callbacks() {
    }

    // snippet begins
    @RpcService
    public interface Prices {
        long price(int instrument);
    }

    static final class Sum implements RpcCallback.OfLong {
        private long sum;
        private int answers;

        @Override
        public void completed(long price, Throwable failure) { // must not block
            answers++;
            sum += failure == null ? price : 0;
        }
    }

    public static void main(String[] args) {
        Prices prices = instrument -> instrument * 100L;
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-prices").service(Prices.class, prices).start();
             RpcClient client = RpcClient.connect("shm://cookbook-prices")) {
            Callbacks_PricesAsync async = client.asyncStub(Prices.class, Callbacks_PricesAsync.class);
            Sum sum = new Sum();
            for (int instrument = 1; instrument <= 10; instrument++) {
                async.price(instrument, sum);
            }
            while (sum.answers < 10) {
                client.poll(); // callbacks run on this thread, one at a time
            }
            System.out.println(sum.sum);
        }
    }
    // snippet ends
}
