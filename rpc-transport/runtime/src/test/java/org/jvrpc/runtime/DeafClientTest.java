package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.IntConsumer;
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
    private static final int CALLS = 2000;
    /** After these the server has more to return than there is room for. */
    private static final int FILL = 2000;
    private static final int WARM_UP = 20_000;
    private static final int MOST_TIMES = 20;
    /** Threads that lack a processor are slow for a while; a poller that waits is slow in each attempt. */
    private static final int ATTEMPTS = 20;

    @Test
    void aClientThatTakesNoMessagesHoldsUpNobody() {
        StringBuilder slow = new StringBuilder();
        long leastNs = Long.MAX_VALUE; // a slow attempt to call alone excuses nothing
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long[] ns = aloneAndBesideOneThatIsDeaf();
            leastNs = Math.min(leastNs, ns[0]);
            if (ns[1] < MOST_TIMES * leastNs) {
                return;
            }
            slow.append(" alone ns=").append(ns[0]).append(" beside ns=").append(ns[1]);
        }
        throw new AssertionError("half of another client's calls were slow in each attempt:" + slow);
    }

    private static long[] aloneAndBesideOneThatIsDeaf() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start();
                RpcClient good = RpcClient.connect(server.address());
                RawClient deaf = new RawClient(server.address())) {
            Calls calls = good.stub(Calls.class);
            median(calls, WARM_UP, i -> { });
            long aloneNs = median(calls, CALLS, i -> { });
            deaf.connect(server.address());
            int method = deaf.open(new CallsService(), 0) + CallsService.TICK.index();
            for (int i = 0; i < FILL; i++) {
                sendOneWay(deaf, method, i);
            }
            return new long[] {aloneNs, median(calls, CALLS, i -> sendOneWay(deaf, method, i))};
        }
    }

    private static void sendOneWay(RawClient deaf, int method, int i) {
        Await.until("the server to take what a client sends that takes nothing", () -> {
            deaf.link().catchUp();
            return !deaf.link().isBehind();
        });
        int slot = 1 + i % (RawClient.SLOTS - 1);
        deaf.link().body(slot).putLong(0, i);
        deaf.send(slot, RpcHeader.first(RpcHeader.ONE_WAY, 0, method, RpcHeader.callId(slot, i)),
                RpcHeader.second(8, 0, 0), 8);
        assertNull(deaf.link().failure());
    }

    /** Makes calls, and something else before each; returns the median of how long a call took, in nanoseconds. */
    private static long median(Calls calls, int count, IntConsumer before) {
        long[] tookNs = new long[count];
        for (int i = 0; i < count; i++) {
            before.accept(i);
            long startNs = System.nanoTime();
            assertEquals(i + 1, calls.add(i, 1));
            tookNs[i] = System.nanoTime() - startNs;
            assertTrue(tookNs[i] < LONGEST_NS, "another client waited ns=" + tookNs[i]);
        }
        Arrays.sort(tookNs);
        return tookNs[count / 2];
    }
}
