package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** A client that sends and never takes what comes back. */
class DeafClientTest {

    /** More than a busy machine's scheduler takes; SlowPeerTest proves that there is no wait at all. */
    private static final long LONGEST_NS = 4_000_000_000L;
    private static final int MOST_TIMES = 20;

    @Test
    void aClientThatTakesNoMessagesHoldsUpNobody() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start();
                RpcClient good = RpcClient.connect(server.address());
                RawClient deaf = new RawClient(server.address())) {
            Calls calls = good.stub(Calls.class);
            long aloneNs = median(calls, () -> false)[0];
            deaf.connect(server.address());
            int base = deaf.open(new CallsService(), 0);
            CompletableFuture<Integer> sender = Await.start(() -> {
                int sent = 0;
                for (int i = 0; i < 2000 && deaf.link().failure() == null; i++) {
                    deaf.link().body(1).putLong(0, i);
                    boolean taken = deaf.send(1 + i % 7, RpcHeader.first(RpcHeader.ONE_WAY, 0,
                            base + CallsService.TICK.index(), RpcHeader.callId(1 + i % 7, i)),
                            RpcHeader.second(8, 0, 0), 8);
                    if (!taken) {
                        break;
                    }
                    sent++;
                    Thread.onSpinWait();
                }
                return sent;
            });
            long[] beside = median(calls, () -> !sender.isDone());
            assertTrue(beside[1] < LONGEST_NS, "another client waited ns=" + beside[1]);
            assertTrue(beside[0] < MOST_TIMES * aloneNs, "half of another client's calls took ns=" + beside[0]
                    + " alone ns=" + aloneNs);
            assertTrue(Await.join(sender) > RawClient.SLOTS, "it was held up before there was nothing to take");
        }
    }

    /** Makes calls, and more while something lasts; returns the median of how long they took, and the longest. */
    private static long[] median(Calls calls, BooleanSupplier goesOn) {
        long[] tookNs = new long[20_000];
        long longestNs = 0;
        for (int i = 0; i < tookNs.length || goesOn.getAsBoolean(); i++) {
            long startNs = System.nanoTime();
            assertEquals(i + 1, calls.add(i, 1));
            tookNs[i % tookNs.length] = System.nanoTime() - startNs;
            longestNs = Math.max(longestNs, tookNs[i % tookNs.length]);
        }
        Arrays.sort(tookNs);
        return new long[] {tookNs[tookNs.length / 2], longestNs};
    }
}
