package org.jvrpc.runtime.invocation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call whose end is told on an executor; where that refuses, on the thread that took the answer. One thread. */
final class ExecutorCall extends FutureCall {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorCall.class);
    private static final LogLimit REFUSALS = new LogLimit(10_000_000_000L);

    private final ClientCall call;
    private final MethodDescriptor method;
    private final Executor executor;

    ExecutorCall(ClientCall call, MethodDescriptor method, Executor executor) {
        this.call = call;
        this.method = method;
        this.executor = executor;
    }

    @Override
    protected MethodDescriptor method() {
        return method;
    }

    @Override
    public WireWriter arguments() {
        return call.arguments();
    }

    @Override
    public WireReader invoke() {
        return call.invoke();
    }

    @Override
    public int thrown() {
        return call.thrown();
    }

    @Override
    public void send() {
        call.send();
    }

    @Override
    public void close() {
        call.close();
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        return call.abandon(cause);
    }

    /** Returns what a future failed with, which may be another's failure. */
    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Completes as another does, elsewhere; cancels it. */
    private static final class Relayed<R> extends CompletableFuture<R> {

        private final CompletableFuture<R> source;

        Relayed(CompletableFuture<R> source) {
            this.source = source;
        }

        void take(R result, Throwable failure) {
            if (failure == null) {
                complete(result);
            } else {
                completeExceptionally(cause(failure));
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean mine = super.cancel(mayInterruptIfRunning);
            source.cancel(mayInterruptIfRunning);
            return mine;
        }
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> how) {
        Relayed<R> relayed = new Relayed<>(call.invokeAsync(how));
        relayed.source.whenComplete((result, failure) -> execute(() -> relayed.take(result, failure)));
        return relayed;
    }

    /** Runs something once: on the executor, or here where that refuses. */
    private void execute(Runnable end) {
        AtomicBoolean ran = new AtomicBoolean();
        Runnable once = () -> {
            if (ran.compareAndSet(false, true)) {
                end.run();
            }
        };
        try {
            executor.execute(once);
        } catch (Throwable t) {
            long kept = REFUSALS.pass(Clock.SYSTEM.nanoTime());
            if (kept != LogLimit.KEEP_BACK) {
                LOG.warn("{}: the executor for callbacks refuses, {} times more since the last line: {}",
                        method.fullName(), kept, t.toString());
            }
            once.run();
        }
    }

    @Override
    protected <R> void invoke(ResultReader<R> how, BiConsumer<R, Throwable> whenEnded) {
        call.invokeAsync(how).whenComplete((result, failure) ->
                execute(() -> whenEnded.accept(result, cause(failure))));
    }
}
