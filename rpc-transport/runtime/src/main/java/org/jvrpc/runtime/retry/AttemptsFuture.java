package org.jvrpc.runtime.retry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.runtime.invocation.ClientInvocation;

/**
 * The attempts of one asynchronous call, as a future of the last one's result. To cancel it ends them all. Its own
 * dependents run on whichever thread ends the last attempt.
 */
abstract class AttemptsFuture<R> extends CompletableFuture<R> {

    private final Request request;
    private final ResultReader<R> reader;

    AttemptsFuture(Request request, ResultReader<R> reader) {
        this.request = request;
        this.reader = reader;
    }

    /** Makes the first attempt, on this thread. */
    abstract void begin();

    /** Ends the attempts that are under way. Any thread, also several times. */
    abstract void cancelAttempts();

    final Request request() {
        return request;
    }

    /** Sends an attempt. @throws RuntimeException where it was not made */
    final CompletableFuture<R> send(ClientInvocation attempt) {
        return request.begin(attempt).invokeAsync(reader);
    }

    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        boolean mine = super.cancel(mayInterruptIfRunning);
        cancelAttempts();
        return mine;
    }
}
