package org.jvrpc.samples.cookbook.calls;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A call without an answer: it returns when the message has left. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class OneWayCalls {

    private OneWayCalls() {
    }

    // snippet begins
    @RpcService
    public interface Ticks {
        @OneWay
        void tick(long instrument, double price);
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch all = new CountDownLatch(1000);
        AtomicLong last = new AtomicLong();
        Ticks ticks = (instrument, price) -> {
            last.set(instrument); // in order, as light calls of one client are
            all.countDown();
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-ticks").service(Ticks.class, ticks).start();
             RpcClient client = RpcClient.connect("shm://cookbook-ticks")) {
            Ticks stub = client.stub(Ticks.class);
            for (int i = 1; i <= 1000; i++) {
                stub.tick(i, 99.5); // waits when the server has no room: no message is dropped
            }
            System.out.println(all.await(10, TimeUnit.SECONDS) + ", last " + last.get());
        }
    }
    // snippet ends
}
