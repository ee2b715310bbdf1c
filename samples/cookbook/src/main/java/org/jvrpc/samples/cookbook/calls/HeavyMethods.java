package org.jvrpc.samples.cookbook.calls;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Methods that block or compute run on an executor; light ones go on meanwhile. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class HeavyMethods {

    private HeavyMethods() {
    }

    // snippet begins
    @RpcService
    public interface Store {
        @RpcMethod(heavy = true)
        String compact() throws InterruptedException;

        long size(); // light: a few microseconds on the thread that polls for calls
    }

    public static void main(String[] args) {
        CountDownLatch asked = new CountDownLatch(1);
        Store store = new Store() {
            @Override
            public String compact() throws InterruptedException {
                asked.await();
                return "compacted by " + Thread.currentThread().getName();
            }

            @Override
            public long size() {
                asked.countDown();
                return 42;
            }
        };
        // On JDK 21 and later: Executors.newVirtualThreadPerTaskExecutor().
        ExecutorService heavy = Executors.newFixedThreadPool(2, task -> new Thread(task, "heavy"));
        try (RpcServer server = RpcServer.builder().bind("inproc://store").service(Store.class, store)
                     .executor(heavy).start();
             RpcClient client = RpcClient.connect("inproc://store")) {
            CompletableFuture<String> compacted =
                    client.asyncStub(Store.class, HeavyMethods_StoreAsync.class).compact();
            System.out.println(client.stub(Store.class).size());
            System.out.println(compacted.join());
        } finally {
            heavy.shutdown(); // the server leaves an executor that it was given alone
        }
    }
    // snippet ends
}
