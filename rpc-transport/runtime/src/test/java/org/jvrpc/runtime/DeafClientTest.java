package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** A client that sends and never takes what comes back. */
class DeafClientTest {

    private static final long LONGEST_NS = 4_000_000_000L;

    @Test
    void aClientThatTakesNoMessagesHoldsUpNobody() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .start();
                RpcClient good = RpcClient.connect(server.address());
                RawClient deaf = new RawClient(server.address())) {
            Calls calls = good.stub(Calls.class);
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
            long longestNs = 0;
            for (int i = 0; i < 20_000 || !sender.isDone(); i++) {
                long startNs = System.nanoTime();
                assertEquals(i + 1, calls.add(i, 1));
                longestNs = Math.max(longestNs, System.nanoTime() - startNs);
            }
            assertTrue(longestNs < LONGEST_NS, "another client waited ns=" + longestNs);
            assertTrue(Await.join(sender) > 0);
        }
    }
}
