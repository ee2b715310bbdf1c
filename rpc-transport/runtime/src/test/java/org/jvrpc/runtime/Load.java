package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;

/** Calls without end by some threads, and what became of them. */
final class Load {

    private static final long PAUSE_NS = 1_000_000;

    final AtomicLong good = new AtomicLong();
    final AtomicLong failed = new AtomicLong();
    final AtomicLong longestNs = new AtomicLong();
    /** Of calls that failed. */
    final Set<String> messages = new ConcurrentSkipListSet<>();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<CompletableFuture<Boolean>> threads = new ArrayList<>();

    /** Begins. */
    Load(RpcClient client, int threadCount) {
        Calls calls = client.stub(Calls.class);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        for (int t = 0; t < threadCount; t++) {
            int mine = t;
            threads.add(Await.start(() -> {
                for (int i = 0; !over.get(); i++) {
                    long startNs = System.nanoTime();
                    begun.incrementAndGet();
                    CompletableFuture<?> call = mine % 2 == 0 ? add(async, i)
                            : Await.start(() -> calls.echo(new byte[5000]).length);
                    call.whenComplete((value, failure) -> ended.incrementAndGet());
                    account(Await.outcome(call), System.nanoTime() - startNs);
                }
                return true;
            }));
        }
    }

    /** Without a connection there is no call that could fail. */
    private static CompletableFuture<Long> add(CallsAsync async, int i) {
        try {
            return async.add(i, 1);
        } catch (RpcException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void account(Object outcome, long tookNs) {
        longestNs.accumulateAndGet(tookNs, Math::max);
        if (outcome instanceof Throwable) {
            Status status = outcome instanceof RpcException e ? e.status() : null;
            assertTrue(status == Status.UNAVAILABLE || status == Status.DEADLINE_EXCEEDED, outcome::toString);
            messages.add(((RpcException) outcome).getMessage());
            failed.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NS); // a call without a connection fails at once
        } else {
            good.incrementAndGet();
        }
    }

    /** Ends; fails unless each call ended once, and with a status that fits. */
    void stop() {
        over.set(true);
        threads.forEach(Await::join);
        Await.until("each call to end", () -> ended.get() >= begun.get());
        assertEquals(begun.get(), ended.get());
    }
}
