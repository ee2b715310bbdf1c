package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.EndlessExecutor;

/** An executor of heavy calls refuses a task when another of its tasks has already run the call that it was for. */
class ExecutorRefusalTest {

    /** Keeps tasks; then runs some, and refuses the one at hand. */
    private static final class Fickle extends EndlessExecutor {

        private final Queue<Runnable> kept = new ArrayDeque<>();
        private int running;

        @Override
        public synchronized void execute(Runnable task) {
            if (running == 0) {
                kept.add(task);
                return;
            }
            for (; running > 0; running--) {
                kept.remove().run();
            }
            throw new RejectedExecutionException("planted");
        }

        synchronized int kept() {
            return kept.size();
        }

        /** The next task is refused, after so many of those that are kept have run. */
        synchronized void refuseAfter(int tasks) {
            running = tasks;
        }
    }

    @Test
    void oneCallIsRefusedAndTheOthersHaveTheirAnswers() {
        Fickle executor = new Fickle();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .executor(executor).start();
                RpcClient first = RpcClient.connect(server.address());
                RpcClient second = RpcClient.connect(server.address())) {
            CallsAsync calls = first.asyncStub(Calls.class, CallsAsync.class);
            CallsAsync others = second.asyncStub(Calls.class, CallsAsync.class);
            CompletableFuture<byte[]> one = calls.echoHeavy(new byte[] {1});
            CompletableFuture<byte[]> two = calls.echoHeavy(new byte[] {2});
            Await.until("both to be queued", () -> executor.kept() == 2);
            executor.refuseAfter(2); // one of each session: sessions take turns
            CompletableFuture<byte[]> three = others.echoHeavy(new byte[] {3});
            assertEquals(1, ((byte[]) Await.outcome(one))[0]);
            assertEquals(3, ((byte[]) Await.outcome(three))[0]);
            RpcException refused = assertInstanceOf(RpcException.class, Await.outcome(two));
            assertEquals(Status.UNAVAILABLE, refused.status(), refused.getMessage());
            assertTrue(refused.getMessage().contains("planted"), refused.getMessage());
        }
    }
}
